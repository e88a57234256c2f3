"""The luck of the seats over the turns as lines, for pages that draw them as SVG.

Here are places and numbers; the words and the marks are the template's (`web/_luck.html.j2`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from pbem.render.enclosed import LuckAfter
from pbem.rules.seat import Seat

LEFT, RIGHT, TOP, BOTTOM = 46, 440, 16, 226
"""The field of the lines within the sheet of 480 by 260 units."""

LABEL_APART = 26
"""Units between the letters at the ends of the lines."""

MOST_STEPS, MOST_TURNS = 3, 8
"""Lines of the grid above zero and below it, and turns named below the field."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A value of an axis, and where it stands."""

    value: int
    at: float


@dataclass(frozen=True, slots=True)
class Curve:
    """A seat's line as the points of a polyline, and the height of its letter at the end."""

    seat: Seat
    points: str
    label: float


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines, and the axes of armies and turns."""

    curves: tuple[Curve, ...]
    armies: tuple[Tick, ...]
    turns: tuple[Tick, ...]


def chart(line: Sequence[LuckAfter], seats: Sequence[Seat]) -> Chart | None:
    """The lines of these seats, from before the first turn on; None if there is nothing to draw."""
    if not line or not seats:
        return None
    last = max(line[-1].turn, 1)
    most = max(abs(after.gained.get(seat, 0.0)) for after in line for seat in seats)
    step = _step(most, MOST_STEPS)
    reach = step * MOST_STEPS
    ends = {seat: _height(_gained(line[-1], seat), reach) for seat in seats}
    labels = _apart(ends)
    return Chart(
        curves=tuple(Curve(seat, _points(line, seat, last, reach), labels[seat]) for seat in seats),
        armies=tuple(
            Tick(value, _height(value, reach)) for value in range(-reach, reach + 1, step)
        ),
        turns=tuple(
            Tick(turn, _place(turn, last)) for turn in range(0, last + 1, _step(last, MOST_TURNS))
        ),
    )


def _points(line: Sequence[LuckAfter], seat: Seat, last: int, reach: int) -> str:
    """A polyline that begins at zero and is straight over turns without a battle."""
    places = [(0, 0.0), *((after.turn, _gained(after, seat)) for after in line)]
    return " ".join(f"{_place(turn, last)},{_height(gained, reach)}" for turn, gained in places)


def _gained(after: LuckAfter, seat: Seat) -> float:
    return after.gained.get(seat, 0.0)


def _place(turn: int, last: int) -> float:
    return round(LEFT + (RIGHT - LEFT) * turn / last, 1)


def _height(gained: float, reach: int) -> float:
    middle = (TOP + BOTTOM) / 2
    return round(middle - gained / reach * (BOTTOM - middle), 1)


def _step(most: float, steps: int) -> int:
    """The least of 1, 2, 5, 10, 20, 50 ... of which so many reach as far as `most`."""
    return next(step for step in _nice() if step * steps >= most)


def _nice() -> Iterator[int]:
    return (digit * 10**power for power in count() for digit in (1, 2, 5))


def _apart(ends: Mapping[Seat, float]) -> Mapping[Seat, float]:
    """The ends, moved so far from each other that their letters do not touch, within the field."""
    order = sorted(ends, key=lambda seat: ends[seat])
    found: dict[Seat, float] = {}
    floor = float(TOP)
    for place, seat in enumerate(order):
        below = len(order) - 1 - place
        found[seat] = min(max(ends[seat], floor), BOTTOM - below * LABEL_APART)
        floor = found[seat] + LABEL_APART
    return found
