"""The bands above and below the map: what the picture is of, and who the players are."""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw

from pbem.render.picture.font import Weight, fitted, font, writable
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
NAME: Weight = 700
FACTS: Weight = 600


def header(wide: int, scene: Scene) -> Image.Image:
    """The band on top: the title at the left, what the game waits for at the right."""
    band = Image.new("RGB", (wide, HEADER), INK)
    draw = ImageDraw.Draw(band)
    draw.text((EDGE, 27), scene.title, font=font(700, 20), anchor="ls", fill=PAPER)
    told = shown(scene.subtitle, 600, 17, wide / 2)
    draw.text((wide - EDGE, 26), told, font=font(600, 17), anchor="rs", fill=PAPER)
    return band


def legend(wide: int, players: Sequence[Player]) -> Image.Image:
    """The band at the bottom: a field for each player, the one on turn lit."""
    band = Image.new("RGB", (wide, LEGEND), INK)
    room = (wide - 16) / len(players)
    for place, player in enumerate(players):
        shift, left = math.modf(8 + place * room)
        band.paste(_field(player, shift, room), (int(left), 0))
    return band


@lru_cache(maxsize=64)  # some 50 kB each
def _field(player: Player, x: float, room: float) -> Image.Image:
    """Drawn once: from turn to turn most players stand as they stood."""
    picture = Image.new("RGB", (math.ceil(x + room), LEGEND), INK)
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle(
        (x + 2, 5, x + room - 2, LEGEND - 5),
        6,
        fill=ON_TURN if player.on_turn else PAPER,
        outline=HIGHLIGHT if player.on_turn else None,
        width=3 if player.on_turn else 0,
    )
    _badge(picture, player, round(x + 9), 14)
    text = x + BADGE + 16
    space = x + room - 8 - text
    name = shown(player.name, NAME, 17, space)
    draw.text((text, 25), name, font=font(NAME, 17), anchor="ls", fill=INK)
    for line, drop in ((player.holds, 42), (player.has, 58)):
        told = shown(line, FACTS, 14, space)
        draw.text((text, drop), told, font=font(FACTS, 14), anchor="ls", fill=QUIET)
    if player.out:
        end = text + font(NAME, 17).getlength(name)
        draw.line((text, 20, end, 20), fill=INK, width=2)
    return picture


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


def shown(text: str, weight: Weight, size: float, room: float) -> str:
    """What of a text the font can write, cut to the room."""
    told = text if writable(text) else "".join(sign if writable(sign) else "?" for sign in text)
    return fitted(told, weight, size, room)
