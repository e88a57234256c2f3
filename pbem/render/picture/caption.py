"""The bands above and below the map: what the picture is of, and who the players are."""

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw

from pbem.render.picture.font import fitted, font, writable
from pbem.render.picture.palette import (
    HIGHLIGHT,
    INK,
    ON_TURN,
    PAPER,
    PATTERNS,
    QUIET,
    TINTS,
    shade,
    text_on,
)
from pbem.render.picture.scene import Player, Scene

HEADER, LEGEND = 40, 68
"""Pixels of the two bands."""

EDGE, BADGE = 14, 40


def header(picture: Image.Image, scene: Scene) -> None:
    """The band on top: the title at the left, what the game waits for at the right."""
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, picture.width, HEADER - 1), fill=INK)
    draw.text((EDGE, 27), scene.title, font=font(700, 20), anchor="ls", fill=PAPER)
    told = _shown(scene.subtitle, 600, 17, picture.width / 2)
    draw.text((picture.width - EDGE, 26), told, font=font(600, 17), anchor="rs", fill=PAPER)


def legend(picture: Image.Image, players: Sequence[Player]) -> None:
    """The band at the bottom: a field for each player, the one on turn lit."""
    top = picture.height - LEGEND
    ImageDraw.Draw(picture).rectangle((0, top, picture.width, picture.height), fill=INK)
    room = (picture.width - 16) / len(players)
    for place, player in enumerate(players):
        _field(picture, player, 8 + place * room, top, room)


def _field(picture: Image.Image, player: Player, x: float, top: int, room: float) -> None:
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle(
        (x + 2, top + 5, x + room - 2, top + LEGEND - 5),
        6,
        fill=ON_TURN if player.on_turn else PAPER,
        outline=HIGHLIGHT if player.on_turn else None,
        width=3 if player.on_turn else 0,
    )
    _badge(picture, player, round(x + 9), top + 14)
    text = x + BADGE + 16
    space = x + room - 8 - text
    lines = ((player.name, 700, 17, 25, INK), (player.holds, 600, 14, 42, QUIET))
    for line, weight, size, drop, ink in (*lines, (player.has, 600, 14, 58, QUIET)):
        told = _shown(line, weight, size, space)
        draw.text((text, top + drop), told, font=font(weight, size), anchor="ls", fill=ink)
    if player.out:
        draw.line((text, top + 20, text + _length(player.name, space), top + 20), fill=INK, width=2)


def _badge(picture: Image.Image, player: Player, x: int, y: int) -> None:
    """The letter on the tint and pattern that the player's territories have."""
    tint = TINTS[player.colour]
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle((x, y, x + BADGE, y + BADGE), 6, fill=tint, outline=INK)
    if pattern := PATTERNS.get(player.colour):
        rows, columns = np.mgrid[0 : BADGE - 3, 0 : BADGE - 3]
        mask = Image.fromarray(pattern(columns, rows).astype(np.uint8) * 255)
        picture.paste(shade(tint), (x + 2, y + 2), mask)
    spot = (x + BADGE / 2, y + BADGE / 2 + 9)
    draw.text(
        spot,
        player.letter,
        font=font(700, 25),
        anchor="ms",
        fill=text_on(tint),
        stroke_width=2,
        stroke_fill=tint,
    )


def _length(text: str, room: float) -> float:
    return min(font(700, 17).getlength(text), room)


def _shown(text: str, weight: int, size: float, room: float) -> str:
    """What of a text the font can write, cut to the room."""
    told = text if writable(text) else "".join(s if writable(s) else "?" for s in text)
    return fitted(told, 700 if weight == 700 else 600, size, room)
