"""The baked map of the classic world, read once a process. Coordinates are pixels of the map."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pbem.render.picture.palette import PATTERNS, TINTS, Rgb
from pbem.rules.board import Board, Code, ContinentId

Pixels = NDArray[np.uint8]
"""Bytes, or rows of red, green and blue."""

WORD = np.dtype("<u4")
"""A pixel as one number, from its lowest byte: red, green, blue, and a byte that means nothing."""

Words = NDArray[np.uint32]
"""Rows of them: four bytes are moved at once where three are moved one by one."""

Point = tuple[float, float]

HALF = 127
"""What makes a division by 255 round to the nearest."""

MOTIFS = 1 << len(TINTS)
"""In so many ways the patterns of all colours can meet at a pixel."""

Shares = NDArray[np.uint16]
"""Numbers of 0-255 or products of two, one for each byte of pixels. The four of a pixel may be
alike: numpy reckons long rows much faster than it repeats one number along short ones."""


@dataclass(frozen=True, slots=True)
class Glaze:
    """Colour that lets the ground through: what of 255 it keeps of that, and what it adds."""

    keeps: Shares
    adds: Shares

    def over(self, ground: Pixels) -> Pixels:
        """The bytes of pixels under it, as they look then."""
        mixed = ground * self.keeps
        mixed += self.adds
        mixed //= 255
        return mixed.astype(np.uint8)


@dataclass(frozen=True, slots=True)
class Layer:
    """A glaze to lay over a picture, and where its pixels are (flat)."""

    where: NDArray[np.intp]
    glaze: Glaze

    def lay_on(self, packed: Words) -> None:
        """Lays it over the pixels, in place."""
        ground = channels(packed.take(self.where))
        packed[self.where] = self.glaze.over(ground).view(WORD)[:, 0]


@dataclass(frozen=True, slots=True)
class Rim:
    """A line around a territory or a continent: where (flat), cover, share of the inner colour."""

    where: NDArray[np.intp]
    cover: Shares
    inner: Shares

    def lay_on(self, packed: Words, inner: Rgb, outer: Rgb) -> None:
        """Draws the line in two colours, in place."""
        colour = self.inner * np.asarray((*inner, 0), np.uint16)
        colour += (255 - self.inner) * np.asarray((*outer, 0), np.uint16)
        colour //= 255
        Layer(self.where, Glaze(255 - self.cover, colour * self.cover)).lay_on(packed)


@dataclass(frozen=True, slots=True)
class Tint:
    """A continent's colour and the middle of its name."""

    colour: str
    label: Point


@dataclass(frozen=True)
class World:
    """`land` are the flat places of all land, `territory` the territory (from 0) at each of them.

    `ground` is `MOTIFS` times that, and a bit for each colour of `palette.TINTS` that has its
    pattern there.
    """

    width: int
    height: int
    badges: Mapping[Code, Point]
    continents: Mapping[ContinentId, Tint]
    land_borders: frozenset[frozenset[Code]]
    sea_lines: tuple[tuple[frozenset[Code], tuple[Point, ...]], ...]
    under: Words
    land: NDArray[np.intp]
    territory: NDArray[np.uint8]
    ground: NDArray[np.uint16]
    over: Layer
    rims: Mapping[str, Rim]


def drawable(board: Board) -> bool:
    """Whether the map shows this board truly: all its borders by land, and no other.

    A sea line that a variant lacks is left out; what touches without a border, or has one without
    touching, cannot be drawn.
    """
    if not board.is_classic:
        return False
    here = world()
    edges = {frozenset((one, other)) for one in board.codes for other in board.neighbours[one]}
    possible = here.land_borders | {ends for ends, _ in here.sea_lines}
    return set(board.codes) == set(here.badges) and here.land_borders <= edges <= possible


@cache
def world() -> World:
    """The map."""
    places = _json("places.json")
    width, height = places["size"]
    index = np.asarray(_image("land.png")).reshape(-1)
    land = np.flatnonzero(index)
    return World(
        width=width,
        height=height,
        badges={Code(code): (x, y) for code, (x, y) in places["badges"].items()},
        continents={
            ContinentId(name): Tint(entry["tint"], tuple(entry["label"]))
            for name, entry in places["continents"].items()
        },
        land_borders=frozenset(frozenset(map(Code, ends)) for ends in places["land_borders"]),
        sea_lines=tuple(
            (frozenset(map(Code, line["ends"])), tuple((x, y) for x, y in line["points"]))
            for line in places["sea_lines"]
        ),
        under=words(np.asarray(_image("under.png").convert("RGB")).reshape(-1, 3)),
        land=land,
        territory=index[land] - 1,
        ground=(index[land] - 1) * np.uint16(MOTIFS) + _patterns(width, height).reshape(-1)[land],
        over=layer(_image("over.png").convert("RGBA")),
        rims=_rims(width),
    )


def paths() -> Mapping[str, Any]:
    """The lines of the map: `lands` by code, `coasts` by continent, `lakes` and `borders`."""
    lines: Mapping[str, Any] = _json("paths.json")
    return lines


def words(pixels: Pixels) -> Words:
    """Rows of red, green and blue, each as one number."""
    padded = np.zeros((*pixels.shape[:-1], 4), np.uint8)
    padded[..., :3] = pixels
    return padded.view(WORD)[..., 0]


def channels(packed: Words) -> Pixels:
    """The four bytes of each such number, to be read and written in place."""
    return packed[..., None].view(np.uint8)


def fourfold(share: Pixels) -> Shares:
    """One share for each pixel, as one for each of its bytes."""
    return channels(share * WORD.type(0x01010101)).astype(np.uint16)


def glaze(pixels: Pixels, more: int = 0) -> Glaze:
    """Red, green, blue and cover of each pixel as a glaze; with `more` of `HALF` it adds up to the
    nearest byte, else to the one below."""
    cover = fourfold(pixels[..., 3])
    return Glaze(255 - cover, pixels * cover + np.uint16(more))


def layer(image: Image.Image) -> Layer:
    """An image of the map's size as a layer."""
    flat = np.asarray(image.convert("RGBA")).reshape(-1, 4)
    where = np.flatnonzero(flat[:, 3])
    return Layer(where, glaze(flat[where]))


def stamp(canvas: Words, x: int, y: int, image: Pixels, more: int = 0) -> None:
    """Lays a small image (red, green, blue, cover) over a picture, in place; `more` as for `glaze`.

    What lies beyond the edges is left out.
    """
    left, top = max(0, -x), max(0, -y)
    high, wide = image.shape[:2]
    spot = channels(canvas[max(0, y) : y + high, max(0, x) : x + wide])
    seen = image[top : top + spot.shape[0], left : left + spot.shape[1]]
    spot[:] = glaze(seen, more).over(spot)


def _patterns(width: int, height: int) -> Pixels:
    y, x = np.mgrid[0:height, 0:width]
    bits = np.zeros((height, width), np.uint8)
    for place, colour in enumerate(TINTS):
        if pattern := PATTERNS.get(colour):
            bits |= pattern(x, y).astype(np.uint8) << place
    return bits


def _rims(width: int) -> Mapping[str, Rim]:
    strip = np.asarray(_image("rims.png"))
    rims = {}
    for name, (x, y, wide, high, row) in _json("rims.json").items():
        cut = strip[row : row + high, :wide]
        rows, columns = np.nonzero(cut[..., 1])
        inner, cover = (fourfold(cut[rows, columns, channel]) for channel in (0, 1))
        rims[name] = Rim((rows + y) * width + columns + x, cover, inner)
    return rims


def _json(name: str) -> Any:
    return json.loads((_folder() / name).read_text(encoding="utf-8"))


def _image(name: str) -> Image.Image:
    with (_folder() / name).open("rb") as file:
        image = Image.open(file)
        image.load()
    return image


def _folder() -> Traversable:
    return resources.files(__package__) / "world"
