"""The borders of a board of another maker as lines between discs, and where they are cut short.

A line never touches the disc of a third territory. Where no bend avoids that, and where the way
around the sheet is the shorter one, both ends show a stub with the code of the other end.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pbem.render.picture.arrow import Curve, curve
from pbem.render.picture.font import width
from pbem.render.picture.layout import WIDTH, Layout, layout
from pbem.render.picture.room import Box, Spots, discs_in, meet, points_in
from pbem.rules import board as boards
from pbem.rules.board import Code

BOWS = (0, 0.08, -0.08, 0.14, -0.14, 0.2, -0.2, 0.27, -0.27, 0.35, -0.35, 0.45, -0.45)
"""How far a line may bend, as a share of its length; the first that is clear is taken."""

AROUND = 0.55
OUTER = 0.3
"""Shares of the sheet: a longer line between its two outer parts goes around the edge."""

CLEAR = 5
STUB = 30
"""Pixels between a line and a foreign disc, and of a stub, where the unit is 1."""

MOST_BORDERS = 3
"""For each territory: lines on a plane that do not cross are fewer."""

FEW_CUT, MOST_CUT = 6, 1 / 4
"""So many borders may be cut short on any board, or that share of its territories: with more a
chart tells less than a table."""

CODE_SIZE = 12.5
APART, LEAST_POINTS = 3, 24


@dataclass(frozen=True, slots=True)
class Link:
    """A border as a line from the rim of `one` to that of `other`."""

    one: Code
    other: Code
    way: Curve


@dataclass(frozen=True, slots=True)
class Stub:
    """The beginning of a border at `here`; at its end stands what it leads to."""

    here: Code
    far: Code
    way: Curve
    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class Links:
    """All borders of a board, each as a link or as two stubs."""

    links: tuple[Link, ...]
    stubs: tuple[Stub, ...]

    @property
    def ways(self) -> tuple[Curve, ...]:
        """All lines."""
        return (*(link.way for link in self.links), *(stub.way for stub in self.stubs))

    @property
    def points(self) -> Spots:
        """All lines as points, few pixels apart."""
        return np.concatenate([dense(way) for way in self.ways])

    def way(self, source: Code, target: Code) -> tuple[Curve, ...]:
        """From one disc to the other: one line, or two where it is cut short."""
        for link in self.links:
            if (link.one, link.other) == (source, target):
                return (link.way,)
            if (link.one, link.other) == (target, source):
                return (link.way[::-1],)
        leave, enter = (
            next(stub.way for stub in self.stubs if (stub.here, stub.far) == ends)
            for ends in ((source, target), (target, source))
        )
        return leave, enter[::-1]


@lru_cache(maxsize=64)
def charted(board_id: boards.BoardId) -> bool:
    """Whether a chart can show that board truly, and so that it can be read."""
    board = boards.load(*board_id)
    borders = sum(map(len, board.neighbours.values())) / 2
    if layout(board_id) is None or borders > MOST_BORDERS * len(board.codes):
        return False
    return len(_routes(board_id).cut) <= max(FEW_CUT, MOST_CUT * len(board.codes))


@lru_cache(maxsize=64)
def links(board_id: boards.BoardId) -> Links:
    """The borders of that board, which can be charted."""
    here, routes = layout(board_id), _routes(board_id)
    assert here is not None
    stubs = _stubs(here, [link.way for link in routes.drawn], routes.cut)
    return Links(routes.drawn, tuple(stubs))


@dataclass(frozen=True, slots=True)
class _Routes:
    """Borders that have a clear way, and those that have none."""

    drawn: tuple[Link, ...]
    cut: tuple[tuple[Code, Code], ...]


@lru_cache(maxsize=64)
def _routes(board_id: boards.BoardId) -> _Routes:
    board, here = boards.load(*board_id), layout(board_id)
    assert here is not None
    order = {code: place for place, code in enumerate(board.codes)}
    ends = [(a, b) for a in board.codes for b in board.neighbours[a] if order[a] < order[b]]
    drawn, cut = [], []
    for one, other in ends:
        way = None if _goes_around(here, one, other) else _way(here, order[one], order[other])
        if way is None:
            cut.append((one, other))
        else:
            drawn.append(Link(one, other, way))
    return _Routes(tuple(drawn), tuple(cut))


def _goes_around(here: Layout, one: Code, other: Code) -> bool:
    left, right = sorted((here.spots[one][0], here.spots[other][0]))
    outer = left < OUTER * WIDTH and right > (1 - OUTER) * WIDTH
    return outer and right - left > AROUND * WIDTH


def _way(here: Layout, one: int, other: int) -> Curve | None:
    """The straightest line that is clear of all other discs."""
    places = here.places
    start, end = places[one], places[other]
    across = np.asarray((end[1] - start[1], start[0] - end[0]))
    foreign = np.delete(places, (one, other), 0)
    for bow in BOWS:
        way = curve(start, (start + end) / 2 + across * bow * 2, end)
        if _is_clear(here, way, foreign):
            return trimmed(way, start, end, here.radius)
    return None


def _is_clear(here: Layout, way: Curve, foreign: Curve) -> bool:
    edge = 4 * here.unit
    if not all(here.inside(x, y, edge) for x, y in way):
        return False
    apart = ((way[:, None] - foreign[None]) ** 2).sum(2)
    return bool(apart.min(initial=math.inf) >= (here.radius + CLEAR * here.unit) ** 2)


def trimmed(way: Curve, start: Curve, end: Curve, radius: float) -> Curve:
    """What of a line lies outside the discs at its ends."""
    outside = np.ones(len(way), bool)
    for middle in (start, end):
        outside &= ((way - middle) ** 2).sum(1) > radius**2
    first, last = np.flatnonzero(outside)[[0, -1]]
    rims = (
        middle + (point - middle) * (radius / math.sqrt(((point - middle) ** 2).sum()))
        for middle, point in ((start, way[first]), (end, way[last]))
    )
    leave, arrive = rims
    return np.vstack([leave, way[first : last + 1], arrive])


def dense(way: Curve) -> Spots:
    """A line as points that are at most `APART` pixels from each other, and not few: to hide half
    of a short line is as bad as to hide half of a long one."""
    steps = np.sqrt((np.diff(way, axis=0) ** 2).sum(1))
    along = np.concatenate([[0], steps.cumsum()])
    where = np.linspace(0, along[-1], max(LEAST_POINTS, math.ceil(along[-1] / APART)) + 1)
    return np.column_stack([np.interp(where, along, way[:, axis]) for axis in (0, 1)])


def _stubs(here: Layout, ways: Sequence[Curve], cut: Sequence[tuple[Code, Code]]) -> Iterator[Stub]:
    """Each where its line and its text are free, as near as can be to where it leads."""
    taken: list[Box] = []
    points = np.concatenate([*map(dense, ways), np.empty((0, 2))])
    for pair in cut:
        for near, far in (pair, pair[::-1]):
            found = _best(here, (near, far), taken, points)
            taken.append(found.box)
            yield found


def _best(here: Layout, ends: tuple[Code, Code], taken: Sequence[Box], points: Spots) -> Stub:
    aim, middle = _aim(here, *ends), here.spots[ends[0]]
    reach = (here.radius + 3 * STUB * here.unit) ** 2
    close = points[((points - middle) ** 2).sum(1) < reach]
    choices = _choices(here, *ends, aim)
    return min(choices, key=lambda choice: _cost(here, choice, aim, taken, close))


def _aim(here: Layout, near: Code, far: Code) -> float:
    """The direction of the stub, an angle: to the far end, or to the edge of the sheet."""
    (x1, y1), (x2, y2) = here.spots[near], here.spots[far]
    if _goes_around(here, near, far):
        x2 += WIDTH if x2 < x1 else -WIDTH
    return math.atan2(y2 - y1, x2 - x1)


def _choices(here: Layout, near: Code, far: Code, aim: float) -> Iterator[Stub]:
    x, y = here.spots[near]
    unit, half = here.unit, width(f"‹ {far}", 600, CODE_SIZE * here.unit) / 2
    for turn in range(-12, 13):
        for long in (0.6, 1.0, 1.5):
            angle = aim + turn * math.pi / 16
            along = np.asarray((math.cos(angle), math.sin(angle)))
            start = (x, y) + along * here.radius
            end = start + along * STUB * unit * long
            leftwards = along[0] < 0
            text = f"‹ {far}" if leftwards else f"{far} ›"
            middle = end + along * np.asarray((half + 3 * unit, 9 * unit))
            box = _around(middle, half + 2, 7 * unit)
            yield Stub(near, far, np.linspace(start, end, 12).round(2), text, box)


def _around(middle: Curve, half: float, high: float) -> Box:
    x, y = (float(side) for side in middle)
    return (round(x - half, 2), round(y - high, 2), round(x + half, 2), round(y + high, 2))


def _cost(
    here: Layout, stub: Stub, aim: float, taken: Sequence[Box], points: Curve
) -> tuple[float, float]:
    """What a stub hides or hits, and how far it points elsewhere."""
    places = np.asarray([spot for code, spot in here.spots.items() if code != stub.here])
    radius = here.radius + 2 * here.unit
    hits = discs_in(stub.box, here.places, here.radius)
    hits += int((((stub.way[:, None] - places[None]) ** 2).sum(2) < radius**2).any(1).sum())
    hits += sum(meet(stub.box, box) for box in taken)
    left, top, right, bottom = stub.box
    if not (here.inside(left, top, 1) and here.inside(right, bottom, 1)):
        hits += 4
    x, y = stub.way[-1] - stub.way[0]
    off = abs(math.remainder(math.atan2(y, x) - aim, math.tau))
    crossed = points_in(stub.box, points) + 0.5 * _near(stub.way, points, 6 * here.unit)
    long = math.hypot(x, y) / here.radius
    return hits, round(off * 3 + crossed * 0.4 + abs(long - 1) * 0.3, 6)


def _near(way: Curve, points: Curve, far: float) -> int:
    return int((((way[3:, None] - points[None]) ** 2).sum(2) < far**2).any(1).sum())
