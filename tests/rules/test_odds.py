"""Odds against published figures and against a slow, exact computation of their own."""

import csv
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.rules.odds import ALL_IN, FULL_DICE_ONLY, Limits, capture, outcomes, win

ROWS = list(
    csv.DictReader(
        (Path(__file__).parent.parent / "data" / "battle-odds.csv").read_text("utf-8").splitlines()
    )
)


@pytest.mark.parametrize(
    ("dice", "throws", "expected"),
    [
        ((1, 1), 36, {(0, 1): 15, (1, 0): 21}),
        ((1, 2), 216, {(0, 1): 55, (1, 0): 161}),
        ((2, 1), 216, {(0, 1): 125, (1, 0): 91}),
        ((2, 2), 1296, {(0, 2): 295, (1, 1): 420, (2, 0): 581}),
        ((3, 1), 1296, {(0, 1): 855, (1, 0): 441}),
        ((3, 2), 7776, {(0, 2): 2890, (1, 1): 2611, (2, 0): 2275}),
    ],
)
def test_single_rolls_are_counted_as_in_the_rules(
    dice: tuple[int, int], throws: int, expected: dict[tuple[int, int], int]
) -> None:
    counted = {
        (loss.attacker, loss.defender): Fraction(loss.throws, 7776) for loss in outcomes(*dice)
    }
    assert counted == {lost: Fraction(count, throws) for lost, count in expected.items()}


def test_the_chance_to_win_equals_every_row_of_the_published_table() -> None:
    assert len(ROWS) == 400
    for row in ROWS:
        exact = Fraction(int(row["win_numerator"]), int(row["win_denominator"]))
        attackers, defenders = int(row["attacking_armies"]), int(row["defending_armies"])
        assert win(attackers, defenders) == exact
        assert capture(attackers + 1, defenders, ALL_IN).capture == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize(
    ("source", "target", "limits", "percent"),
    [
        (9, 4, FULL_DICE_ONLY, 82.2),
        (9, 4, ALL_IN, 88.8),
        (4, 1, FULL_DICE_ONLY, 66.0),
        (4, 1, Limits(rolls=1), 66.0),
        (4, 1, ALL_IN, 91.6),
    ],
)
def test_the_odds_named_in_the_order_language(
    source: int, target: int, limits: Limits, percent: float
) -> None:
    assert capture(source, target, limits).capture * 100 == pytest.approx(percent, abs=0.05)


@cache
def slow(source: int, target: int, limits: Limits) -> tuple[Fraction, Fraction, Fraction]:
    """Roll by roll, as an attack is played, in fractions."""
    dice = limits.dice(source, target)
    if dice == 0:
        return Fraction(target == 0), Fraction(source), Fraction(target)
    sums = [Fraction(0)] * 3
    for mine, theirs, throws in outcomes(dice, min(2, target)):
        later = slow(source - mine, target - theirs, limits.after(mine))
        sums = [s + Fraction(throws, 7776) * part for s, part in zip(sums, later, strict=True)]
    return sums[0], sums[1], sums[2]


MAYBE = st.none() | st.integers(1, 9)
LIMITS = st.builds(
    Limits,
    all_in=st.booleans(),
    keep=MAYBE,
    lose=st.none() | st.integers(0, 9),
    rolls=st.none() | st.integers(0, 6),
    stake=MAYBE,
    exact_dice=st.none() | st.integers(1, 3),
    until=st.integers(0, 4),
)


@given(st.integers(1, 12), st.integers(1, 8), LIMITS)
def test_the_odds_are_those_of_playing_it_roll_by_roll(
    source: int, target: int, limits: Limits
) -> None:
    assert capture(source, target, limits) == pytest.approx(
        [float(part) for part in slow(source, target, limits)], abs=1e-12
    )


@pytest.mark.parametrize(
    ("limits", "source", "target", "dice"),
    [
        (FULL_DICE_ONLY, 4, 1, 3),
        (FULL_DICE_ONLY, 3, 1, 0),
        (ALL_IN, 3, 1, 2),
        (ALL_IN, 2, 1, 1),
        (ALL_IN, 1, 1, 0),
        (ALL_IN, 9, 0, 0),
        (Limits(rolls=1), 3, 1, 2),
        (Limits(rolls=0), 9, 1, 0),
        (Limits(exact_dice=1), 9, 2, 1),
        (Limits(exact_dice=3), 3, 2, 0),
        (Limits(keep=5), 7, 2, 3),
        (Limits(keep=5), 6, 2, 0),
        (Limits(keep=5), 6, 1, 3),
        (Limits(keep=3), 3, 1, 0),
        (Limits(keep=2), 3, 1, 2),
        (Limits(keep=1), 2, 1, 1),
        (Limits(lose=1), 9, 2, 0),
        (Limits(lose=1), 9, 1, 3),
        (Limits(lose=2), 9, 2, 3),
        (Limits(lose=9), 3, 1, 0),
        (Limits(stake=2), 9, 2, 2),
        (Limits(stake=9), 3, 2, 2),
        (Limits(stake=0), 9, 2, 0),
        (Limits(until=2), 9, 2, 0),
        (Limits(until=2), 9, 3, 3),
        (Limits(until=2), 3, 3, 0),
    ],
)
def test_the_limits_say_whether_and_with_how_many_dice_to_roll(
    limits: Limits, source: int, target: int, dice: int
) -> None:
    assert limits.dice(source, target) == dice


def test_what_is_left_of_the_limits_after_a_roll() -> None:
    limits = Limits(keep=4, lose=5, rolls=3, stake=6).after(2)
    assert limits == Limits(keep=4, lose=3, rolls=2, stake=4)


def test_expected_armies_of_one_roll_are_its_mean() -> None:
    odds = capture(4, 2, Limits(rolls=1))
    assert odds.capture == pytest.approx(2890 / 7776)
    assert odds.attackers == pytest.approx(4 - (2611 + 2 * 2275) / 7776)
    assert odds.defenders == pytest.approx(2 - (2611 + 2 * 2890) / 7776)


def test_hundreds_of_armies_are_no_trouble() -> None:
    assert capture(300, 250, ALL_IN).capture == pytest.approx(float(win(299, 250)), abs=1e-9)
    assert capture(300, 300, Limits(rolls=20)).capture == 0


@pytest.mark.parametrize(("source", "target"), [(0, 1), (1, 0), (-3, 2)])
def test_an_attack_without_armies_has_no_odds(source: int, target: int) -> None:
    with pytest.raises(ValueError, match="both sides"):
        capture(source, target)


def test_negative_armies_cannot_win() -> None:
    with pytest.raises(ValueError, match="negative"):
        win(-1, 1)
