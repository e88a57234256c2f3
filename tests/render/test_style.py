"""The colours of the HTML parts can be read."""

import re
from itertools import product

import pytest

from pbem.render.letters import templates

STYLE = (templates() / "mail" / "_style.css").read_text(encoding="utf-8")
DARK = (templates() / "mail" / "_dark.css").read_text(encoding="utf-8")
BADGES = re.findall(r"\.(\w+) { background: (#\w{6}); color: (#\w{6}); }", STYLE)


def luminance(colour: str) -> float:
    """Relative luminance of an sRGB colour, 0 to 1 (WCAG 2)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_there_is_a_badge_for_every_colour() -> None:
    assert [name for name, _, _ in BADGES] == [
        *("red", "blue", "yellow", "green", "purple", "black", "neutral")
    ]


@pytest.mark.parametrize(("name", "ground", "ink"), BADGES)
def test_letters_on_badges_can_be_read(name: str, ground: str, ink: str) -> None:
    assert contrast(ground, ink) >= 4.5


@pytest.mark.parametrize("style", [STYLE, DARK], ids=["light", "dark"])
def test_every_ink_can_be_read_on_every_ground(style: str) -> None:
    """Badges aside, any text may stand on the page or in a box of orders."""
    rest = re.sub(r"\.\w+ { background: #\w{6}; color: #\w{6}; }", "", style)
    grounds = re.findall(r"background: (#\w{6})", rest)
    inks = re.findall(r"[ {]color: (#\w{6})", rest)
    assert len(grounds) >= 3
    assert len(inks) >= 3
    low = [(g, i) for g, i in product(grounds, inks) if contrast(g, i) < 4.5]
    assert low == []
