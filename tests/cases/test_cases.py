"""Every case of the corpus, one test each, named by its id; and what holds for all of them."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.judge.cases import case as cases
from pbem.judge.cases.case import Case
from pbem.judge.cases.run import run
from pbem.rules.ruleset import OPTIONS
from pbem.store.engine import Engine
from pbem.store.memory import open_memory

HERE = Path(__file__).parent
CASES: list[Case] = [case for path in cases.find([HERE]) for case in cases.read(path)]

HEADINGS = frozenset(
    {
        *("options", "rulesets to ship", "exact dice"),
        *("missions", "capitals", "two players", "missions, capitals, two players"),
        *("decisions", "the turn machine", "what is chatter", "grammar", "defaults"),
        *("what the limits mean exactly", "keys of SET", "setup by mail", "the likely mistakes"),
        *("mails and their meaning", "words", "mistakes that public Risk programs made"),
    }
)
"""What a case may cite beside the rules 1 to 12."""

MISTAKES = frozenset(f"E{number:02}" for number in range(1, 40))


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """One database for all cases: each plays a game of its own."""
    opened = open_memory()
    yield opened
    opened.dispose()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_case(case: Case, engine: Engine) -> None:
    verdict = run(case, engine)
    assert verdict.passed, verdict.report


def test_ids_are_unique() -> None:
    twice = [name for name, count in Counter(case.id for case in CASES).items() if count > 1]
    assert twice == []


def test_ids_are_kebab_case() -> None:
    assert [c.id for c in CASES if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", c.id)] == []


def test_every_case_cites_its_rule() -> None:
    numbers = range(1, 13)
    assert [c.id for c in CASES if c.rule not in numbers and c.rule not in HEADINGS] == []
    assert {c.rule for c in CASES} >= set(numbers)


def test_titles_are_sentences_of_their_own() -> None:
    assert [c.id for c in CASES if len(c.title.split()) < 3 or c.title.endswith(".")] == []
    twice = [title for title, count in Counter(c.title for c in CASES).items() if count > 1]
    assert twice == []


def test_every_case_expects_something() -> None:
    assert [case.id for case in CASES if not case.expect] == []


def test_every_mistake_has_a_case() -> None:
    seen = {code for case in CASES for code in case.expect.get("mistakes", ())}
    assert seen >= MISTAKES


def test_every_option_has_a_case() -> None:
    chosen = {(name, value) for case in CASES for name, value in case.options.items()}
    missing = {
        (name, value)
        for name, values in OPTIONS.items()
        for value in values[1:]
        if (name, value) not in chosen
    }
    assert missing == set()
