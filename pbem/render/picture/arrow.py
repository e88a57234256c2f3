"""Lines over the map: attacks as arrows, and the sea lines of a board."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from pbem.render.picture.font import FINE, shrunk
from pbem.render.picture.label import names
from pbem.render.picture.palette import ARROW, INK, PAPER
from pbem.render.picture.scene import Attack
from pbem.render.picture.world import Layer, Pixels, Point, layer, world
from pbem.rules import board as boards
from pbem.rules.board import Code

EDGE = frozenset((Code("ALA"), Code("KCH")))
"""The sea line that leaves the map on one side and comes back on the other."""

HEAD, HALF_HEAD = 7.0, 4.6
"""Pixels of an arrow's head: its length, and half of its width."""

MARGIN = 8
NEAR = 62
"""Badges less far apart than this are hopped over."""

Curve = NDArray[np.float64]
"""Points of a line, a row [x, y] each."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """An image (red, green, blue, cover), and where its left upper corner lies on the map."""

    x: int
    y: int
    image: Pixels


@lru_cache(maxsize=384)  # each way of the board, won and lost, some 20 kB each
def arrows(attack: Attack, board_id: tuple[str, str | None], language: str) -> tuple[Arrow, ...]:
    """The arrow of an attack, two where it leaves the map and comes back."""
    badges = world().badges
    start, end = badges[attack.source], badges[attack.target]
    if {attack.source, attack.target} == EDGE:
        near, far = 14, world().width - 14
        leave, enter = (near, far) if attack.source == "ALA" else (far, near)
        ways = [_straight(start, (leave, start[1])), _straight((enter, end[1]), end)]
    else:
        below = {label.code: label.below_badge for label in names(board_id, language).labels}
        ways = [_bent(start, end, below[attack.source], below[attack.target])]
    return tuple(drawn(way, solid=attack.captured) for way in ways)


@cache
def sea_lines(board_id: tuple[str, str | None]) -> Layer:
    """The sea lines of that board, dashed from coast to coast."""
    here, board = world(), boards.load(*board_id)
    image = Image.new("RGBA", (here.width, here.height))
    for ends, points in here.sea_lines:
        one, other = ends
        if board.adjacent(one, other):
            _sea_line(image, points)
    return layer(image)


def _sea_line(image: Image.Image, points: tuple[Point, ...]) -> None:
    line = np.asarray(points)
    left, top = (int(side) for side in line.min(0) - MARGIN)
    wide, high = (int(side) for side in line.max(0) + MARGIN - (left, top))
    part = Image.new("RGBA", (wide * FINE, high * FINE), (255, 255, 255, 0))
    draw = ImageDraw.Draw(part)
    fine = (line - (left, top)) * FINE
    draw.line(flat(fine), fill=PAPER, width=4 * FINE, joint="curve")
    for dash in dashes(fine, 4 * FINE, 2.6 * FINE):
        draw.line(flat(dash), fill=INK, width=int(1.8 * FINE), joint="curve")
    for x, y in (fine[0], fine[-1]):
        for radius, ink in ((3.2 * FINE, PAPER), (2.2 * FINE, INK)):
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=ink)
    image.alpha_composite(shrunk(part), (max(0, left), max(0, top)), _cut(left, top))


def _cut(left: int, top: int) -> tuple[int, int]:
    """What of an image lies beyond the map's left and upper edge."""
    return max(0, -left), max(0, -top)


def _straight(start: Point, end: Point) -> Curve:
    (x1, y1), (x2, y2) = start, end
    way = math.copysign(1, x2 - x1)
    return np.asarray([(x1 + way * 13, y1), (x2 - way * 15, y2)])


def _bent(start: Point, end: Point, below_start: float, below_end: float) -> Curve:
    """From badge to badge, clear of the names under them."""
    (x1, y1), (x2, y2) = start, end
    far = math.hypot(x2 - x1, y2 - y1) or 1
    if far < NEAR:
        return _hop(start, end)
    x, y = (x2 - x1) / far, (y2 - y1) / far
    leave, arrive = below_start * max(0, y), below_end * max(0, -y)
    first = np.asarray((x1 + x * (13 + leave), y1 + y * (10.4 + leave)))
    last = np.asarray((x2 - x * (15 + arrive), y2 - y * (12.7 + arrive)))
    bow = min(26, far * 0.16)
    return curve(first, (first + last) / 2 + np.asarray((y, -x)) * bow, last)


def _hop(start: Point, end: Point) -> Curve:
    """Between badges that are too near for a line: over their tops, or around their right."""
    (x1, y1), (x2, y2) = start, end
    if abs(x2 - x1) < abs(y2 - y1):
        way = [(x1 + 22, y1), (max(x1, x2) + 46, (y1 + y2) / 2), (x2 + 26, y2)]
    else:
        away = math.copysign(1, x2 - x1)
        way = [(x1 + away * 6, y1 - 9), ((x1 + x2) / 2, min(y1, y2) - 32), (x2 - away * 5, y2 - 12)]
    first, over, last = np.asarray(way)
    return curve(first, over, last)


def curve(first: Curve, over: Curve, last: Curve) -> Curve:
    """A quadratic curve in forty points."""
    t = np.linspace(0, 1, 40)[:, None]
    bent: Curve = (1 - t) ** 2 * first + 2 * t * (1 - t) * over + t**2 * last
    return bent


def drawn(way: Curve, *, solid: bool, size: float = 1) -> Arrow:
    """An arrow along that line; `size` is how many times larger than on the map of the world."""
    margin = MARGIN * size
    left, top = (int(side) for side in way.min(0) - margin)
    wide, high = (int(side) for side in way.max(0) + margin - (left, top))
    image = Image.new("RGBA", (wide * FINE, high * FINE), (255, 255, 255, 0))
    draw = ImageDraw.Draw(image)
    fine, unit = (way - (left, top)) * FINE, FINE * size
    step = fine[-1] - fine[-2]
    along = step / (math.hypot(*step) or 1)
    shaft = np.vstack([fine[:-1], fine[-1] - along * HEAD * unit])
    draw.line(flat(shaft), fill=PAPER, width=int(5.4 * unit), joint="curve")
    draw.polygon(_head(fine[-1], along, 2, unit), fill=PAPER)
    for dash in [shaft] if solid else dashes(shaft, 4.4 * unit, 2.8 * unit):
        draw.line(flat(dash), fill=ARROW, width=int(2.6 * unit), joint="curve")
    draw.polygon(_head(fine[-1], along, 0, unit), fill=ARROW)
    return Arrow(left, top, np.asarray(shrunk(image)))


def _head(tip: Curve, along: Curve, out: float, unit: float) -> list[tuple[float, float]]:
    """The triangle at the tip, so many units larger on all sides."""
    across = np.asarray((-along[1], along[0]))
    back = tip - along * (HEAD + 0.6 * out) * unit
    wing = across * (HALF_HEAD + out) * unit
    return flat(np.asarray([tip + along * out * unit, back + wing, back - wing]))


def dashes(line: Curve, dash: float, gap: float) -> Iterator[Curve]:
    """Pieces of a line; lengths in the line's own unit."""
    steps = np.hypot(*np.diff(line, axis=0).T)
    along = np.concatenate([[0], steps.cumsum()])
    for start in np.arange(0, along[-1], dash + gap):
        end = min(start + dash, along[-1])
        inner = along[(along > start) & (along < end)]
        where = np.concatenate([[start], inner, [end]])
        yield np.column_stack([np.interp(where, along, line[:, axis]) for axis in (0, 1)])


def flat(points: Curve) -> list[tuple[float, float]]:
    """The points as Pillow takes them."""
    return [(float(x), float(y)) for x, y in points]
