"""Shapes as paths of SVG: relative, in tenths of a pixel, the same each time."""

from itertools import pairwise

import numpy as np
from shapely import LinearRing
from shapely.geometry.base import BaseGeometry

from tools.atlas.globe import polygons


def path(shape: BaseGeometry) -> str:
    """The `d` of a path: every ring of every polygon, closed."""
    rings = (ring for part in polygons(shape) for ring in (part.exterior, *part.interiors))
    return "".join(_ring(ring) for ring in rings)


def tenths(value: float) -> float:
    """A pixel's coordinate as it is written."""
    return round(float(value), 1)


def _ring(ring: LinearRing) -> str:
    points = [tuple(point) for point in np.rint(np.asarray(ring.coords)[:-1] * 10).astype(int)]
    kept = [points[0]]
    kept += [point for before, point in pairwise(points) if point != before]
    if len(kept) < 3:
        return ""
    start = f"M{kept[0][0] / 10:g} {kept[0][1] / 10:g}l"
    steps = (_number(x - left) + _behind(_number(y - up)) for (left, up), (x, y) in pairwise(kept))
    first, *rest = steps
    return start + first + "".join(map(_behind, rest)) + "z"


def _number(tenths_of_it: int) -> str:
    text = f"{abs(tenths_of_it) / 10:g}"
    short = text[1:] if text.startswith("0.") else text
    return f"-{short}" if tenths_of_it < 0 else short


def _behind(number: str) -> str:
    """A minus parts two numbers by itself."""
    return number if number[0] == "-" else f" {number}"
