"""The lands of Natural Earth, cut along the borders of the board; in degrees."""

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely import LineString, MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import polygonize, unary_union

Plan = Mapping[str, Any]
"""The parsed `classic-world.toml` of this folder."""

Shapes = dict[str, MultiPolygon]
"""Polygons by the id of a territory, or by the name of a land."""


def lands(topology: Path) -> Shapes:
    """The lands of a TopoJSON file of Natural Earth's countries, by their names."""
    data = json.loads(topology.read_text(encoding="utf-8"))
    arcs = _arcs(data)
    return {
        land["properties"]["name"]: _land(land, arcs)
        for land in data["objects"]["countries"]["geometries"]
    }


def territories(countries: Shapes, plan: Plan) -> Shapes:
    """The territories of the board, made of whole lands and of pieces of lands.

    Raises LookupError for a territory that gets nothing.
    """
    owner = {land: name for name, whole in plan["whole"].items() for land in whole}
    cuts = defaultdict(list)
    for cut in plan["cut"]:
        cuts[cut["land"]].append(cut)
        owner.setdefault(cut["land"], None)
    pieces: dict[str, list[Polygon]] = defaultdict(list)
    for name, piece in _owned(countries, owner, cuts):
        pieces[name].append(_unwrapped(name, piece))
    return {name: unary_union(found) for name, found in pieces.items()}


def polygons(shape: BaseGeometry) -> list[Polygon]:
    """The polygons of a shape; points and lines that came of an operation are left out."""
    return [part for part in shapely.get_parts(shape) if isinstance(part, Polygon)]


def _arcs(data: Mapping[str, Any]) -> list[np.ndarray]:
    scale, shift = data["transform"]["scale"], data["transform"]["translate"]
    return [np.cumsum(np.asarray(arc), axis=0) * scale + shift for arc in data["arcs"]]


def _land(land: Mapping[str, Any], arcs: Sequence[np.ndarray]) -> BaseGeometry:
    many = land["arcs"] if land["type"] == "MultiPolygon" else [land["arcs"]]
    shapes = []
    for rings in many:
        closed = [ring for ring in (_ring(ids, arcs) for ids in rings) if len(ring) > 3]
        if closed:
            shapes.append(Polygon(closed[0], closed[1:]))
    return shapely.make_valid(MultiPolygon(shapes))


def _ring(ids: Sequence[int], arcs: Sequence[np.ndarray]) -> list[tuple[float, float]]:
    """One ring; where it crosses the 180th meridian, longitudes go on counting."""
    ring: list[tuple[float, float]] = []
    for number in ids:
        arc = arcs[number] if number >= 0 else arcs[~number][::-1]
        ring.extend((x, y) for x, y in (arc[1:] if ring else arc))
    for place in range(1, len(ring)):
        x, y = ring[place]
        before = ring[place - 1][0]
        if abs(x - before) > 180:
            ring[place] = (x + math.copysign(360, before - x), y)
    return ring


def _owned(
    countries: Shapes, owner: Mapping[str, str | None], cuts: Mapping[str, list[Plan]]
) -> Iterator[tuple[str, Polygon]]:
    """The faces between all borders and cuts, each with the territory that it goes to."""
    names = list(owner)
    tree = shapely.STRtree([countries[name] for name in names])
    for face in polygonize(unary_union(list(_lines(countries, names, cuts)))):
        inside = face.representative_point()
        found = [names[place] for place in tree.query(inside, predicate="within")]
        if not found:
            continue
        name = owner[found[0]]
        for cut in cuts.get(found[0], ()):
            if "area" not in cut or Polygon(cut["area"]).contains(inside):
                name = cut.get("territory")
                break
        if name is not None:
            yield name, face


def _lines(
    countries: Shapes, names: Sequence[str], cuts: Mapping[str, list[Plan]]
) -> Iterator[BaseGeometry]:
    for name in names:
        yield shapely.segmentize(countries[name].boundary, 1.5)
        near = countries[name].buffer(0.03)
        for cut in cuts.get(name, ()):
            if area := cut.get("area"):
                edge = LineString([*area, area[0]])
                yield shapely.segmentize(edge, 0.8).intersection(near)


def _unwrapped(name: str, piece: Polygon) -> Polygon:
    """The far end of Kamchatka lies beyond the 180th meridian, and belongs to its east."""
    if name != "kamchatka" or piece.representative_point().x > 0:
        return piece
    moved: Polygon = shapely.transform(piece, lambda degrees: np.add(degrees, (360, 0)))
    return moved
