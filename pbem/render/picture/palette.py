"""Colours of the picture: owners can be told apart by any eye, and never by colour alone.

The least distance of two owners in OKLab is 0.171, with protanopia 0.140, with deuteranopia
0.137, with tritanopia 0.118; text on any of them has a contrast of 5.1 or more. Each owner has a
letter besides, and four of them a pattern.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

Rgb = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

INK, PAPER, SEA = "#161B22", "#FFFFFF", "#D6E4EE"
HIGHLIGHT, ARROW, ON_TURN, QUIET = "#FFE14D", "#C4006A", "#FFF6C9", "#3A434E"

TINTS: Mapping[str, str] = MappingProxyType(
    {
        "red": "#C93B15",
        "blue": "#59BEFD",
        "yellow": "#FDCA3A",
        "green": "#3FA68A",
        "purple": "#8953C1",
        "black": "#334451",
        "neutral": "#E9E8E6",
    }
)
"""By the colour of a seat."""

FREE = "#F7F5F0"
"""Land that nobody holds yet."""

HUES = (
    "#3457B2",
    "#2E7D4F",
    "#8E3B8A",
    "#9C6500",
    "#B3204D",
    "#0F6E7C",
    "#6D4C41",
    "#5A3EA8",
    "#5B6300",
    "#C2410C",
    "#4A5A6A",
    "#1C5D99",
)
"""Continents of a board of another maker; their names stand beside, as there may be more."""

Grid = NDArray[np.int_]

PATTERNS: Mapping[str, Callable[[Grid, Grid], NDArray[np.bool_]]] = MappingProxyType(
    {
        "blue": lambda x, y: (x + y) % 10 < 2,
        "yellow": lambda x, y: _dot(x, y, 3) | _dot(x, y, 8),
        "green": lambda _x, y: y % 6 < 1,
        "purple": lambda x, y: (x - y) % 10 < 2,
    }
)
"""Where a pixel bears the pattern of its owner; the other colours have none."""


def rgb(colour: str) -> Rgb:
    """A colour written as ``#C93B15``."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def text_on(colour: str) -> str:
    """Ink or paper, whichever can be read better on that colour."""
    light = luminance(colour)
    return PAPER if 1.05 / (light + 0.05) > (light + 0.05) / (luminance(INK) + 0.05) else INK


def luminance(colour: str) -> float:
    """Relative luminance of an sRGB colour, 0 to 1 (WCAG 2)."""
    parts = [part / 255 for part in rgb(colour)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def shade(colour: str) -> Rgb:
    """The pattern's colour on that tint: a little of its text colour."""
    ground, ink = rgb(colour), rgb(text_on(colour))
    red, green, blue = (int(0.82 * g + 0.18 * i) for g, i in zip(ground, ink, strict=True))
    return red, green, blue


def mixed(one: str, other: str, share: float) -> Rgb:
    """So much of the way from one colour to the other, 0 to 1."""
    red, green, blue = (
        round(a + (b - a) * share) for a, b in zip(rgb(one), rgb(other), strict=True)
    )
    return red, green, blue


def _dot(x: Grid, y: Grid, middle: int) -> NDArray[np.bool_]:
    return (x % 10 - middle) ** 2 + (y % 10 - middle) ** 2 < 2
