"""Imported templates run once a letter, and never for another one."""

from jinja2 import DictLoader, Environment

from pbem.render.modules import MODULES, Modules, Template


def environment() -> tuple[Environment, list[str]]:
    """Two templates that import one that notes each of its runs."""
    runs: list[str] = []
    note = "{% set ran = note(who) %}{% macro named() %}{{ who }}{% endmacro %}"
    made = Environment(
        loader=DictLoader(
            {
                "words": note,
                "one": "{% import 'words' as w with context %}{{ w.named() }}",
                "two": "{% set who = 'Carla' %}{% import 'words' as w with context %}"
                "{% include 'one' %} {{ w.named() }}",
            }
        ),
        autoescape=True,
    )
    made.template_class = Template
    made.globals["note"] = runs.append
    return made, runs


def test_two_imports_of_a_letter_share_one_run_that_knows_what_the_letter_is_told() -> None:
    made, runs = environment()
    told: dict[str, object] = {"who": "Anna"}
    told[MODULES] = Modules(told)
    assert made.get_template("two").render(told) == "Anna Anna"
    assert runs == ["Anna"]


def test_another_letter_has_its_own() -> None:
    made, runs = environment()
    for who in ("Anna", "Bruno"):
        told: dict[str, object] = {"who": who}
        told[MODULES] = Modules(told)
        assert made.get_template("one").render(told) == who
    assert runs == ["Anna", "Bruno"]


def test_without_modules_an_import_runs_as_ever() -> None:
    made, runs = environment()
    assert made.get_template("two").render(who="Anna") == "Carla Carla"
    assert runs == ["Carla", "Carla"]
