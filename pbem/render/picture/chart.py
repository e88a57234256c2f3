"""The chart of a board of another maker: discs for territories, lines for borders.

It speaks the language of the map of the world: the same tints, patterns, badges and arrows.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw

from pbem.render.picture import arrow
from pbem.render.picture.badge import badge, pill, pill_width
from pbem.render.picture.caption import shown
from pbem.render.picture.font import FINE, stepped
from pbem.render.picture.hull import grounds, hues, hulls
from pbem.render.picture.layout import RADIUS, WIDTH, layout
from pbem.render.picture.link import links
from pbem.render.picture.palette import (
    FREE,
    HIGHLIGHT,
    HUES,
    INK,
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
from pbem.render.picture.scene import Attack, Scene
from pbem.render.picture.tag import tags
from pbem.render.picture.world import Layer, Pixels, Rim, Words, layer, stamp, words
from pbem.rules import board as boards
from pbem.rules.board import ContinentId

SOFT = 0.8
"""How much paper is in the ground of a continent."""

ROW, EDGE, GAP, HELD = 34, 16, 14, 26
"""Pixels of a row of the legend of continents, before the first one, from one to the next, and for
the letter of a holder."""

BADGE = 0.94
"""Of the unit: a badge with three digits fits on its disc."""

LINE, CASING = 2.2, 5.2
"""Pixels of the line of a border, and of the paper around it, where the unit is 1."""


RIM, FRAME = 0.8, 5.4
"""Pixels of a disc's line at either side of its radius, and of the frame of a captured one."""


@dataclass(frozen=True)
class Chart:
    """What all pictures of a board have in common."""

    height: int
    unit: float
    under: Words
    lines: Layer
    rims: Mapping[ContinentId, Rim]


@lru_cache(maxsize=4)  # some 6 MB each
def chart(board_id: boards.BoardId) -> Chart:
    """The chart of that board, which can be charted."""
    here = layout(board_id)
    assert here is not None
    rims = {name: hull.rim(here.unit) for name, hull in hulls(board_id).items()}
    ground = words(np.asarray(_ground(board_id)))
    return Chart(here.height, here.unit, ground, layer(_lines(board_id)), rims)


def own_colours(board_id: boards.BoardId) -> tuple[Rgb, ...]:
    """The colours that only charts have: of the continents and of their ground."""
    used = sorted(set(hues(board_id).values()), key=HUES.index)
    return (*map(rgb, used), *(mixed(hue, PAPER, SOFT) for hue in used))


def lay(scene: Scene, canvas: Words) -> None:
    """Draws the chart; the canvas is `WIDTH` wide and as high as the chart."""
    here, colours, packed = chart(scene.board_id), scene.colours, canvas.reshape(-1)
    canvas[:] = here.under
    for continent, seat in scene.held.items():
        here.rims[continent].lay_on(packed, rgb(TINTS[colours[seat]]), rgb(INK))
    here.lines.lay_on(packed)
    _discs(scene, canvas)
    for attack in scene.attacks:
        for drawn in arrows(attack, scene.board_id):
            stamp(canvas, drawn.x, drawn.y, drawn.image)
    tags(scene.board_id, scene.language).layer.lay_on(packed)
    _badges(scene, canvas)


@lru_cache(maxsize=128)
def arrows(attack: Attack, board_id: boards.BoardId) -> tuple[arrow.Arrow, ...]:
    """The arrow of an attack along its border, two where that is cut short."""
    unit = chart(board_id).unit
    ways = links(board_id).way(attack.source, attack.target)
    return tuple(arrow.drawn(way, solid=attack.captured, size=1.25 * unit) for way in ways)


def legend_height(board_id: boards.BoardId, language: str) -> int:
    """Pixels of the legend of continents."""
    return ROW * len(_rows(board_id, language)) + 8


def lay_legend(scene: Scene, canvas: Words) -> None:
    """Draws the continents with their bonus, and who holds them."""
    canvas[:] = words(np.asarray([rgb(PAPER)], np.uint8))[0]
    held, colours = scene.held, scene.colours
    for row, entries in enumerate(_rows(scene.board_id, scene.language)):
        left: float = EDGE
        for continent, name, wide in entries:
            seat = held.get(continent)
            sign = pill(
                name,
                scene.board.continents[continent].bonus,
                hues(scene.board_id)[continent],
                seat or "",
                colours[seat] if seat else "",
            )
            sign.put(canvas, left + wide / 2, 4 + ROW * (row + 0.5))
            left += wide + GAP + (HELD if seat else 0)


@lru_cache(maxsize=64)
def _rows(
    board_id: boards.BoardId, language: str
) -> tuple[tuple[tuple[ContinentId, str, float], ...], ...]:
    """The continents in rows that have room for all holders: each with its name and width."""
    rows: list[list[tuple[ContinentId, str, float]]] = [[]]
    left: float = EDGE
    for continent in boards.load(*board_id).continents.values():
        name = shown(continent.names.get(language, continent.name), 700, 12.5, 300)
        wide = pill_width(name)
        if left + wide + HELD > WIDTH and rows[-1]:
            rows.append([])
            left = EDGE
        rows[-1].append((continent.id, name, wide))
        left += wide + GAP + HELD
    return tuple(map(tuple, rows))


# --- what never changes


def _ground(board_id: boards.BoardId) -> Image.Image:
    """The sea, and the grounds of continents."""
    here = layout(board_id)
    assert here is not None
    image = Image.new("RGB", (WIDTH, here.height), SEA)
    for hull, hue in grounds(board_id):
        for inset, colour in ((0, rgb(hue)), (1.8 * here.unit, mixed(hue, PAPER, SOFT))):
            image.paste(colour, (hull.x, hull.y), Image.fromarray(hull.cover(inset)))
    return image


def _lines(board_id: boards.BoardId) -> Image.Image:
    """The borders."""
    here = layout(board_id)
    assert here is not None
    image = Image.new("RGBA", (WIDTH, here.height), (255, 255, 255, 0))
    for way in links(board_id).ways:
        _line(image, way, here.unit)
    return image


def _line(image: Image.Image, way: arrow.Curve, unit: float) -> None:
    left, top = (int(side) for side in way.min(0) - 8)
    wide, high = (int(side) for side in way.max(0) + 8 - (left, top))
    fine = arrow.flat((way - (left, top)) * FINE)
    for thick, steps, ink in ((CASING, 1, PAPER), (LINE, 2, QUIET)):
        mask = Image.new("L", (wide * FINE, high * FINE))
        ImageDraw.Draw(mask).line(fine, fill=255, width=int(thick * unit * FINE), joint="curve")
        part = Image.new("RGBA", (wide, high), (*rgb(ink), 255))
        part.putalpha(stepped(mask, steps))
        image.alpha_composite(part, (max(0, left), max(0, top)), (max(0, -left), max(0, -top)))


# --- what a scene adds


def _discs(scene: Scene, canvas: Words) -> None:
    here, colours = layout(scene.board_id), scene.colours
    assert here is not None
    for code, (x, y) in here.spots.items():
        owner = scene.owner.get(code)
        colour = colours[owner] if owner else ""
        image = _disc(colour, here.unit, captured=code in scene.captured)
        half = image.shape[0] // 2
        stamp(canvas, int(x) - half, int(y) - half, image, 127)


@lru_cache(maxsize=64)
def _disc(colour: str, unit: float, *, captured: bool) -> Pixels:
    """A territory in the tint and pattern of its owner (empty: nobody's), framed if captured."""
    half = int((RADIUS + FRAME + 1) * unit)
    side = 2 * half + 1
    image = Image.new("RGBA", (side, side), INK)
    ground = Image.new("RGB", (side, side), TINTS[colour] if colour else FREE)
    if pattern := PATTERNS.get(colour):
        rows, columns = np.mgrid[0:side, 0:side]
        mask = Image.fromarray(pattern(columns, rows).astype(np.uint8) * 255)
        ground.paste(shade(TINTS[colour]), (0, 0), mask)
    edge = FRAME if captured else RIM
    if captured:
        image.paste(HIGHLIGHT, (0, 0), _round(side, (RADIUS + FRAME - RIM) * unit))
        image.paste(INK, (0, 0), _round(side, (RADIUS + RIM) * unit))
    image.paste(ground, (0, 0), _round(side, (RADIUS - RIM) * unit))
    image.putalpha(_round(side, (RADIUS + edge) * unit))
    return np.asarray(image)


def _round(side: int, radius: float) -> Image.Image:
    """A circle in the middle of a square."""
    mask = Image.new("L", (side * FINE, side * FINE))
    low, high = ((side / 2 + sign * radius) * FINE for sign in (-1, 1))
    ImageDraw.Draw(mask).ellipse((low, low, high, high), fill=255)
    return stepped(mask, 1)


def _badges(scene: Scene, canvas: Words) -> None:
    here, colours = layout(scene.board_id), scene.colours
    assert here is not None
    for code, (x, y) in here.spots.items():
        if owner := scene.owner.get(code):
            changed = code in scene.changed
            armies = scene.armies[code]
            sign = badge(owner, colours[owner], armies, changed=changed, size=BADGE * here.unit)
            sign.put(canvas, x + 0.5, y + 0.5)
