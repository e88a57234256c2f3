"""Where the territories of a board of another maker stand on the sheet. Coordinates are pixels.

The maker's own coordinates give the order and the neighbourhood; what lies too near there is moved
apart here, so that each disc has room for itself and a name.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from pbem.render.picture.world import Point
from pbem.rules import board as boards
from pbem.rules.board import Board, Code

WIDTH = 1200
LOWEST, HIGHEST = 500, 860
"""Pixels that the sheet is high."""

FLATTEST, STEEPEST = 2.3, 1.35
"""Width to height: a board beyond these is stretched to them, so that it fills the sheet."""

MOST_TERRITORIES = 96
"""More could not be read in a letter."""

THINNEST = 8
"""A board that is so many times as long as wide has its coordinates from no picture."""

SMALLEST, LARGEST = 0.5, 2.3
STEP = 0.05
"""Of the unit: boards share fonts and signs of the same size."""

RADIUS = 25
MARGIN = 27
"""Pixels of a disc and around it where the unit is 1."""

GAP = 12, 28
"""Pixels between two discs, side by side and one above the other: the name goes between."""

ROUNDS = 240

Places = NDArray[np.float64]
"""A row [x, y] for each territory."""


@dataclass(frozen=True)
class Layout:
    """`unit` is how many times larger signs are than on the map of the world."""

    height: int
    unit: float
    spots: Mapping[Code, Point]

    @property
    def radius(self) -> float:
        """Pixels of a disc."""
        return RADIUS * self.unit

    @cached_property
    def places(self) -> Places:
        """The middles of the discs, in the board's order."""
        return np.asarray(list(self.spots.values()))

    def inside(self, x: float, y: float, edge: float = 0) -> bool:
        """Whether a point is on the sheet, so far from its edges."""
        return edge <= x <= WIDTH - edge and edge <= y <= self.height - edge


@lru_cache(maxsize=64)
def layout(board_id: boards.BoardId) -> Layout | None:
    """The places of that board; None where they cannot be told from its coordinates."""
    board = boards.load(*board_id)
    places = _told(board)
    if places is None:
        return None
    wide, high = places.max(0) - places.min(0)
    if min(wide, high) * THINNEST < max(wide, high):
        return None
    places = (places - places.min(0)) / (wide, high)
    ratio = min(max(wide / high, STEEPEST), FLATTEST)
    height = round(min(max(WIDTH / ratio, LOWEST), HIGHEST))
    most = min(LARGEST, 0.0104 * math.sqrt(WIDTH * height / len(places)))
    for step in range(int(most / STEP), int(SMALLEST / STEP) - 1, -1):
        unit = step * STEP
        spread = _spread(places, height, unit)
        if spread is not None:
            spots = [(float(x), float(y)) for x, y in spread.round()]
            return Layout(height, unit, dict(zip(board.codes, spots, strict=True)))
    return None


def _told(board: Board) -> Places | None:
    """The maker's coordinates, if every territory has its own and there are not too many."""
    if len(board.codes) > MOST_TERRITORIES:
        return None
    told = [territory.at for territory in board.territories.values() if territory.at]
    if len(told) < len(board.codes) or len(set(told)) < len(told):
        return None
    return np.asarray(told, np.float64)


def _spread(shares: Places, height: int, unit: float) -> Places | None:
    """The places on a sheet of that height, with room around each; None if there is not enough.

    `shares` are 0 to 1 in both directions.
    """
    edge = (RADIUS + MARGIN) * unit
    low = np.asarray((edge + 16 * unit, edge))
    high = np.asarray((WIDTH - edge - 16 * unit, height - edge))
    room = (2 * RADIUS + np.asarray(GAP)) * unit
    places = low + shares * (high - low)
    for _ in range(ROUNDS):
        apart = (places[:, None] - places[None]) / room
        far = np.sqrt((apart**2).sum(2))
        np.fill_diagonal(far, 2)
        lacking = np.maximum(0, 1.01 - far)
        if lacking.max() < 0.02:
            spread: Places = places
            return spread
        push = (apart / np.maximum(far, 1e-9)[..., None] * lacking[..., None]).sum(1)
        places = np.clip(places + push * room * 0.5, low, high)
    return None
