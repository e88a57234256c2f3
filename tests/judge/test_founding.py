"""What makes no sense in a new game: all of it is found, and said in four languages."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from pbem.judge import founding
from pbem.judge.founding import Planned, Wanted
from pbem.render import refusals
from pbem.rules.ruleset import Misfit
from pbem.store.engine import session
from tests.judge.parlour import Parlour

SIX = [(colour, "open") for colour in ("red", "blue", "yellow", "green", "purple", "black")]
MANY = {"goal": "missions", "mission_deck": "european12"}


@pytest.fixture(scope="module")
def parlour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Parlour]:
    opened = Parlour(Path(tmp_path_factory.mktemp("parlour")))
    yield opened
    opened.close()


def misfits(parlour: Parlour, wanted: Wanted) -> tuple[Misfit, ...]:
    with session(parlour.engine) as opened:
        found = founding.plan(opened, wanted)
    return () if isinstance(found, Planned) else found


@pytest.mark.parametrize(
    ("options", "seats", "found"),
    [
        ({"weather": "rain"}, 3, {"weather": "no-option"}),
        ({"fortify": "fly", "press": "loud"}, 3, {"fortify": "bad-option", "press": "bad-option"}),
        ({"goal": "capitals"}, 2, {"goal": "three-or-more"}),
        ({"goal": "capitals", "capital_target": "short"}, 6, {"capital_target": "short-for-six"}),
        (MANY, 6, {"mission_deck": "deck-colours"}),
        ({}, 1, {"seats": "seat-count"}),
        ({"kill_credit": "anyone", "gap": "2h"}, 3, {"kill_credit": "needs", "gap": "gap-alone"}),
        (
            {"at": "9:00", "hours": "10-12", "pace": "2d", "stalled": "1h"},
            *(3, {"pace": "pace-and-times", "hours": "times-outside", "stalled": "stalled-short"}),
        ),
        ({"pace": "0s", "setup_pace": "0s"}, 3, {"pace": "no-time", "setup_pace": "no-time"}),
        ({"session": "3d"}, 3, {"session": "session-long"}),
    ],
    ids=str,
)
def test_all_that_is_wrong_is_found_at_once_and_said_in_four_languages(
    parlour: Parlour, options: Mapping[str, str], seats: int, found: Mapping[str, str]
) -> None:
    told = misfits(parlour, Wanted("classic-1993", options, SIX[:seats], "en"))
    assert {one.where: one.code for one in told} == found
    assert_told(told)


@pytest.mark.parametrize(
    ("ruleset", "options", "where", "code"),
    [
        ("two-player-2015", {"vacant": "neutral"}, "vacant", "vacant-two"),
        ("two-player-2015", {"setup": "claim"}, "setup", "dealt"),
        ("two-player-2015", {"goal": "missions"}, "goal", "three-or-more"),
        ("capital-2015", {"two_player": "plain"}, "two_player", "not-for-two"),
        ("monopoly", {}, "ruleset", "no-ruleset"),
    ],
)
def test_what_a_ruleset_does_not_bear_is_said_in_four_languages(
    parlour: Parlour, ruleset: str, options: Mapping[str, str], where: str, code: str
) -> None:
    (told,) = misfits(parlour, Wanted(ruleset, options, SIX[:2], "en"))
    assert (told.where, told.code) == (where, code)
    assert_told((told,))


def test_seats_that_stand_twice_are_named(parlour: Parlour) -> None:
    seats = [("red", "anna@x.example"), ("blue", "Anna@x.example"), ("red", "open")]
    told = misfits(parlour, Wanted("classic-1993", {}, seats, "en"))
    assert [(one.where, one.code) for one in told] == [
        ("seat.blue", "address-twice"),
        ("seat.red", "seat-twice"),
    ]


def test_for_a_wrong_number_of_seats_the_rules_that_fit_are_named(parlour: Parlour) -> None:
    (told,) = misfits(parlour, Wanted("classic-2015", {}, SIX, "en"))
    assert told.facts["fit"] == ["classic-1993", "simple-it", "simple-sl"]


def assert_told(misfits: tuple[Misfit, ...]) -> None:
    for one in misfits:
        facts = {"where": one.where, "of": one.code, "about": dict(one.facts)}
        texts = {refusals.text("misfit", facts, language) for language in ("en", "it", "nl", "sl")}
        assert len(texts) == 4, texts
