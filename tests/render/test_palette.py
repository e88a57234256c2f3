"""Owners can be told apart by any eye: distances in OKLab, and contrasts of text."""

from itertools import combinations

import numpy as np
import pytest

from pbem.render.picture.palette import INK, ON_TURN, PAPER, QUIET, TINTS, luminance, rgb, text_on
from pbem.render.picture.world import world
from tests.render.test_style import BADGES, contrast

# Björn Ottosson, "A perceptual color space for image processing" (2020).
_TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
# Machado, Oliveira, Fernandes (2009), severity 1.0, on linear RGB.
EYES = {
    "normal": (np.eye(3), 0.171),
    "protan": (
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
        0.140,
    ),
    "deutan": (
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
        0.1368,
    ),
    "tritan": (
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
        0.118,
    ),
}


def seen(colour: str, eye: np.ndarray) -> np.ndarray:
    """OKLab of an sRGB colour as that eye sees it."""
    share = np.array(rgb(colour)) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    lab: np.ndarray = _TO_LAB @ np.cbrt(_TO_CONES @ np.clip(eye @ linear, 0, 1))
    return lab


@pytest.mark.parametrize("eye", EYES)
def test_no_two_owners_look_alike(eye: str) -> None:
    matrix, floor = EYES[eye]
    labs = {name: seen(tint, np.asarray(matrix)) for name, tint in TINTS.items()}
    distances = {
        (one, other): float(np.linalg.norm(labs[one] - labs[other]))
        for one, other in combinations(labs, 2)
    }
    assert min(distances.values()) >= floor, min(distances, key=distances.__getitem__)


@pytest.mark.parametrize("tint", [*TINTS.values(), PAPER], ids=[*TINTS, "sea names"])
def test_text_can_be_read_on_every_tint(tint: str) -> None:
    assert round(contrast(tint, text_on(tint)), 1) >= 5.1


def test_text_of_the_legend_and_of_continents_can_be_read() -> None:
    assert contrast(INK, PAPER) >= 7
    assert contrast(QUIET, ON_TURN) >= 7
    for continent in world().continents.values():
        assert contrast(continent.colour, PAPER) >= 4.5


def test_pages_and_picture_give_a_colour_the_same_tint() -> None:
    assert {name: ground.upper() for name, ground, _ in BADGES} == dict(TINTS)
    assert luminance("#FFFFFF") == pytest.approx(1)
