"""Pictures as PNG of few colours: the same picture always gives the same bytes."""

from collections.abc import Iterator
from functools import cache
from io import BytesIO

import numpy as np
from PIL import Image

from pbem.render.picture.palette import (
    ARROW,
    FREE,
    HIGHLIGHT,
    INK,
    ON_TURN,
    PAPER,
    PATTERNS,
    QUIET,
    SEA,
    TINTS,
    Rgb,
    mixed,
    rgb,
    shade,
)
from pbem.render.picture.world import Pixels, Words, world

LEVEL, CHART_LEVEL = 4, 6
"""zlib's; higher ones take longer and gain little."""

BAND = 1 << 15
"""Pixels reckoned at once: larger arrays leave the processor's cache."""

_WEIGHTS = np.array([2, 4, 3])
"""How much a difference in red, green and blue is seen."""


def encode(picture: Words, chart: tuple[Rgb, ...] = ()) -> bytes:
    """Rows of pixels as a PNG with a fixed palette; `chart` as for `colours`."""
    table, palette = colours(chart)
    words = picture.reshape(-1)
    places = np.empty(len(words), np.uint8)
    for start in range(0, len(words), BAND):
        band = words[start : start + BAND]
        cell = (band & 0xF8) << 7 | (band & 0xF800) >> 6 | (band >> 19) & 0x1F
        places[start : start + BAND] = table.take(cell)
    image = Image.frombytes("P", picture.shape[::-1], places.tobytes())
    image.putpalette(palette.tobytes())
    file = BytesIO()
    image.save(file, "PNG", compress_level=CHART_LEVEL if chart else LEVEL)
    return file.getvalue()


@cache
def colours(chart: tuple[Rgb, ...] = ()) -> tuple[Pixels, Pixels]:
    """The nearest place in the palette for each of 32,768 colours, and the palette.

    Colours that fill whole areas stay exactly what they are: those of all boards, and beside them
    those of the map of the world or, if there are any, of a chart.
    """
    flat = list(dict.fromkeys((*_flat(), *(chart or _of_the_world()))))
    blends = [mixed(INK, PAPER, 0.5)] if chart else _blends()
    palette = np.array(list(dict.fromkeys([*flat, *blends])), np.int32)
    steps = np.arange(32) * 255 // 31
    cube = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), -1).reshape(-1, 3)
    table = np.empty(len(cube), np.uint8)
    for start in range(0, len(cube), 4096):
        part = cube[start : start + 4096, None]
        table[start : start + 4096] = ((part - palette[None]) ** 2 @ _WEIGHTS).argmin(1)
    for place, (red, green, blue) in enumerate(flat):
        table[(red >> 3) << 10 | (green >> 3) << 5 | blue >> 3] = place
    return table, palette.astype(np.uint8)


def _flat() -> Iterator[Rgb]:
    for colour in (*TINTS.values(), FREE, INK, PAPER, SEA, HIGHLIGHT, ARROW, ON_TURN, QUIET):
        yield rgb(colour)
    for name in PATTERNS:
        yield shade(TINTS[name])


def _of_the_world() -> Iterator[Rgb]:
    for tint in world().continents.values():
        yield rgb(tint.colour)
        yield mixed(tint.colour, PAPER, 0.4)


def _blends() -> Iterator[Rgb]:
    """What lies between two colours that meet: edges of signs, letters, coasts.

    More of them would be smoother, and the file larger.
    """
    for share in (0.25, 0.5, 0.75):
        yield mixed(INK, PAPER, share)
    for tint in TINTS.values():
        yield mixed(tint, INK, 0.5)
        yield mixed(tint, PAPER, 0.5)
    for one, other in ((INK, SEA), (ARROW, PAPER)):
        yield mixed(one, other, 0.5)
