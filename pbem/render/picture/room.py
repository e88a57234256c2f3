"""Boxes of pixels, and what lies in them: for signs that must not hide each other."""

import numpy as np
from numpy.typing import NDArray

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

Spots = NDArray[np.float64]
"""Points, a row [x, y] each."""


def meet(one: Box, other: Box) -> bool:
    """Whether two boxes share anything."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def discs_in(box: Box, places: Spots, radius: float) -> int:
    """How many discs reach into a box."""
    left, top, right, bottom = box
    x = np.maximum(np.maximum(left - places[:, 0], places[:, 0] - right), 0)
    y = np.maximum(np.maximum(top - places[:, 1], places[:, 1] - bottom), 0)
    return int((x**2 + y**2 < radius**2).sum())


def points_in(box: Box, points: Spots) -> int:
    """How many points lie in a box."""
    left, top, right, bottom = box
    x, y = points[:, 0], points[:, 1]
    return int(((left < x) & (x < right) & (top < y) & (y < bottom)).sum())
