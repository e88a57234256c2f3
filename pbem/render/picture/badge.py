"""Small signs, drawn once a process each: badges of armies, names of continents."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PIL import Image

from pbem.render.picture.font import FINE, canvas, font, shrunk, width
from pbem.render.picture.palette import HIGHLIGHT, INK, PAPER, TINTS, text_on
from pbem.render.picture.world import HALF, Pixels, Words, stamp

HEIGHT, LETTER = 19, 14
"""Pixels of a badge and of the part of it that bears the letter."""

MARGIN = 4
PILL = 20


@dataclass(frozen=True, slots=True)
class Sign:
    """An image (red, green, blue, cover) with its middle."""

    image: Pixels
    x: float
    y: float

    def put(self, canvas: Words, x: float, y: float) -> None:
        """Puts the sign's middle there."""
        stamp(canvas, round(x - self.x), round(y - self.y), self.image, HALF)


def badge_width(armies: int) -> float:
    """Pixels from edge to edge."""
    return LETTER + 8 + 8.2 * len(str(armies))


@lru_cache(maxsize=1024)  # some 6 kB each, on a chart up to 30
def badge(letter: str, colour: str, armies: int, *, changed: bool, size: float = 1) -> Sign:
    """The owner's letter on its tint, and the armies; framed if they changed."""
    wide, tint, unit = badge_width(armies), TINTS[colour], FINE * size
    image, draw = canvas((wide + 2 * MARGIN + 2) * size, (HEIGHT + 2 * MARGIN) * size)

    def rounded(out: float, radius: float, fill: str, right: float = wide) -> None:
        box = (MARGIN - out, MARGIN - out, MARGIN + right + out, MARGIN + HEIGHT + out)
        draw.rounded_rectangle([side * unit for side in box], radius * unit, fill=fill)

    if changed:
        rounded(2.9, 6.6, INK)
        rounded(2.1, 5.8, HIGHLIGHT)
    rounded(0.7, 4.4, INK)
    rounded(-0.7, 3.4, PAPER)
    rounded(-0.7, 3.4, tint, right=LETTER + 0.7)
    square = (MARGIN + LETTER - 4, MARGIN + 0.7, MARGIN + LETTER, MARGIN + HEIGHT - 0.7)
    draw.rectangle([side * unit for side in square], fill=tint)
    middle = MARGIN + HEIGHT / 2
    for text, x, drop, points, ink in (
        (letter, LETTER / 2 + 0.3, 4.5, 12.5, text_on(tint)),
        (str(armies), (LETTER + wide) / 2 - 0.2, 5.7, 16.5, INK),
    ):
        spot = ((MARGIN + x) * unit, (middle + drop) * unit)
        draw.text(spot, text, font=font(700, points * unit), anchor="ms", fill=ink)
    return _sign(image, (wide / 2 + MARGIN) * size, middle * size)


def pill_width(name: str) -> float:
    """Pixels of a continent's name and bonus."""
    return width(name.upper(), 700, 12.5) + 44


@lru_cache(maxsize=256)
def pill(name: str, bonus: int, tint: str, letter: str, colour: str) -> Sign:
    """A continent's name and bonus; a holder's letter and colour ring it (empty: nobody's)."""
    wide = pill_width(name)
    image, draw = canvas(wide + 2 * MARGIN + 26, PILL + 2 * MARGIN)

    def rounded(x: float, right: float, out: float, fill: str) -> None:
        box = (MARGIN + x - out, MARGIN - out, MARGIN + right + out, MARGIN + PILL + out)
        draw.rounded_rectangle([s * FINE for s in box], (PILL / 2 + out) * FINE, fill=fill)

    def written(text: str, x: float, drop: float, size: float, ink: str) -> None:
        spot = ((MARGIN + x) * FINE, (MARGIN + PILL / 2 + drop) * FINE)
        draw.text(spot, text, font=font(700, size * FINE), anchor="ms", fill=ink)

    if letter:
        rounded(0, wide + 22, 3.6, INK)
        rounded(0, wide + 22, 2.6, TINTS[colour])
        written(letter, wide + 11, 5.4, 15, text_on(TINTS[colour]))
    rounded(0, wide, 0, tint)
    rounded(wide - 28, wide - 2, -2, PAPER)
    written(name.upper(), (wide - 26) / 2, 4.4, 12.5, PAPER)
    written(f"+{bonus}", wide - 15, 4.6, 13, INK)
    return _sign(image, wide / 2 + MARGIN, PILL / 2 + MARGIN)


def _sign(image: Image.Image, x: float, y: float) -> Sign:
    return Sign(np.asarray(shrunk(image)), x, y)
