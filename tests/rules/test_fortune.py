"""Luck, against every way in which the same dice could have fallen."""

from itertools import repeat
from statistics import NormalDist

import pytest

from pbem.rules.board import Code
from pbem.rules.dice import Faces, losses
from pbem.rules.event import Rolled
from pbem.rules.fortune import ENOUGH, Fortune, Reading
from pbem.rules.odds import ALL_THROWS, outcomes
from pbem.rules.seat import Seat

SIX, ONE = (6, 6, 6), (1, 1)
HARD, SOFT = ((1, 1, 1), (6, 6)), (SIX, ONE)
"""A roll that costs the attacker both armies, and one that costs the defender both."""


def rolled(attacker: Faces, defender: Faces) -> Rolled:
    lost = losses(attacker, defender)
    return Rolled(1, Seat("A"), Code("SIA"), Code("IDA"), attacker, defender, *lost)


def fortune(*rolls: tuple[Faces, Faces], attacked: bool = True) -> Fortune:
    found = Fortune()
    for faces in rolls:
        found = found.after(rolled(*faces), attacked=attacked)
    return found


def costs(rolls: int, dice: tuple[int, int]) -> dict[int, float]:
    """What so many of these rolls can cost the attacker in all, each with its exact share."""
    ways = {0: 1.0}
    for loss in repeat(outcomes(*dice), rolls):
        later: dict[int, float] = {}
        for before, share in ways.items():
            for one in loss:
                after = before + one.attacker
                later[after] = later.get(after, 0.0) + share * one.throws / ALL_THROWS
        ways = later
    return ways


def test_what_is_expected_is_the_mean_of_all_throws() -> None:
    # Of the 7776 throws of three against two, 2890 cost the defender both, 2275 the attacker.
    assert fortune(SOFT).expected == pytest.approx((2 * 2275 + 2611) / 7776)
    assert fortune(SOFT, attacked=False).expected == pytest.approx((2 * 2890 + 2611) / 7776)


def test_what_one_is_spared_the_other_loses() -> None:
    rolls = (HARD, SOFT, ((5, 2), (5,)), ((3,), (2,)), ((4,), (6, 1)))
    attacker, defender = fortune(*rolls), fortune(*rolls, attacked=False)
    assert attacker.gained == pytest.approx(-defender.gained)
    assert attacker.variance == pytest.approx(defender.variance)


def test_nothing_is_said_of_few_rolls() -> None:
    few = fortune(*[SOFT] * (ENOUGH - 1))
    assert (few.percentile, few.reading) == (None, None)
    assert fortune(*[SOFT] * ENOUGH).percentile == 99


@pytest.mark.parametrize("dice", [(3, 2), (3, 1), (2, 2), (1, 2), (1, 1)])
@pytest.mark.parametrize("rolls", [ENOUGH, 100])
def test_the_percentile_is_that_of_all_games_with_these_rolls(
    rolls: int, dice: tuple[int, int]
) -> None:
    one = fortune(*[(SIX[: dice[0]], ONE[: dice[1]])] * rolls)
    worse = 1.0
    for lost, share in sorted(costs(rolls, dice).items()):
        worse -= share
        told = Fortune(rolls, lost, one.expected, one.variance).percentile
        assert told == pytest.approx(min(max(100 * (worse + share / 2), 1), 99), abs=2.5)


@pytest.mark.parametrize(
    ("lost", "reading"),
    [
        (40, Reading.VERY_LUCKY),
        (48, Reading.LUCKY),
        (55, Reading.USUAL),
        (62, Reading.UNLUCKY),
        (70, Reading.VERY_UNLUCKY),
    ],
)
def test_luck_is_told_in_a_word(lost: int, reading: Reading) -> None:
    assert Fortune(60, lost, expected=55.2, variance=39.4).reading is reading


def test_the_words_are_those_that_letters_and_programs_know() -> None:
    known = ["very-unlucky", "unlucky", "usual", "lucky", "very-lucky"]
    assert [str(word) for word in Reading] == known


def read_at(percentile: int) -> Reading | None:
    """The word for a seat at that percentile."""
    spared = NormalDist().inv_cdf(percentile / 100)
    found = Fortune(ENOUGH, lost=0, expected=spared, variance=1.0)
    assert found.percentile == percentile
    return found.reading


def test_half_of_all_luck_is_usual_and_good_luck_is_as_rare_as_bad_luck() -> None:
    words = [read_at(percentile) for percentile in range(1, 100)]
    shares = dict(zip(Reading, (4, 20, 51, 20, 4), strict=True))
    assert words == [word for word, share in shares.items() for _ in range(share)]
