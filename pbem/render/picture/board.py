"""The picture of the board: 1200 pixels wide, below 120 kB. The world is drawn from the baked map,
a board of another maker as a chart.

All is laid layer by layer into one array of pixels; small signs are kept by the process, so that a
further picture takes a few hundredths of a second.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from PIL import Image

from pbem.render.picture import arrow, caption, chart
from pbem.render.picture.badge import badge, pill
from pbem.render.picture.label import names
from pbem.render.picture.layout import WIDTH
from pbem.render.picture.link import charted
from pbem.render.picture.palette import FREE, HIGHLIGHT, INK, PAPER, TINTS, rgb, shade, text_on
from pbem.render.picture.png import colours, encode
from pbem.render.picture.scene import Scene
from pbem.render.picture.world import MOTIFS, WORD, Words, drawable, stamp, words, world
from pbem.rules import board as boards


def prepare(language: str, board_id: tuple[str, str | None] = ("classic-world", None)) -> None:
    """Reads and draws once what all pictures of a language share; takes about half a second."""
    names(board_id, language)
    arrow.sea_lines(board_id)
    colours()


@lru_cache(maxsize=64)
def has_picture(board_id: boards.BoardId) -> bool:
    """Whether a picture shows this board truly: on the map of the world, or as a chart."""
    return drawable(boards.load(*board_id)) or charted(board_id)


def draw(scene: Scene) -> bytes:
    """The scene as PNG; its board must be one that `has_picture`."""
    if drawable(scene.board):
        return encode(_framed(scene, world().width, world().height, 0))
    high = chart.legend_height(scene.board_id, scene.language)
    sheet = chart.chart(scene.board_id)
    return encode(_framed(scene, WIDTH, sheet.height, high), chart.own_colours(scene.board_id))


def _framed(scene: Scene, wide: int, high: int, more: int) -> Words:
    """The map or the chart with the title above it and the players below; `more` are pixels for
    the continents between."""
    canvas = np.empty((caption.HEADER + high + more + caption.LEGEND, wide), WORD)
    edges = np.cumsum((caption.HEADER, high, more))
    header, board, continents, legend = np.split(canvas, edges)
    header[:] = _band(caption.header(wide, scene))
    legend[:] = _band(caption.legend(wide, scene.players))
    if more:
        chart.lay(scene, board)
        chart.lay_legend(scene, continents)
    else:
        _map(scene, board)
        _signs(scene, board)
    return canvas


def _band(image: Image.Image) -> Words:
    return words(np.asarray(image))


def _map(scene: Scene, canvas: Words) -> None:
    """From the sea up to the names; signs come on top."""
    here, packed, colours = world(), canvas.reshape(-1), scene.colours
    packed[:] = here.under
    for continent, seat in scene.held.items():
        here.rims[continent].lay_on(packed, rgb(TINTS[colours[seat]]), rgb(INK))
    tints = _tints(scene)
    packed[here.land] = _grounds(tints).take(here.ground)
    here.over.lay_on(packed)
    arrow.sea_lines(scene.board_id).lay_on(packed)
    for code in scene.captured:
        here.rims[code].lay_on(packed, rgb(HIGHLIGHT), rgb(INK))
    for attack in scene.attacks:
        for drawn in arrow.arrows(attack, scene.board_id, scene.language):
            stamp(canvas, drawn.x, drawn.y, drawn.image)
    _names(scene, tints, packed)


def _tints(scene: Scene) -> Sequence[str]:
    """The colour of each territory, in the board's order."""
    colours, owner = scene.colours, scene.owner
    return [TINTS[colours[owner[code]]] if code in owner else FREE for code in scene.board.codes]


def _grounds(tints: Sequence[str]) -> Words:
    """Tint or pattern of the owner for each kind of `World.ground`."""
    order = list(TINTS.values())
    bits = np.asarray([1 << order.index(t) if t in order else 0 for t in tints], np.uint16)
    patterned = np.arange(MOTIFS) & bits[:, None] != 0
    plain, shades = (words(np.asarray(list(map(told, tints)), np.uint8)) for told in (rgb, shade))
    return np.where(patterned, shades[:, None], plain[:, None]).reshape(-1)


def _names(scene: Scene, tints: Sequence[str], packed: Words) -> None:
    written = names(scene.board_id, scene.language)
    grounds = [
        PAPER if label.at_sea else tint for label, tint in zip(written.labels, tints, strict=True)
    ]
    grounds.append(PAPER)
    halos, inks = (
        words(np.asarray([rgb(colour) for colour in told], np.uint8))
        for told in (grounds, [text_on(ground) for ground in grounds])
    )
    written.lay_on(packed, halos, inks)


def _signs(scene: Scene, canvas: Words) -> None:
    """Names of continents, and the badges of the armies."""
    held, colours = scene.held, scene.colours
    for continent in scene.board.continents.values():
        tint = world().continents[continent.id]
        seat = held.get(continent.id)
        sign = pill(
            continent.names.get(scene.language, continent.name),
            continent.bonus,
            tint.colour,
            seat or "",
            colours[seat] if seat else "",
        )
        sign.put(canvas, *tint.label)
    for code in scene.board.codes:
        if owner := scene.owner.get(code):
            changed = code in scene.changed
            sign = badge(owner, colours[owner], scene.armies[code], changed=changed)
            sign.put(canvas, *world().badges[code])
