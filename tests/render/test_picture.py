"""The picture of the board: what it shows, its size, and that it is always the same."""

import hashlib
from dataclasses import replace
from io import BytesIO
from itertools import combinations

import numpy as np
import pytest
from PIL import Image

from pbem.render.picture.arrow import arrows
from pbem.render.picture.badge import HEIGHT, badge_width, pill_width
from pbem.render.picture.board import draw
from pbem.render.picture.font import writable
from pbem.render.picture.label import edge_labels, labels
from pbem.render.picture.palette import HIGHLIGHT, TINTS, rgb
from pbem.render.picture.room import Box
from pbem.render.picture.scene import Attack, Scene
from pbem.render.picture.world import drawable, world
from pbem.rules import board as boards
from pbem.rules.board import Code
from tests.render.scenes import BOARD, CHOSEN, players, random_scene

LANGUAGES = ("en", "it", "nl", "sl")

GOLDEN = {
    "six": "508f5d0bb30dc8df2dc5eaa6df59e2bd86052bc111841210bd47a01bb4acc071",
    "two-with-neutral": "fb1bce4c46c8d5f83c6ecb12bee57af22055df991b37e2f1162234f5ddf9fc40",
    "three-digits": "f58ba3af3a041536a34a9438e46fdb4363aa75c4e6d43a85aed15cf457f9fe22",
    "continents": "35f5e6e067c87ee2b8e2915fc63eb4a542cb8e5997464c79b5f26fcd264e5aa3",
    "claiming": "d6d7fdd8c4936ff599cc5748c502a73ab1cb9f640fcda544bdfbe4057c762833",
}
"""SHA-256 of the pixels. After a wanted change look at the pictures, then put the new ones here."""


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(BytesIO(png)).convert("RGB"))


def land_index() -> np.ndarray:
    """The place of a territory in the board's order at each pixel, from 1; 0 is the sea."""
    here = world()
    index = np.zeros(here.width * here.height, np.uint8)
    index[here.land] = here.territory + 1
    return index.reshape(here.height, here.width)


def meet(one: Box, other: Box) -> float:
    """Square pixels that two boxes share."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(0, wide) * max(0, high)


def badge_boxes(armies: int = 100) -> dict[Code, Box]:
    half = badge_width(armies) / 2
    return {
        code: (x - half, y - HEIGHT / 2, x + half, y + HEIGHT / 2)
        for code, (x, y) in world().badges.items()
    }


@pytest.mark.parametrize("name", CHOSEN)
def test_the_pixels_of_chosen_positions_are_known(name: str) -> None:
    assert hashlib.sha256(pixels(draw(CHOSEN[name])).tobytes()).hexdigest() == GOLDEN[name]


@pytest.mark.parametrize("seed", range(5))
def test_a_second_run_gives_the_same_bytes_of_less_than_120_kb(seed: int) -> None:
    first = draw(random_scene(seed))
    assert draw(random_scene(seed)) == first
    assert len(first) < 120_000
    assert Image.open(BytesIO(first)).size == (1200, 772)


def test_it_has_no_transparent_pixel() -> None:
    """Mail programs in the dark put black or white under it."""
    assert "transparency" not in Image.open(BytesIO(draw(CHOSEN["six"]))).info


def test_the_borders_of_the_map_are_the_83_of_the_board() -> None:
    """By land as the pixels touch, by sea as lines are drawn."""
    index = land_index()
    touching: dict[frozenset[Code], int] = {}
    for one, other in ((index[:, :-1], index[:, 1:]), (index[:-1], index[1:])):
        edge = (one != other) & (one > 0) & (other > 0)
        for a, b in zip(one[edge], other[edge], strict=True):
            pair = frozenset((BOARD.codes[a - 1], BOARD.codes[b - 1]))
            touching[pair] = touching.get(pair, 0) + 1
    by_land = {pair for pair, shared in touching.items() if shared > 1}
    by_sea = {ends for ends, _ in world().sea_lines}
    edges = {frozenset((one, other)) for one in BOARD.codes for other in BOARD.neighbours[one]}
    assert len(edges) == 83
    assert by_land == world().land_borders
    assert not by_land & by_sea
    assert by_land | by_sea == edges


def test_every_sea_line_runs_from_one_coast_to_the_other() -> None:
    index = land_index()
    for ends, points in world().sea_lines:
        for x, y in (points[0], points[-1]):
            if 0 < x < world().width:
                near = index[int(y) - 2 : int(y) + 4, int(x) - 2 : int(x) + 4]
                coasts = {BOARD.codes[place - 1] for place in near.flat if place}
                assert coasts & ends, (ends, x, y)


@pytest.mark.parametrize(
    ("variant", "shown"),
    [
        (None, True),
        ("no-east-africa-middle-east", True),
        ("domination-risk-map", True),
        ("italian-board", False),
        ("italian-2023-board", False),
    ],
)
def test_a_board_is_drawn_only_if_the_map_shows_its_borders_truly(
    variant: str | None, *, shown: bool
) -> None:
    assert drawable(boards.load("classic-world", variant)) is shown


def test_a_variant_without_a_sea_line_shows_none() -> None:
    whole = CHOSEN["claiming"]
    variant = replace(whole, board_id=("classic-world", "no-east-africa-middle-east"))
    differs = (pixels(draw(whole)) != pixels(draw(variant))).any(axis=2)
    rows, columns = np.nonzero(differs)
    points = next(p for ends, p in world().sea_lines if ends == {"EAF", "MEA"})
    assert rows.size
    assert abs(columns.mean() - np.mean([x for x, _ in points])) < 8
    assert abs(rows.mean() - 40 - np.mean([y for _, y in points])) < 8


def test_the_badge_of_every_land_stands_on_its_land() -> None:
    index = land_index()
    at_sea = {label.code for label in labels(BOARD, "en") if label.at_sea}
    for place, code in enumerate(BOARD.codes, start=1):
        x, y = world().badges[code]
        assert index[int(y), int(x)] == place or code in at_sea


def test_badges_of_three_digits_do_not_meet() -> None:
    boxes = badge_boxes()
    assert [pair for pair in combinations(boxes, 2) if meet(boxes[pair[0]], boxes[pair[1]])] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_lie_neither_on_each_other_nor_under_a_badge(language: str) -> None:
    names = (*labels(BOARD, language), *edge_labels(BOARD, language))
    boxes = badge_boxes()
    assert [(a.code, b.code) for a, b in combinations(names, 2) if meet(a.box, b.box)] == []
    assert [(n.code, code) for n in names for code in boxes if meet(n.box, boxes[code])] == []
    assert all(n.box[0] > 0 and n.box[2] < world().width for n in names)


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_lie_on_their_own_land_or_on_the_sea(language: str) -> None:
    index = land_index()
    for place, name in enumerate(labels(BOARD, language), start=1):
        left, top, right, bottom = map(int, name.box)
        ground = index[top : bottom + 1, left : right + 1]
        foreign = ((ground > 0) & (ground != place)).mean()
        assert foreign < 0.2, (name.code, foreign)


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_continents_lie_on_the_sea_clear_of_all_else(language: str) -> None:
    index = land_index()
    others = [name.box for name in labels(BOARD, language)] + list(badge_boxes().values())
    for continent in BOARD.continents.values():
        x, y = world().continents[continent.id].label
        half = pill_width(continent.names.get(language, continent.name)) / 2
        held = (x - half - 4, y - 14, x + half + 26, y + 14)
        left, top, right, bottom = map(int, held)
        assert left > 0
        assert right < world().width
        assert not index[top:bottom, left:right].any(), continent.id
        assert [box for box in others if meet(held, box)] == []


def test_every_name_can_be_written() -> None:
    for territory in BOARD.territories.values():
        assert all(writable(territory.names.get(language, "")) for language in LANGUAGES)
    assert writable("čšžČŠŽ · ‹ ›")
    assert not writable("漢字")


def test_land_bears_the_tint_of_its_owner() -> None:
    scene = CHOSEN["claiming"]
    shown = pixels(draw(scene))[40:-68]
    index = land_index()
    for place, code in enumerate(BOARD.codes, start=1):
        owner = scene.owner.get(code)
        if owner is not None:
            tint = TINTS[scene.colours[owner]]
            flat = (shown[index == place] == rgb(tint)).all(axis=1)
            assert flat.mean() > 0.2, code


def test_a_captured_territory_is_outlined() -> None:
    quiet = replace(random_scene(4), attacks=(), changed=(), captured=())
    before, after = (
        int((pixels(draw(scene)) == rgb(HIGHLIGHT)).all(axis=2).sum())
        for scene in (quiet, replace(quiet, captured=(Code("BRA"),)))
    )
    assert after - before > 300


def test_an_attack_over_the_edge_leaves_the_map_and_comes_back() -> None:
    both = arrows(Attack(Code("ALA"), Code("KCH"), captured=True), ("classic-world", None), "en")
    assert [arrow.x < 600 for arrow in both] == [True, False]
    one = arrows(Attack(Code("SIA"), Code("IDA"), captured=True), ("classic-world", None), "en")
    assert len(one) == 1


def test_names_in_other_scripts_do_no_harm() -> None:
    scene = CHOSEN["six"]
    strange = tuple(replace(player, name="漢字 " + "x" * 80) for player in players(6))
    assert draw(replace(scene, players=strange)) != draw(scene)


def test_the_key_changes_with_all_that_is_shown() -> None:
    scene: Scene = CHOSEN["six"]
    others = (
        replace(scene, language="it"),
        replace(scene, title="g8"),
        replace(scene, changed=()),
        replace(scene, armies={**scene.armies, Code("SIA"): 77}),
    )
    assert len({other.key for other in (scene, *others)}) == 5
    assert replace(scene).key == scene.key
