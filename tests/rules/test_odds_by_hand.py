"""Odds against a count of every throw, with the stop words as the order language tells them.

Nothing of `rules.odds` but its answers and the names of the limits is used here.
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.rules.odds import Limits, capture, win


@cache
def throws(attacker: int, defender: int) -> Mapping[tuple[int, int], Fraction]:
    """Every throw of so many dice, by the armies that both lose: the higher die wins."""
    counted: Counter[tuple[int, int]] = Counter()
    for thrown in product(range(1, 7), repeat=attacker + defender):
        mine, theirs = sorted(thrown[:attacker]), sorted(thrown[attacker:])
        lost = won = 0
        while mine and theirs:
            if mine.pop() > theirs.pop():
                won += 1
            else:
                lost += 1
        counted[lost, won] += 1
    return {losses: Fraction(count, counted.total()) for losses, count in counted.items()}


def dice(limits: Limits, source: int, target: int, lost: int, rolled: int) -> int:
    """With how many dice the next roll is made, 0 for none; source and target as they stand now."""
    free = source - 1
    if limits.stake is not None:
        free = min(free, limits.stake - lost)
    wanted = limits.exact_dice if limits.exact_dice is not None else min(free, 3)
    named = (limits.rolls, limits.stake, limits.exact_dice)
    lowered = limits.all_in or limits.keep in (1, 2) or any(n is not None for n in named)
    floor = 1 if lowered else 3
    may_lose = min(wanted, target, 2)
    stopped = (
        target <= limits.until
        or not floor <= wanted <= free
        or (limits.rolls is not None and rolled >= limits.rolls)
        or (limits.keep is not None and source - may_lose < limits.keep)
        or (limits.lose is not None and lost + may_lose > limits.lose)
    )
    return 0 if stopped else wanted


def by_hand(source: int, target: int, limits: Limits) -> tuple[Fraction, Fraction, Fraction]:
    """The chance to capture, and the armies that both sides are expected to keep."""

    @cache
    def later(lost: int, killed: int, rolled: int) -> tuple[Fraction, Fraction, Fraction]:
        mine, theirs = source - lost, target - killed
        with_dice = dice(limits, mine, theirs, lost, rolled) if theirs else 0
        if not with_dice:
            return Fraction(not theirs), Fraction(mine), Fraction(theirs)
        sums = [Fraction(0)] * 3
        for (my_loss, their_loss), chance in throws(with_dice, min(theirs, 2)).items():
            rest = later(lost + my_loss, killed + their_loss, rolled + 1)
            sums = [total + chance * part for total, part in zip(sums, rest, strict=True)]
        return sums[0], sums[1], sums[2]

    return later(0, 0, 0)


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


@given(st.integers(1, 10), st.integers(1, 6), LIMITS)
def test_any_limits_together(source: int, target: int, limits: Limits) -> None:
    expected = [float(part) for part in by_hand(source, target, limits)]
    assert capture(source, target, limits) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "limits",
    [
        Limits(),
        Limits(all_in=True),
        *(Limits(rolls=rolls) for rolls in (1, 2, 3, 5)),
        *(Limits(exact_dice=dice) for dice in (1, 2, 3)),
        *(Limits(keep=keep) for keep in (1, 2, 3, 4, 6)),
        *(Limits(lose=lose) for lose in (0, 1, 2, 3)),
        *(Limits(stake=stake) for stake in (1, 2, 3, 4, 6)),
        *(Limits(all_in=True, until=until) for until in (1, 2, 3)),
        Limits(exact_dice=2, rolls=3, lose=2),
        Limits(stake=5, keep=4, until=1),
    ],
    ids=repr,
)
def test_every_size_of_attack_under_each_limit(limits: Limits) -> None:
    for source in range(1, 11):
        for target in range(1, 7):
            expected = [float(part) for part in by_hand(source, target, limits)]
            found = capture(source, target, limits)
            assert found == pytest.approx(expected, abs=1e-12), (source, target)


def test_the_chance_to_win_is_exact() -> None:
    for attackers in range(13):
        for defenders in range(1, 11):
            chance, _, _ = by_hand(attackers + 1, defenders, Limits(all_in=True))
            assert win(attackers, defenders) == chance, (attackers, defenders)
