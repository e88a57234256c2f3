"""Names beside the discs of a board of another maker: none hides a disc or another name."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np
from PIL import Image, ImageDraw

from pbem.render.picture.font import FINE, Weight, font, stepped, width, writable
from pbem.render.picture.hull import hues
from pbem.render.picture.layout import WIDTH, Layout, layout
from pbem.render.picture.link import CODE_SIZE, Stub, links
from pbem.render.picture.palette import INK, PAPER, rgb
from pbem.render.picture.room import Box, Spots, discs_in, meet, points_in
from pbem.render.picture.world import Layer, layer
from pbem.rules import board as boards
from pbem.rules.board import Board, Code, Continent

SIZE, LEAST, MOST = 13.5, 11.5, 22.0
TITLE, LEAST_TITLE, MOST_TITLE = 17.0, 14.0, 28.0
"""Pixels of a name's letters where the unit is 1, and at least and at most."""

LEADING, RISE, DROP = 0.96, 0.72, 0.2
"""Of the letters' size: from line to line, above the base line, and below it."""

TWO_LINES, CODE = 2.5, 14
"""How little a name in two lines and a code in its place are liked: as much as hiding a line for so
many of its points."""

ATTEMPTS = 5
"""To find a place for every name."""

HALO = 0.14
"""Of the letters' size: the paper around a text."""

GRID = 12
"""Pixels between two places that are tried for the name of a continent."""


@dataclass(frozen=True, slots=True)
class Tag:
    """Lines of text; `x` is their middle, `y` the base line of the first."""

    lines: tuple[str, ...]
    x: float
    y: float
    size: float
    weight: Weight = 600
    ink: str = INK

    @property
    def box(self) -> Box:
        """What the lines cover, without their halo."""
        half = max(width(line, self.weight, self.size) for line in self.lines) / 2
        bottom = self.baseline(len(self.lines) - 1) + DROP * self.size
        return self.x - half, self.y - RISE * self.size, self.x + half, bottom

    def baseline(self, row: int) -> float:
        """That of a line, counted from 0."""
        return self.y + row * LEADING * self.size


@dataclass(frozen=True)
class Tags:
    """All texts on the sheet: of territories by code, of continents, of stubs; and their pixels."""

    names: dict[Code, Tag]
    titles: tuple[Tag, ...]
    stubs: tuple[Tag, ...]
    layer: Layer


@lru_cache(maxsize=8)
def tags(board_id: boards.BoardId, language: str) -> Tags:
    """The texts of that board, which can be charted."""
    board, here = boards.load(*board_id), layout(board_id)
    assert here is not None
    lines = links(board_id)
    room = _Room(here, lines.points, [stub.box for stub in lines.stubs])
    titles = tuple(_titles(board, board_id, room, language))
    names = _names(board, room.without([title.box for title in titles]), language)
    if len(names) < len(board.codes):  # the legend has the continents, too
        titles, names = (), _names(board, room, language)
    stubs = tuple(_stub_tag(stub, here.unit) for stub in lines.stubs)
    return Tags(names, titles, stubs, _drawn(here, (*titles, *names.values(), *stubs)))


class _Room:
    """What of the sheet is free."""

    def __init__(self, here: Layout, points: Spots, taken: Sequence[Box]) -> None:
        self.here = here
        self.points = points
        self.taken = list(taken)

    def without(self, boxes: Iterable[Box]) -> Self:
        """The room that is left beside those."""
        return type(self)(self.here, self.points, [*self.taken, *boxes])

    def is_free(self, box: Box) -> bool:
        """Whether a text may stand there."""
        left, top, right, bottom = box
        here = self.here
        if not (here.inside(left, top, 3) and here.inside(right, bottom, 3)):
            return False
        wider = (left - 2, top - 1.5, right + 2, bottom + 1.5)
        return not discs_in(box, here.places, here.radius + 2.5 * here.unit) and not any(
            meet(wider, other) for other in self.taken
        )


def _clamped(size: float, unit: float, least: float, most: float) -> float:
    return round(min(max(size * unit, least), most) * 2) / 2


# --- territories


def _names(board: Board, room: _Room, language: str) -> dict[Code, Tag]:
    """Who finds no place at all is the first one in the next attempt."""
    order = list(board.codes)
    for _ in range(ATTEMPTS):
        found, missing = _attempt(board, room, language, order)
        if missing is None:
            break
        order.remove(missing)
        order.insert(0, missing)
    return {code: found[code] for code in board.codes if code in found}


def _attempt(
    board: Board, room: _Room, language: str, order: Sequence[Code]
) -> tuple[dict[Code, Tag], Code | None]:
    found: dict[Code, Tag] = {}
    free = room.without(())
    missing = None
    for code in order:
        tag = _best(board, free, code, language)
        if tag is None:
            missing = missing or code
        else:
            found[code] = tag
            free.taken.append(tag.box)
    return found, missing


def _best(board: Board, room: _Room, code: Code, language: str) -> Tag | None:
    """The name where it hides least of the lines; the code if the name has no such room."""
    name = board.territories[code].names.get(language, board.territories[code].name)
    texts = [*(_splits(name) if writable(name) else []), (code,)]
    free = [
        (points_in(tag.box, room.points) + liking + CODE * (tag.lines == (code,)), place, tag)
        for place, (tag, liking) in enumerate(_around(room.here, code, texts))
        if room.is_free(tag.box)
    ]
    return min(free, key=lambda choice: choice[:2])[2] if free else None


def _splits(name: str) -> list[tuple[str, ...]]:
    """In one line, and in two that are about as long."""
    words = name.split(" ")
    pairs = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]
    even = min(pairs, key=lambda pair: max(map(len, pair)), default=None)
    return [(name,)] if even is None else [(name,), even]


def _around(
    here: Layout, code: Code, texts: Sequence[tuple[str, ...]]
) -> Iterator[tuple[Tag, float]]:
    """The text at all sides of the disc, with how little each is liked."""
    x, y = here.spots[code]
    size = _clamped(SIZE, here.unit, LEAST, MOST)
    away, slope = here.radius + 4.5 * here.unit, here.radius * 0.72
    for lines in texts:
        half = max(width(line, 600, size) for line in lines) / 2
        more = LEADING * size * (len(lines) - 1)
        below, above = y + away + RISE * size, y - away - DROP * size - more
        level = y + (RISE - DROP) / 2 * size - more / 2
        dislike = TWO_LINES * (len(lines) - 1)
        for dx, base, liking in (
            (0, below, 0),
            (0, above, 3),
            (away + half, level, 4),
            (-away - half, level, 5),
            (half * 0.6, below, 3),
            (-half * 0.6, below, 3),
            (half * 0.6, above, 5),
            (-half * 0.6, above, 5),
            (slope + half, below - size * 0.6, 6),
            (-slope - half, below - size * 0.6, 6),
            (slope + half, above + size * 0.6, 6),
            (-slope - half, above + size * 0.6, 6),
        ):
            yield Tag(lines, round(x + dx, 2), round(base, 2), size), liking + dislike


def _stub_tag(stub: Stub, unit: float) -> Tag:
    left, top, right, bottom = stub.box
    size = CODE_SIZE * unit
    base = (top + bottom) / 2 + (RISE - DROP) / 2 * size
    return Tag((stub.text,), (left + right) / 2, round(base, 2), size)


# --- continents


def _titles(board: Board, board_id: boards.BoardId, room: _Room, language: str) -> Iterator[Tag]:
    """Each on the ground of its continent or close to it; none where it has no room."""
    here, size = room.here, _clamped(TITLE, room.here.unit, LEAST_TITLE, MOST_TITLE)
    kept = [tag.box for code in board.codes for tag, _ in [_first(here, code)]]
    free = room.without(kept)
    for continent in board.continents.values():
        name = continent.names.get(language, continent.name)
        told = _splits(name.upper()) if writable(name) else []
        hue = hues(board_id)[continent.id]
        found = [
            choice
            for lines in told
            if (choice := _title(board, free, continent, Tag(lines, 0, 0, size, 700, hue)))
        ]
        if found:
            _, tag = min(found, key=lambda choice: choice[0])
            free.taken.append(tag.box)
            yield tag


def _first(here: Layout, code: Code) -> tuple[Tag, float]:
    """Where the code may always stand."""
    return next(_around(here, code, [(code,)]))


def _title(board: Board, room: _Room, continent: Continent, told: Tag) -> tuple[float, Tag] | None:
    """The best place for it, with its cost."""
    here = room.here
    own = np.asarray([here.spots[code] for code in continent.territories])
    others = np.asarray([here.spots[c] for c in board.codes if c not in continent.territories])
    left, top, right, bottom = told.box
    reach = here.radius + 60 * here.unit
    low, high = own.min(0) - reach, own.max(0) + reach
    x, y = np.meshgrid(np.arange(low[0], high[0], GRID), np.arange(low[1], high[1], GRID))
    spots = np.column_stack([x.ravel(), y.ravel()])
    near = _far_from(own, spots)
    foreign = _far_from(others, spots) if len(others) else np.full(len(spots), np.inf)
    middle = own.mean(0)
    off = np.sqrt(((spots - middle) ** 2).sum(1))
    cost = near + 0.25 * off
    belongs = near <= np.minimum(reach + (right - left) / 4, foreign * 0.85)
    order = np.argsort(cost, kind="stable")
    for place in order[belongs[order]]:
        x0, y0 = (float(side) for side in spots[place])
        box = (x0 + left, y0 + top, x0 + right, y0 + bottom)
        if room.is_free(box):
            tag = Tag(told.lines, x0, y0, told.size, told.weight, told.ink)
            return float(cost[place]) + 8 * len(told.lines), tag
    return None


def _far_from(places: Spots, spots: Spots) -> Spots:
    """How far each spot is from the nearest of the places."""
    least: Spots = np.sqrt(((spots[:, None] - places[None]) ** 2).sum(2)).min(1)
    return least


# --- pixels


def _drawn(here: Layout, texts: Sequence[Tag]) -> Layer:
    image = Image.new("RGBA", (WIDTH, here.height), (255, 255, 255, 0))
    for tag in texts:
        left, top, right, bottom = tag.box
        x, y = int(left) - 5, int(top) - 5
        size = int(right) + 6 - x, int(bottom) + 6 - y
        for halo, steps, ink in ((HALO * tag.size, 1, PAPER), (0, 2, tag.ink)):
            part = Image.new("RGBA", size, (*rgb(ink), 255))
            part.putalpha(stepped(_mask(tag, x, y, size, halo), steps))
            image.alpha_composite(part, (max(0, x), max(0, y)), (max(0, -x), max(0, -y)))
    return layer(image)


def _mask(tag: Tag, x: int, y: int, size: tuple[int, int], halo: float) -> Image.Image:
    """The text and so many pixels around it, in a frame at x, y; `FINE` times too large."""
    mask = Image.new("L", (size[0] * FINE, size[1] * FINE))
    draw = ImageDraw.Draw(mask)
    for row, line in enumerate(tag.lines):
        spot = (tag.x - x) * FINE, (tag.baseline(row) - y) * FINE
        letters = font(tag.weight, tag.size * FINE)
        draw.text(spot, line, font=letters, anchor="ms", fill=255, stroke_width=halo * FINE)
    return mask
