# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy==2.4.6", "shapely==2.2.0"]
# ///
"""Makes the map of the classic world: its outlines as SVG, and where things stand on it.

    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
    python -m tools.make_map package/countries-50m.json

Natural Earth 1:50m is in the public domain. The borders are those of the board's own data file;
the program stops where a border by land is not to be seen, or where lands touch that have none.
The same input gives the same bytes.
"""

import json
import sys
import tomllib
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import shapely
from shapely import MultiPolygon, Polygon
from shapely.ops import unary_union

from pbem.rules import board as boards
from pbem.rules.board import Board
from tools.atlas import globe
from tools.atlas.globe import Plan, Shapes, polygons
from tools.atlas.paths import path, tenths
from tools.atlas.sheet import Sheet, simplified, smooth

ATLAS = Path(__file__).parent / "atlas"
SVG = ATLAS / "classic-world.svg"
PLACES = Path(__file__).parents[1] / "pbem" / "render" / "picture" / "world" / "places.json"

LEAST_BORDER = 1.5
"""Pixels of shared border; lands that touch in a point are no neighbours."""


def main(topology: str) -> None:
    """Reads the lands and writes the map."""
    plan = tomllib.loads((ATLAS / "classic-world.toml").read_text(encoding="utf-8"))
    board = boards.load()
    found = globe.territories(globe.lands(Path(topology)), plan)
    ordered = {t.id: found[t.id] for t in board.territories.values()}
    sheet = Sheet(plan, ordered.values())
    shapes = simplified({name: sheet.shape(shape) for name, shape in ordered.items()}, plan)
    check_borders(shapes, plan, board)
    SVG.write_text(drawing(shapes, plan, board, sheet), encoding="utf-8")
    PLACES.write_text(listing(places(shapes, plan, board, sheet)), encoding="utf-8")


def check_borders(shapes: Shapes, plan: Plan, board: Board) -> None:
    """ValueError unless the map's borders are exactly those of the board."""
    ids = {code: territory.id for code, territory in board.territories.items()}
    wanted = {frozenset((ids[one], ids[other])) for one in ids for other in board.neighbours[one]}
    sea = {frozenset(line["ends"]) for line in plan["sea_line"]}
    sea.add(frozenset(plan["over_the_edge"]))
    land = {frozenset(pair) for pair in land_borders(shapes)}
    if land & sea or land | sea != wanted:
        wrong = sorted(map(sorted, (land | sea) ^ wanted | land & sea))
        raise ValueError(f"the map's borders are not the board's: {wrong}")


def land_borders(shapes: Shapes) -> list[tuple[str, str]]:
    """The pairs of territories that touch, in the board's order."""
    return [
        (one, other)
        for one, other in combinations(shapes, 2)
        if _shared(shapes[one], shapes[other]) >= LEAST_BORDER
    ]


def drawing(shapes: Shapes, plan: Plan, board: Board, sheet: Sheet) -> str:
    """The map as SVG: continents' outlines, territories, borders of continents, lakes."""
    size = f"{plan['frame']['width']} {plan['frame']['height']}"
    continent = {t.id: t.continent for t in board.territories.values()}
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}">',
        "<title>The classic world, 42 territories</title>",
        "<desc>Made from Natural Earth 1:50m (public domain) by tools/make_map.py</desc>",
    ]
    for name in board.continents:
        parts = [shape for territory, shape in shapes.items() if continent[territory] == name]
        lines.append(f'<path id="outline-{name}" d="{path(_outline(parts))}"/>')
    lines += [f'<path id="{name}" d="{path(shape)}"/>' for name, shape in shapes.items()]
    lines += [
        f'<polyline class="continent-border" points="{_points(border.coords)}"/>'
        for border in _continent_borders(shapes, continent)
    ]
    for name, points in plan["lakes"].items():
        shore = smooth(sheet.points([*points, points[0]]), 4)
        lines.append(f'<path id="lake-{name}" d="{path(Polygon(shore))}"/>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def places(shapes: Shapes, plan: Plan, board: Board, sheet: Sheet) -> dict[str, Any]:
    """Where badges, sea lines and the names of continents stand, by the board's codes."""
    codes = {territory.id: code for code, territory in board.territories.items()}
    return {
        "size": [plan["frame"]["width"], plan["frame"]["height"]],
        "badges": {
            codes[name]: plan["badge"].get(name) or _middle(shape) for name, shape in shapes.items()
        },
        "continents": plan["continent"],
        "land_borders": [[codes[one], codes[other]] for one, other in land_borders(shapes)],
        "sea_lines": [
            {"ends": [codes[end] for end in ends], "points": points}
            for ends, points in _sea_lines(plan, sheet)
        ],
    }


def listing(document: dict[str, Any]) -> str:
    """JSON with a short record a line."""
    parts = []
    for name, value in document.items():
        if isinstance(value, dict):
            rows = [f"{json.dumps(key)}: {json.dumps(entry)}" for key, entry in value.items()]
            around = "{}"
        else:
            rows, around = [json.dumps(row) for row in value], "[]"
        inner = ",\n  ".join(rows)
        parts.append(f'"{name}": {around[0]}\n  {inner}\n {around[1]}')
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def _shared(one: MultiPolygon, other: MultiPolygon) -> float:
    """Pixels of border that two shapes share."""
    if one.distance(other) > 0.2:
        return 0.0
    return float(one.buffer(0.15).intersection(other.boundary).length)


def _outline(parts: list[MultiPolygon]) -> MultiPolygon:
    whole = unary_union([part.buffer(0.06) for part in parts])
    shores = [Polygon(part.exterior) for part in polygons(whole) if part.area > 20]
    return MultiPolygon(shores).simplify(0.5)


def _continent_borders(
    shapes: Shapes, continent: Mapping[str, str]
) -> Iterator[shapely.LineString]:
    edges = [
        shapes[one].boundary.intersection(shapes[other].boundary)
        for one, other in combinations(shapes, 2)
        if continent[one] != continent[other] and shapes[one].distance(shapes[other]) < 0.01
    ]
    lines = [
        part
        for edge in edges
        for part in shapely.get_parts(edge)
        if isinstance(part, shapely.LineString)
    ]
    yield from shapely.get_parts(shapely.line_merge(unary_union(lines)))


def _middle(shape: MultiPolygon) -> list[float]:
    mainland = max(polygons(shape), key=lambda part: part.area)
    x, y = shapely.maximum_inscribed_circle(mainland, 0.5).coords[0]
    return [tenths(x), tenths(y)]


def _sea_lines(plan: Plan, sheet: Sheet) -> Iterator[tuple[list[str], list[list[float]]]]:
    for line in plan["sea_line"]:
        curve = smooth(sheet.points(line["points"]))
        yield line["ends"], [[tenths(x), tenths(y)] for x, y in curve]
    edge = plan["over_the_edge"]
    for name, leaving in edge.items():
        ((x, y),) = sheet.points([leaving["coast"]])
        far = 0 if leaving["side"] == "left" else plan["frame"]["width"]
        (other,) = set(edge) - {name}
        yield [name, other], [[tenths(x), tenths(y)], [far, tenths(y)]]


def _points(coords: Any) -> str:
    return " ".join(f"{tenths(x):g},{tenths(y):g}" for x, y in coords)


if __name__ == "__main__":
    main(sys.argv[1])
