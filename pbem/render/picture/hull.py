"""The ground of the continents on a board of another maker: soft shapes around their discs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from pbem.render.picture.arrow import flat
from pbem.render.picture.layout import WIDTH, Layout, layout
from pbem.render.picture.link import dense, links
from pbem.render.picture.palette import HUES
from pbem.render.picture.world import Pixels, Rim, fourfold
from pbem.rules import board as boards
from pbem.rules.board import Board, ContinentId

PAD, BRIDGE, SOFT = 22, 24, 6
"""Pixels around a disc, half of the width between two of them, and how round corners are."""

EDGE_INK, EDGE_TINT = 0.9, 4.0
"""Pixels of the line around a continent that one seat holds: its outer and its inner part."""

COARSE = 4
"""Holes in a shape are looked for on a grid of so many pixels."""

Grid = NDArray[np.int16]


@dataclass(frozen=True)
class Hull:
    """The shape of a continent: its left upper corner on the sheet, and how many pixels each
    pixel lies inside its edge (below 0: outside)."""

    x: int
    y: int
    inside: NDArray[np.float32]

    def cover(self, inset: float = 0) -> Pixels:
        """The shape, smaller by so many pixels, as shares of 255: nothing, half or all."""
        share = np.clip(self.inside - inset + 0.5, 0, 1)
        cover: Pixels = (np.rint(share * 2) * 127.5).astype(np.uint8)
        return cover

    def rim(self, unit: float) -> Rim:
        """The line around it."""
        inner, outer = EDGE_TINT * unit, EDGE_INK * unit
        cover = self.cover().astype(np.int16) - self.cover(inner + 2 * outer)
        share = self.cover(outer).astype(np.int16) - self.cover(inner + outer)
        rows, columns = np.nonzero(cover > 0)
        where = (rows + self.y) * WIDTH + columns + self.x
        told = (fourfold(np.clip(part, 0, 255).astype(np.uint8)) for part in (cover, share))
        shares = [part[rows * self.inside.shape[1] + columns] for part in map(_rows, told)]
        return Rim(where, *shares)


def _rows(shares: NDArray[np.uint16]) -> NDArray[np.uint16]:
    return shares.reshape(-1, 4)


@lru_cache(maxsize=1)  # for whoever draws the chart next
def hulls(board_id: boards.BoardId) -> Mapping[ContinentId, Hull]:
    """The shapes of that board, which can be charted; none lies under another continent's disc."""
    board, here = boards.load(*board_id), layout(board_id)
    assert here is not None
    near = _nearest(board, here)
    most = 8 * (2 * here.radius) ** 2
    shapes: dict[ContinentId, Hull] = {}
    for place, continent in enumerate(board.continents):
        allowed = (near == -1) | (near == place)
        shape = _filled(_shape(board_id, continent, allowed), most)
        shapes[continent] = _soft(shape & allowed, here)
    return shapes


@lru_cache(maxsize=64)
def hues(board_id: boards.BoardId) -> Mapping[ContinentId, str]:
    """A colour for each continent, its neighbours' colours being others."""
    board = boards.load(*board_id)
    chosen: dict[ContinentId, str] = {}
    for continent in board.continents.values():
        bordered = {
            board.territories[far].continent
            for code in continent.territories
            for far in board.neighbours[code]
        }
        nearby, used = [chosen.get(c) for c in bordered], list(chosen.values())
        chosen[continent.id] = min(HUES, key=lambda hue: (hue in nearby, used.count(hue)))
    return chosen


def _nearest(board: Board, here: Layout) -> Grid:
    """The place of the continent whose disc is nearest to each pixel; -1 far from all."""
    order = {continent: place for place, continent in enumerate(board.continents)}
    least = np.full((here.height, WIDTH), np.inf, np.float32)
    owner = np.full(least.shape, -1, np.int16)
    reach = int(here.radius + PAD * here.unit * 1.5)
    for code, (x, y) in here.spots.items():
        spot, far = _window(here, int(x), int(y), reach)
        closer = (far < least[spot]) & (far < reach**2)
        least[spot][closer] = far[closer]
        owner[spot][closer] = order[board.territories[code].continent]
    return owner


def _window(
    here: Layout, x: int, y: int, reach: int
) -> tuple[tuple[slice, slice], NDArray[np.int_]]:
    """A part of the sheet around a point, and how far its pixels are from that, squared."""
    top, left = max(0, y - reach), max(0, x - reach)
    rows = np.arange(top, min(here.height, y + reach + 1))
    columns = np.arange(left, min(WIDTH, x + reach + 1))
    spot = slice(top, top + len(rows)), slice(left, left + len(columns))
    return spot, (rows[:, None] - y) ** 2 + (columns - x) ** 2


def _shape(
    board_id: boards.BoardId, continent: ContinentId, allowed: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """The discs of a continent, widened, and the way between those that have a border.

    `allowed` is where no other continent's disc is nearer; no way leads through the rest.
    """
    here = layout(board_id)
    assert here is not None
    members = set(boards.load(*board_id).continents[continent].territories)
    image = Image.new("L", (WIDTH, here.height))
    draw = ImageDraw.Draw(image)
    radius = here.radius + PAD * here.unit
    for x, y in (spot for code, spot in here.spots.items() if code in members):
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=1)
    for link in links(board_id).links:
        columns, rows = dense(link.way).astype(int).T
        if {link.one, link.other} <= members and allowed[rows, columns].all():
            # Of few points, as lines of many short pieces get ragged edges here.
            way = link.way[np.linspace(0, len(link.way) - 1, 5).astype(int)]
            draw.line(flat(way), fill=1, width=int(2 * BRIDGE * here.unit), joint="curve")
    return (np.asarray(image) > 0) & allowed


def _filled(mask: NDArray[np.bool_], most: float) -> NDArray[np.bool_]:
    """The shape without holes of at most so many pixels; larger ones are an inner sea."""
    holes = ~mask[::COARSE, ::COARSE]
    open_sea = np.zeros_like(holes)
    open_sea[[0, -1]] = open_sea[:, [0, -1]] = True
    rest = holes & ~_flooded(open_sea & holes, holes)
    filled = mask.copy()
    while rest.any():
        seed = np.zeros_like(rest)
        seed.flat[int(rest.argmax())] = True
        hole = _flooded(seed, rest)
        rest &= ~hole
        if hole.sum() * COARSE**2 <= most:
            whole = hole.repeat(COARSE, 0).repeat(COARSE, 1)[: mask.shape[0], : mask.shape[1]]
            filled |= _wider(whole)
    return filled


def _flooded(seed: NDArray[np.bool_], ground: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """All of the ground that a way from the seed leads to."""
    while True:
        grown = _wider(seed) & ground
        if (grown == seed).all():
            return grown
        seed = grown


def _wider(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    grown = mask.copy()
    grown[1:] |= mask[:-1]
    grown[:-1] |= mask[1:]
    grown[:, 1:] |= grown[:, :-1].copy()
    grown[:, :-1] |= grown[:, 1:].copy()
    return grown


def _soft(mask: NDArray[np.bool_], here: Layout) -> Hull:
    """The shape with round corners; how far inside a pixel lies shows in what a blur leaves."""
    soft = SOFT * here.unit
    edge = int(4 * soft)
    rows, columns = (np.flatnonzero(mask.any(axis)) for axis in (1, 0))
    left, top = max(0, columns[0] - edge), max(0, rows[0] - edge)
    cut = mask[top : rows[-1] + edge, left : columns[-1] + edge]
    image = Image.fromarray(cut.astype(np.uint8) * 255).filter(ImageFilter.GaussianBlur(soft))
    # In the middle of a straight edge a blur falls by so much a pixel.
    slope = 255 / (soft * 2.5066)
    return Hull(int(left), int(top), (np.asarray(image, np.float32) - 127.5) / slope)


def grounds(board_id: boards.BoardId) -> Iterator[tuple[Hull, str]]:
    """Each shape with its colour."""
    for continent, hull in hulls(board_id).items():
        yield hull, hues(board_id)[continent]
