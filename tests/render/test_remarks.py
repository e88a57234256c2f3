"""Every note that the floors can give has its words."""

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem import judge, orders
from pbem.orders.mistake import Fact, Note
from pbem.render.letters import compose
from tests.render.samples import DONE

FACTS: dict[str, Fact] = {
    "written": "Idnia",
    "territory": "IDA",
    "target": "IDA",
    "source": "SIA",
    "stated": 9,
    "moved": 4,
    "armies": 3,
    "target_armies": 2,
    "all_in": 916,
    "why": "floor",
}


def noted() -> Iterator[str]:
    """The codes in calls of `Note(...)` and `.note(...)` of orders and judge."""
    for package in (orders, judge):
        for path in Path(package.__path__[0]).rglob("*.py"):
            for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(call, ast.Call) and call.args:
                    named = getattr(call.func, "id", getattr(call.func, "attr", ""))
                    code = call.args[0]
                    if named in ("Note", "note") and isinstance(code, ast.Constant):
                        yield str(code.value)


def told(code: str, **facts: str | int) -> str:
    note = Note(code, 2, FACTS | facts)
    return " ".join(compose("done", replace(DONE, lines=(), notes=(note,))).text.split())


@pytest.mark.parametrize("code", sorted(set(noted())))
def test_every_note_has_words(code: str) -> None:
    assert f" {code} " not in told(code)
    assert len(told(code)) > len(told("x"))


@pytest.mark.parametrize(
    "why", ["one-army", "rolls", "stake", "until", "dice", "lose", "keep", "odds", "floor"]
)
def test_a_stop_says_why_and_what_all_in_would_promise(why: str) -> None:
    text = told("stopped", why=why)
    assert "Stopped" in text
    assert 'India has 2; "all in" would take it in 92% of cases.' in text


def test_a_misspelt_name_is_told_as_it_was_read() -> None:
    assert 'I read "Idnia" as India.' in told("typo")
