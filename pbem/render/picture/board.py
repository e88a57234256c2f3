"""The picture of the board, drawn from the baked map: 1200 pixels wide, below 120 kB.

The map is laid layer by layer into one array of pixels; small signs are kept by the process, so
that a further picture takes a few hundredths of a second.
"""

from collections.abc import Iterator

import numpy as np
from PIL import Image

from pbem.render.picture import arrow, caption
from pbem.render.picture.badge import badge, pill
from pbem.render.picture.label import names
from pbem.render.picture.palette import FREE, HIGHLIGHT, INK, PAPER, TINTS, rgb, shade, text_on
from pbem.render.picture.png import colours, encode
from pbem.render.picture.scene import Scene
from pbem.render.picture.world import WORD, Pixels, Words, channels, stamp, words, world
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
    height = caption.HEADER + here.height + caption.LEGEND
    canvas = np.zeros((height, here.width), WORD)
    _map(scene, canvas[caption.HEADER : caption.HEADER + here.height])
    size = (here.width, height)
    picture = Image.frombuffer("RGB", size, canvas, "raw", "RGBX", 0, 1)
    _signs(scene, picture)
    caption.header(picture, scene)
    caption.legend(picture, scene.players)
    return encode(picture)


def _map(scene: Scene, canvas: Words) -> None:
    """From the sea up to the names; signs come on top."""
    packed = canvas.reshape(-1)
    flat, pixels = channels(packed), channels(canvas)
    packed[:] = world().under
    for continent, seat in _holders(scene):
        world().rims[continent].lay_on(flat, rgb(TINTS[scene.colours[seat]]), rgb(INK))
    _land(scene, packed)
    world().over.lay_on(flat)
    arrow.sea_lines(scene.board_id).lay_on(flat)
    for code in scene.captured:
        world().rims[code].lay_on(flat, rgb(HIGHLIGHT), rgb(INK))
    for attack in scene.attacks:
        for drawn in arrow.arrows(attack, scene.board_id, scene.language):
            stamp(pixels, drawn.x, drawn.y, drawn.cover, drawn.colour)
    _names(scene, flat)


def _holders(scene: Scene) -> Iterator[tuple[ContinentId, Seat]]:
    """The continents that one seat holds whole."""
    for continent in scene.board.continents.values():
        owners = {scene.owner.get(code) for code in continent.territories}
        owner = owners.pop()
        if owner is not None and not owners:
            yield continent.id, owner


def _land(scene: Scene, packed: Words) -> None:
    """Tint and pattern of the owner on every pixel of land."""
    here, tints = world(), list(TINTS.values())
    own = list(_tints(scene))
    table = np.asarray([(rgb(tint), shade(tint)) for tint in own], np.uint8)
    bits = np.asarray([1 << tints.index(t) if t in tints else 0 for t in own], np.uint8)
    patterned = here.pattern & bits.take(here.territory) != 0
    entry = here.territory * np.uint8(2) + patterned
    packed[here.land] = words(table).reshape(-1).take(entry)


def _tints(scene: Scene) -> Iterator[str]:
    """The colour of each territory, in the board's order."""
    for code in scene.board.codes:
        owner = scene.owner.get(code)
        yield FREE if owner is None else TINTS[scene.colours[owner]]


def _names(scene: Scene, flat: Pixels) -> None:
    written = names(scene.board_id, scene.language)
    grounds = [
        PAPER if label.at_sea else tint
        for label, tint in zip(written.labels, _tints(scene), strict=True)
    ]
    grounds.append(PAPER)
    halos, inks = (
        np.asarray([rgb(colour) for colour in told], np.uint16)
        for told in (grounds, [text_on(ground) for ground in grounds])
    )
    written.lay_on(flat, halos, inks)


def _signs(scene: Scene, picture: Image.Image) -> None:
    """Names of continents, and the badges of the armies."""
    held = dict(_holders(scene))
    for continent in scene.board.continents.values():
        tint = world().continents[continent.id]
        seat = held.get(continent.id)
        sign = pill(
            continent.names.get(scene.language, continent.name),
            continent.bonus,
            tint.colour,
            seat or "",
            scene.colours[seat] if seat else "",
        )
        sign.paste(picture, tint.label[0], tint.label[1] + caption.HEADER)
    for code in scene.board.codes:
        if owner := scene.owner.get(code):
            x, y = world().badges[code]
            armies, changed = scene.armies[code], code in scene.changed
            sign = badge(owner, scene.colours[owner], armies, changed=changed)
            sign.paste(picture, x, y + caption.HEADER)
