"""The lines of the board for pages that draw it as SVG, to be zoomed into and pointed at.

They are the same as those of the picture in letters: of the world, what that was baked from, and of
a board of another maker its chart. The words and the marks are the template's
(`web/_map.html.j2`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from pbem.render.catalogue import SOURCE
from pbem.render.picture import palette
from pbem.render.picture.font import width as width_of
from pbem.render.picture.hull import hues
from pbem.render.picture.layout import WIDTH, layout
from pbem.render.picture.link import charted, links
from pbem.render.picture.tag import tags
from pbem.render.picture.world import drawable, paths, world
from pbem.rules import board as boards
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


@dataclass(frozen=True, slots=True)
class Text:
    """A line on a chart; `x` is its middle, `y` its base line, `size` that of its letters.

    It takes `width` in whatever font, so that it hides nothing.
    """

    told: str
    x: float
    y: float
    width: float
    size: float
    ink: str


@dataclass(frozen=True)
class WorldMap:
    """Paths by what they bound, and points; all in the units of the sheet.

    `texts` are those of a chart, which has them at places of their own; `scale` is how many times
    larger its badges are.
    """

    whole: Frame
    lands: Mapping[Code, str]
    badges: Mapping[Code, tuple[float, float]]
    coasts: Sequence[tuple[str, str]]
    lakes: Sequence[str]
    borders: Sequence[str]
    sea_lines: Sequence[str]
    members: Mapping[ContinentId, tuple[Code, ...]]
    texts: Sequence[Text] = ()
    scale: float = 1

    def frame(self, continent: str | None) -> Frame:
        """The part of the sheet with a continent in the middle; all of it for any other word."""
        near = [self.badges[code] for code in self.members.get(ContinentId(continent or ""), ())]
        if not near:
            return self.whole
        edge = CLOSE * self.scale
        left, right = min(x for x, _ in near) - edge, max(x for x, _ in near) + edge
        top, bottom = min(y for _, y in near) - edge, max(y for _, y in near) + edge
        ratio = self.whole.width / self.whole.height
        width = min(max(right - left, (bottom - top) * ratio), self.whole.width)
        height = width / ratio
        x = min(max((left + right - width) / 2, 0), self.whole.width - width)
        y = min(max((top + bottom - height) / 2, 0), self.whole.height - height)
        return Frame(round(x, 1), round(y, 1), round(width, 1), round(height, 1), close=True)


def tint_of(colour: str | None) -> str:
    """The tint of a seat's land, ``#C93B15``; None: of land that nobody holds."""
    return palette.FREE if colour is None else palette.TINTS[colour]


def worldmap(board: Board, language: str = SOURCE) -> WorldMap | None:
    """The map that the board is drawn on; None for a board that has none.

    Only the texts of a chart are in a language.
    """
    if boards.is_foreign(board.id):
        return _charted((board.id, None), language)
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


@lru_cache(maxsize=32)
def _charted(board_id: boards.BoardId, language: str) -> WorldMap | None:
    board, here = boards.load(*board_id), layout(board_id)
    if here is None or not charted(board_id):
        return None
    told, colours = tags(board_id, language), hues(board_id)
    return WorldMap(
        whole=Frame(0, 0, WIDTH, here.height),
        lands={code: _circle(spot, here.radius) for code, spot in here.spots.items()},
        badges=here.spots,
        coasts=[
            (colours[name], "".join(_circle(here.spots[c], here.radius) for c in part.territories))
            for name, part in board.continents.items()
        ],
        lakes=(),
        borders=[
            " ".join(f"{x:.1f},{y:.1f}" for x, y in (*way[: -1 : max(1, len(way) // 8)], way[-1]))
            for way in (curve.tolist() for curve in links(board_id).ways)
        ],
        sea_lines=(),
        members={c.id: c.territories for c in board.continents.values()},
        texts=[
            Text(
                line,
                round(tag.x, 1),
                round(tag.baseline(row), 1),
                round(width_of(line, tag.weight, tag.size), 1),
                round(tag.size, 1),
                tag.ink,
            )
            for tag in (*told.titles, *told.names.values(), *told.stubs)
            for row, line in enumerate(tag.lines)
        ],
        scale=round(0.9 * here.unit, 2),
    )


def _circle(spot: tuple[float, float], radius: float) -> str:
    x, y = spot
    r = round(radius, 1)
    return f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 1 {2 * r:g} 0a{r:g} {r:g} 0 1 1 {-2 * r:g} 0z"


_lines = cache(paths)
