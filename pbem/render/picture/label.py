"""The names of the territories on the map, in the reader's language."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from pbem.render.picture.font import FINE, font, shrunk, width
from pbem.render.picture.room import Box
from pbem.render.picture.world import WORD, Glaze, Pixels, Shares, Words, channels, fourfold, world
from pbem.rules import board as boards
from pbem.rules.board import Board, Code

SIZE, LEADING, HALO = 10.2, 9.6, 1.2
UNDER_BADGE = 20.2
"""Pixels from the middle of a badge down to the base line of a name under it."""


@dataclass(frozen=True, slots=True)
class Label:
    """A name in lines; `x` is their middle, `y` the base line of the first."""

    code: Code
    x: float
    y: float
    lines: tuple[str, ...]
    at_sea: bool

    @property
    def box(self) -> Box:
        """What the lines cover, without their halo."""
        half = max(width(line, 600, SIZE) for line in self.lines) / 2
        bottom = self.y + LEADING * (len(self.lines) - 1) + 2
        return self.x - half, self.y - 7.5, self.x + half, bottom

    @property
    def below_badge(self) -> float:
        """Pixels that the name takes right under its badge; 0 where it stands elsewhere."""
        x, y = world().badges[self.code]
        under = abs(self.x - x) < 12 and 0 < self.y - y < 25
        return 10 * len(self.lines) + 3 if under else 0


@dataclass(frozen=True, slots=True)
class Names:
    """The names in the board's order, and all as pixels: where (flat), of which territory (from
    0), cover of halo and text.

    Names at the map's edges stand for a territory after the last.
    """

    labels: tuple[Label, ...]
    where: NDArray[np.intp]
    territory: NDArray[np.uint8]
    halo: Shares
    text: Shares

    def lay_on(self, packed: Words, halos: Words, inks: Words) -> None:
        """Writes the names in place; `halos` and `inks` are colours by territory."""
        pixels = channels(packed.take(self.where))
        for cover, colours in ((self.halo, halos), (self.text, inks)):
            laid = channels(colours.take(self.territory))
            pixels = Glaze(255 - cover, laid * cover).over(pixels)
        packed[self.where] = pixels.view(WORD)[:, 0]


def labels(board: Board, language: str) -> tuple[Label, ...]:
    """The names in the board's order."""
    told, own = _layout(), _layout().get(language, {})
    return tuple(_label(board, code, language, told, own) for code in board.codes)


def edge_labels(board: Board, language: str) -> tuple[Label, ...]:
    """At the map's edges: where the line goes that leaves it there."""
    alaska, kamchatka = Code("ALA"), Code("KCH")
    if not board.adjacent(alaska, kamchatka):
        return ()
    far = f"‹ {_name(board, kamchatka, language)}", f"{_name(board, alaska, language)} ›"
    left, right = (width(text, 600, SIZE) / 2 + 4 for text in far)
    return (
        Label(kamchatka, left, 144, far[:1], at_sea=True),
        Label(alaska, world().width - right, 169, far[1:], at_sea=True),
    )


@cache
def names(board_id: tuple[str, str | None], language: str) -> Names:
    """The names of that board, drawn once a process and language."""
    here = world()
    halo, text = (np.zeros((here.height, here.width), np.uint8) for _ in range(2))
    owner = np.zeros((here.height, here.width), np.uint8)
    board = boards.load(*board_id)
    inland, edges = labels(board, language), edge_labels(board, language)
    for place, label in enumerate(inland + edges):
        x, y, wide, high = _frame(label)
        spot = (slice(y, y + high), slice(x, x + wide))
        inked = _mask(label, 0)
        touched = _mask(label, HALO)
        owner[spot][touched > 0] = min(place, len(inland))
        np.maximum(halo[spot], touched, out=halo[spot])
        np.maximum(text[spot], inked, out=text[spot])
    where = np.flatnonzero(halo)
    return Names(
        inland,
        where,
        owner.reshape(-1)[where],
        fourfold(halo.reshape(-1)[where]),
        fourfold(text.reshape(-1)[where]),
    )


def _label(board: Board, code: Code, language: str, told: Any, own: Any) -> Label:
    badge_x, badge_y = world().badges[code]
    x, y = own.get("at", {}).get(code) or told["at"].get(code) or (badge_x, badge_y + UNDER_BADGE)
    lines = own.get("lines", {}).get(code, [_name(board, code, language)])
    return Label(code, x, y, tuple(lines), at_sea=code in told["sea"])


def _name(board: Board, code: Code, language: str) -> str:
    territory = board.territories[code]
    return territory.names.get(language, territory.name)


def _frame(label: Label) -> tuple[int, int, int, int]:
    """Whole pixels around a name with its halo: x, y, width, height."""
    left, top, right, bottom = label.box
    x, y = int(left) - 3, int(top) - 3
    return x, y, int(right) + 4 - x, int(bottom) + 4 - y


def _mask(label: Label, stroke: float) -> Pixels:
    x, y, wide, high = _frame(label)
    image = Image.new("L", (wide * FINE, high * FINE))
    draw = ImageDraw.Draw(image)
    for row, line in enumerate(label.lines):
        spot = ((label.x - x) * FINE, (label.y + row * LEADING - y) * FINE)
        draw.text(
            spot,
            line,
            font=font(600, SIZE * FINE),
            anchor="ms",
            fill=255,
            stroke_width=stroke * FINE,
        )
    return np.asarray(shrunk(image))


@cache
def _layout() -> Any:
    source = resources.files(__package__) / "labels.toml"
    return tomllib.loads(source.read_text(encoding="utf-8"))
