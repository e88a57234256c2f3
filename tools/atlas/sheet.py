"""From the globe to the sheet: pixels of the map, x to the right and y down.

The projection is that of the Times atlas, with smooth magnifying glasses over small lands:
p' = p + a (p - c) exp(-|p - c|^2 / 2 s^2).
"""

import math
from collections.abc import Iterable, Sequence

import numpy as np
import shapely
from shapely import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from tools.atlas.globe import Plan, Shapes, polygons


class Sheet:
    """The map's sheet, into which the warped globe is fitted."""

    def __init__(self, plan: Plan, shapes: Iterable[BaseGeometry]) -> None:
        self.frame, self.lenses = plan["frame"], plan["lens"]
        points = np.vstack([shapely.get_coordinates(shape) for shape in shapes])
        x, y = self._warped(points[:, 0], points[:, 1])
        self.left, self.top = x.min(), y.max()
        margin = self.frame["margin"]
        self.per_x = (self.frame["width"] - 2 * margin) / (x.max() - x.min())
        self.per_y = (self.frame["height"] - 2 * margin) / (y.max() - y.min())

    def points(self, degrees: Sequence[Sequence[float]] | np.ndarray) -> np.ndarray:
        """Points of the globe, a row [longitude, latitude] each, as rows [x, y]."""
        where = np.asarray(degrees, float)
        x, y = self._warped(where[:, 0], where[:, 1])
        margin = self.frame["margin"]
        return np.column_stack(
            (margin + (x - self.left) * self.per_x, margin + (self.top - y) * self.per_y)
        )

    def shape(self, shape: BaseGeometry) -> MultiPolygon:
        """A shape of the globe on the sheet, valid again after the warp."""
        warped = shapely.transform(shape, self.points)
        return MultiPolygon(polygons(shapely.make_valid(warped)))

    def _warped(self, longitude: np.ndarray, latitude: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x, y = self._projected(longitude, latitude)
        far_x, far_y = np.zeros_like(x), np.zeros_like(y)
        for lens in self.lenses:
            (middle_x,), (middle_y,) = self._projected(*np.asarray(lens["centre"])[:, None])
            dx, dy = x - middle_x, y - middle_y
            wide, high = lens["spread"]
            pull = lens["amplitude"] * np.exp(-(dx**2 / (2 * wide**2) + dy**2 / (2 * high**2)))
            far_x += pull * dx
            far_y += pull * dy
        return x + far_x, y + far_y

    def _projected(
        self, longitude: np.ndarray, latitude: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        turned = np.radians(longitude - self.frame["central_meridian"])
        half = np.tan(np.radians(latitude) / 2)
        bent = np.sin(math.pi / 4 * half) ** 2
        return turned * (0.74482 - 0.34588 * bent), 1.70711 * half


def simplified(shapes: Shapes, plan: Plan) -> Shapes:
    """Shapes of the sheet with fewer points; what was shared stays shared, islets are left out."""
    coverage = shapely.coverage_simplify(list(shapes.values()), plan["frame"]["tolerance"])
    least = plan["frame"]["least_island"]
    return {name: _drawn(shape, least) for name, shape in zip(shapes, coverage, strict=True)}


def smooth(points: np.ndarray, steps: int = 10) -> np.ndarray:
    """A Catmull-Rom curve through the points, so many steps from one to the next."""
    if len(points) < 3:
        return points
    ends = np.vstack([2 * points[0] - points[1], points, 2 * points[-1] - points[-2]])
    curve = []
    for place in range(1, len(ends) - 2):
        before, here, then, after = ends[place - 1 : place + 3]
        for t in np.linspace(0, 1, steps, endpoint=place == len(ends) - 3):
            bend = (2 * before - 5 * here + 4 * then - after) * t**2
            twist = (3 * here - before - 3 * then + after) * t**3
            curve.append((2 * here + (then - before) * t + bend + twist) / 2)
    return np.asarray(curve)


def _drawn(shape: BaseGeometry, least: float) -> MultiPolygon:
    parts = sorted(polygons(shape), key=lambda part: -part.area)
    return MultiPolygon(
        [
            Polygon(part.exterior, [hole for hole in part.interiors if Polygon(hole).area > 3])
            for place, part in enumerate(parts)
            if place == 0 or part.area > least
        ]
    )
