"""The picture's font, Barlow Semi Condensed, and texts drawn at a size in pixels."""

from functools import cache, lru_cache
from importlib import resources
from io import BytesIO
from typing import Literal

from PIL import Image, ImageDraw, ImageFont

Weight = Literal[500, 600, 700]

FINE = 4
"""Small things are drawn so many times larger, then shrunk: smooth at any place."""

_MISSING = "\N{REPLACEMENT CHARACTER}"


@cache
def font(weight: Weight, size: float) -> ImageFont.FreeTypeFont:
    """The font at a size in pixels."""
    return ImageFont.truetype(BytesIO(_file(weight)), size, layout_engine=ImageFont.Layout.BASIC)


def width(text: str, weight: Weight, size: float) -> float:
    """Pixels that a line of text takes."""
    return font(weight, size * FINE).getlength(text) / FINE


def fitted(text: str, weight: Weight, size: float, room: float) -> str:
    """The text, or as much of it as fits before a full stop that marks the cut."""
    if width(text, weight, size) <= room:
        return text
    while text and width(f"{text}.", weight, size) > room:
        text = text[:-1]
    return f"{text.rstrip()}."


@lru_cache(maxsize=4096)
def writable(text: str) -> bool:
    """Whether the font has every letter of the text."""
    return all(sign.isspace() or _has(sign) for sign in text)


def shrunk(image: Image.Image) -> Image.Image:
    """What was drawn `FINE` times too large, in its own size."""
    size = (image.width // FINE, image.height // FINE)
    return image.resize(size, Image.Resampling.BOX)


def stepped(mask: Image.Image, steps: int) -> Image.Image:
    """A mask that was drawn `FINE` times too large, in its own size and with so many shares.

    Few shares make much smaller files, and at the size of a letter nobody sees the difference.
    """
    return shrunk(mask).point(_shares(steps))


@cache
def _shares(steps: int) -> list[int]:
    return [round(share / 255 * steps) * 255 // steps for share in range(256)]


def canvas(wide: float, high: float) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    """A clear image to draw on `FINE` times as large as it will be."""
    image = Image.new("RGBA", (int(wide) * FINE, int(high) * FINE))
    return image, ImageDraw.Draw(image)


@cache
def _has(sign: str) -> bool:
    probe = font(500, 20)
    return bytes(probe.getmask(sign)) != bytes(probe.getmask(_MISSING))


@cache
def _file(weight: Weight) -> bytes:
    name = f"BarlowSemiCondensed-{weight}.ttf"
    return (resources.files(__package__) / "fonts" / name).read_bytes()
