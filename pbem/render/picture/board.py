"""The picture of the board, drawn from the baked map: 1200 pixels wide, below 120 kB.

All is laid layer by layer into one array of pixels; small signs are kept by the process, so that a
further picture takes a few hundredths of a second.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from PIL import Image

from pbem.render.picture import arrow, caption
from pbem.render.picture.badge import badge, pill
from pbem.render.picture.label import names
from pbem.render.picture.palette import FREE, HIGHLIGHT, INK, PAPER, TINTS, rgb, shade, text_on
from pbem.render.picture.png import colours, encode
from pbem.render.picture.scene import Scene
from pbem.render.picture.world import MOTIFS, WORD, Words, stamp, words, world
from pbem.rules.board import ContinentId
from pbem.rules.seat import Seat


def prepare(language: str, board_id: tuple[str, str | None] = ("classic-world", None)) -> None:
    """Reads and draws once what all pictures of a language share; takes about half a second."""
    names(board_id, language)
    arrow.sea_lines(board_id)
    colours()


def draw(scene: Scene) -> bytes:
    """The scene as PNG; its board must be `world.drawable`."""
    here = world()
    canvas = np.empty((caption.HEADER + here.height + caption.LEGEND, here.width), WORD)
    header, board, legend = np.split(canvas, (caption.HEADER, caption.HEADER + here.height))
    header[:] = _band(caption.header(here.width, scene))
    legend[:] = _band(caption.legend(here.width, scene.players))
    _map(scene, board)
    _signs(scene, board)
    return encode(canvas)


def _band(image: Image.Image) -> Words:
    return words(np.asarray(image))


def _map(scene: Scene, canvas: Words) -> None:
    """From the sea up to the names; signs come on top."""
    here, packed, colours = world(), canvas.reshape(-1), scene.colours
    packed[:] = here.under
    for continent, seat in _holders(scene):
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


def _holders(scene: Scene) -> Iterator[tuple[ContinentId, Seat]]:
    """The continents that one seat holds whole."""
    for continent in scene.board.continents.values():
        owners = {scene.owner.get(code) for code in continent.territories}
        owner = owners.pop()
        if owner is not None and not owners:
            yield continent.id, owner


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
    held, colours = dict(_holders(scene)), scene.colours
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
