"""One turn in plain words in four languages: done, offered for a YES, or asked about; no guess.

The ways stand in `ways.toml` and, for a turn with two fronts and a fortify, in `ways_whole.toml`,
each with what is made of it on one and the same position.
"""

import tomllib
from pathlib import Path

import pytest

from pbem.orders import reader, write
from pbem.rules.position import Phase
from pbem.rules.state import State
from tests.orders.desk import TABLE, WORLD, check
from tests.rules.table import drawn

Ways = dict[str, list[dict[str, str]]]


def ways_of(name: str) -> Ways:
    """The ways of a file by language."""
    return tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))


WAYS, WHOLE = ways_of("ways.toml"), ways_of("ways_whole.toml")
FRONT = drawn(
    "A SIA 4, IDO 3, NGU 2; B IDA 4, CHN 2, AFG 1, MEA 2; C rest 2",
    phase=Phase.PLACE,
    to_place=5,
)
FRONTS = drawn(
    "A BRA 5, EGY 3, PRU 3, VEN 1, ARG 1, MDG 2; B NAF 3; C rest 2",
    phase=Phase.PLACE,
    to_place=6,
)
CASES = [
    (language, way, state)
    for all_ways, state in ((WAYS, FRONT), (WHOLE, FRONTS))
    for language, ways in all_ways.items()
    for way in ways
]


@pytest.mark.parametrize(
    ("language", "way", "state"),
    CASES,
    ids=[f"{language}-{way['mail'][:30]}" for language, way, _ in CASES],
)
def test_a_newcomer_is_understood_or_asked(
    language: str, way: dict[str, str], state: State
) -> None:
    checked = check(way["mail"], state, language)
    done = checked.plan.lines if checked.plan is not None else ()
    assert [write.line(line, "en", WORLD) for line in done] == way.get("orders", [])
    offered = reader.read(checked.corrected or (), language, TABLE).lines
    assert [write.line(line, "en", WORLD) for line in offered] == way.get("offered", [])


@pytest.mark.parametrize("language", WAYS)
def test_most_newcomers_get_through_with_one_yes_at_most(language: str) -> None:
    ways = [*WAYS[language], *WHOLE[language]]
    assert len(ways) >= 30
    assert sum("orders" in way or "offered" in way for way in ways) / len(ways) > 0.8
