"""The line of luck: within its field, from zero on, and its letters apart."""

from itertools import pairwise

import pytest

from pbem.render.enclosed import LuckAfter
from pbem.render.luckline import BOTTOM, LABEL_APART, LEFT, RIGHT, TOP, Curve, chart
from pbem.rules.seat import Seat

A, B, C = Seat("A"), Seat("B"), Seat("C")
MIDDLE = (TOP + BOTTOM) / 2


def places(curve: Curve) -> list[tuple[float, float]]:
    pairs = [pair.split(",") for pair in curve.points.split()]
    return [(float(x), float(y)) for x, y in pairs]


def test_lines_begin_at_zero_and_end_at_the_newest_turn() -> None:
    found = chart([LuckAfter(2, {A: 3.0}), LuckAfter(4, {A: -6.0, B: 6.0})], [A, B])
    assert found is not None
    one, other = map(places, found.curves)
    assert one == [(LEFT, MIDDLE), ((LEFT + RIGHT) / 2, 68.5), (RIGHT, BOTTOM)]
    assert other == [(LEFT, MIDDLE), ((LEFT + RIGHT) / 2, MIDDLE), (RIGHT, TOP)]
    assert [tick.value for tick in found.armies] == [-6, -4, -2, 0, 2, 4, 6]
    assert [tick.value for tick in found.turns] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("most", [0.0, 0.4, 9.9, 250.0])
def test_letters_do_not_touch_and_nothing_leaves_the_field(most: float) -> None:
    found = chart([LuckAfter(150, {A: most, B: most, C: -most})], [A, B, C])
    assert found is not None
    labels = sorted(curve.label for curve in found.curves)
    assert all(b - a >= LABEL_APART for a, b in pairwise(labels))
    heights = [y for curve in found.curves for _, y in places(curve)]
    assert min(*labels, *heights) >= TOP
    assert max(*labels, *heights) <= BOTTOM
    assert len(found.turns) <= 9


@pytest.mark.parametrize(("line", "seats"), [([], [A]), ([LuckAfter(1, {A: 1.0})], [])])
def test_without_luck_there_is_no_line(line: list[LuckAfter], seats: list[Seat]) -> None:
    assert chart(line, seats) is None
