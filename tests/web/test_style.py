"""The colours of the pages, against the contrast that WCAG AA asks for."""

import re
from itertools import product

import pytest

from pbem.render.pages import stylesheet

GROUNDS = ("ground", "paper")
INKS = ("ink", "quiet", "accent")


def schemes() -> dict[str, dict[str, str]]:
    """The custom colours of the light scheme and of the dark one."""
    light, dark = re.findall(r":root \{(.*?)\}", stylesheet(), re.DOTALL)
    colour = re.compile(r"--([a-z-]+): (#[0-9a-f]{6});")
    return {"light": dict(colour.findall(light)), "dark": dict(colour.findall(dark))}


def luminance(colour: str) -> float:
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_their_ground(scheme: str) -> None:
    colours = schemes()[scheme]
    pairs = [*product(INKS, GROUNDS), ("on-accent", "accent"), ("ink", "problem-ground")]
    ratios = {(on, under): contrast(colours[on], colours[under]) for on, under in pairs}
    assert min(ratios.values()) >= 4.5, ratios


def test_pages_take_nothing_from_outside() -> None:
    assert not re.search(r"url\(|@import|https?:", stylesheet())
