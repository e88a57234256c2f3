"""The lines of the world for pages that draw the board as SVG, to be zoomed into and pointed at.

They are the same as those that the picture of the letters was baked from. The words and the marks
are the template's (`web/_map.html.j2`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from pbem.render.picture import palette
from pbem.render.picture.world import drawable, paths, world
from pbem.rules.board import Board, Code, ContinentId

CLOSE = 70
"""Units around the badges of a continent that its close-up shows, too."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A part of the sheet, in its units; `close` if it is not the whole."""

    x: float
    y: float
    width: float
    height: float
    close: bool = False


@dataclass(frozen=True)
class WorldMap:
    """Paths by what they bound, and points; all in the units of the sheet."""

    whole: Frame
    lands: Mapping[Code, str]
    badges: Mapping[Code, tuple[float, float]]
    coasts: Sequence[tuple[str, str]]
    lakes: Sequence[str]
    borders: Sequence[str]
    sea_lines: Sequence[str]
    members: Mapping[ContinentId, tuple[Code, ...]]

    def frame(self, continent: str | None) -> Frame:
        """The part of the sheet with a continent in the middle; all of it for any other word."""
        near = [self.badges[code] for code in self.members.get(ContinentId(continent or ""), ())]
        if not near:
            return self.whole
        left, right = min(x for x, _ in near) - CLOSE, max(x for x, _ in near) + CLOSE
        top, bottom = min(y for _, y in near) - CLOSE, max(y for _, y in near) + CLOSE
        ratio = self.whole.width / self.whole.height
        width = max(right - left, (bottom - top) * ratio)
        height = width / ratio
        x = min(max((left + right - width) / 2, 0), self.whole.width - width)
        y = min(max((top + bottom - height) / 2, 0), self.whole.height - height)
        return Frame(round(x, 1), round(y, 1), round(width, 1), round(height, 1), close=True)


def tint_of(colour: str | None) -> str:
    """The tint of a seat's land, ``#C93B15``; None: of land that nobody holds."""
    return palette.FREE if colour is None else palette.TINTS[colour]


def worldmap(board: Board) -> WorldMap | None:
    """The map that the board is drawn on; None for a board that has none."""
    return _drawn(board) if drawable(board) else None


def _drawn(board: Board) -> WorldMap:
    here, lines = world(), _lines()
    joined = {frozenset((c, n)) for c in board.codes for n in board.neighbours[c]}
    return WorldMap(
        whole=Frame(0, 0, here.width, here.height),
        lands={code: lines["lands"][code] for code in board.codes},
        badges=here.badges,
        coasts=[(here.continents[c].colour, lines["coasts"][c]) for c in board.continents],
        lakes=lines["lakes"],
        borders=lines["borders"],
        sea_lines=[
            " ".join(f"{x},{y}" for x, y in points)
            for ends, points in here.sea_lines
            if ends in joined
        ],
        members={c.id: c.territories for c in board.continents.values()},
    )


_lines = cache(paths)
