"""The chart of a board of another maker: true to the board, legible, and always the same."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from io import BytesIO
from itertools import combinations

import numpy as np
import pytest
from PIL import Image

from pbem.render.picture import chart, hull, layout, link, tag
from pbem.render.picture.badge import badge_width
from pbem.render.picture.board import draw, has_picture
from pbem.render.picture.caption import HEADER
from pbem.render.picture.layout import Layout
from pbem.render.picture.palette import (
    HIGHLIGHT,
    HUES,
    INK,
    PAPER,
    QUIET,
    SEA,
    TINTS,
    mixed,
    rgb,
)
from pbem.render.picture.room import discs_in, meet
from pbem.render.picture.scene import Attack
from pbem.rules import board as boards
from pbem.rules.board import Board, BoardId
from tests.render.charts import board_of, kept, scene_on
from tests.render.scenes import BOARD
from tests.render.test_style import contrast
from tests.rules.atlas import middle_sea

COUNTS = (6, 24, 90)

GOLDEN = "803f7587b7cdf68631c2d1e123717d184ce99aec6b609d59ea903fd3b154d78a"
"""SHA-256 of the pixels. After a wanted change look at the picture, then put the new one here."""


@cache
def source(count: int) -> str:
    """The text of a board, since other tests may make the process forget the board itself."""
    return board_of(count).source


def board(count: int) -> Board:
    return boards.keep(source(count))


def board_id(count: int) -> BoardId:
    return board(count).id, None


def sheet(count: int) -> Layout:
    found = layout.layout(board_id(count))
    assert found is not None
    return found


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(BytesIO(png)).convert("RGB"))


def forget() -> None:
    """What the process has drawn before."""
    for kept_at_hand in (
        layout.layout,
        link.links,
        hull.hulls,
        hull.hues,
        tag.tags,
        chart.chart,
        chart.arrows,
    ):
        kept_at_hand.cache_clear()


def test_the_pixels_of_a_small_board_are_known() -> None:
    shown = pixels(draw(scene_on(middle_sea())))
    assert hashlib.sha256(shown.tobytes()).hexdigest() == GOLDEN


@pytest.mark.parametrize("count", COUNTS)
def test_a_picture_is_1200_pixels_wide_and_below_120_kb(count: int) -> None:
    quiet = scene_on(board(count))
    full = replace(quiet, armies={code: 100 + n for n, code in enumerate(board(count).codes)})
    for scene in (quiet, full):
        png = draw(scene)
        assert len(png) < 120_000
        image = Image.open(BytesIO(png))
        assert image.width == 1200
        assert 600 < image.height < 1100
        assert "transparency" not in image.info


def test_a_process_that_has_drawn_nothing_yet_draws_the_same_bytes() -> None:
    first = draw(scene_on(board(24)))
    forget()
    assert draw(scene_on(board(24))) == first


@pytest.mark.parametrize("count", COUNTS)
def test_every_border_is_a_line_or_two_stubs_and_there_are_no_others(count: int) -> None:
    drawn = link.links(board_id(count))
    lines = [frozenset((line.one, line.other)) for line in drawn.links]
    stubs = {(stub.here, stub.far) for stub in drawn.stubs}
    assert stubs == {(far, here) for here, far in stubs}
    both = [*lines, *{frozenset(ends) for ends in stubs}]
    codes = board(count).codes
    edges = {frozenset((a, b)) for a in codes for b in board(count).neighbours[a]}
    assert len(both) == len(edges)
    assert set(both) == edges


@pytest.mark.parametrize("count", COUNTS)
def test_a_line_touches_the_discs_of_its_ends_and_no_other(count: int) -> None:
    here = sheet(count)
    for line in link.links(board_id(count)).links:
        points = link.dense(line.way)
        for code, spot in here.spots.items():
            least = np.sqrt(((points - spot) ** 2).sum(1)).min()
            if code in (line.one, line.other):
                assert here.radius - 1 < least < here.radius + 1
            else:
                assert least > here.radius + 2 * here.unit, (line.one, line.other, code)


@pytest.mark.parametrize("count", COUNTS)
def test_discs_are_on_the_sheet_and_apart(count: int) -> None:
    here = sheet(count)
    assert all(here.inside(x, y, here.radius + 5) for x, y in here.spots.values())
    least = min(
        float(np.hypot(a[0] - b[0], a[1] - b[1])) for a, b in combinations(here.spots.values(), 2)
    )
    assert least > 2 * here.radius + 8 * here.unit
    assert badge_width(118) * chart.BADGE < 2 * layout.RADIUS


@pytest.mark.parametrize("count", COUNTS)
def test_texts_lie_neither_on_each_other_nor_on_a_disc_nor_beyond_the_sheet(count: int) -> None:
    told, here = tag.tags(board_id(count), "en"), sheet(count)
    boxes = {text.lines: text.box for text in (*told.titles, *told.names.values(), *told.stubs)}
    assert len(boxes) >= count
    assert [ends for ends in combinations(boxes, 2) if meet(*map(boxes.__getitem__, ends))] == []
    assert [told for told, box in boxes.items() if discs_in(box, here.places, here.radius)] == []
    for left, top, right, bottom in boxes.values():
        assert here.inside(left, top)
        assert here.inside(right, bottom)


@pytest.mark.parametrize("count", COUNTS)
def test_every_territory_is_named_and_most_in_full(count: int) -> None:
    names = tag.tags(board_id(count), "en").names
    assert list(names) == list(board(count).codes)
    in_full = [
        code
        for code, text in names.items()
        if " ".join(text.lines) == board(count).territories[code].name
    ]
    assert len(in_full) >= 0.9 * count
    assert {names[code].lines for code in names if code not in in_full} <= {
        (code,) for code in names
    }


def test_a_name_that_the_font_cannot_write_is_told_by_its_code() -> None:
    entries = [
        {"code": code * 3, "id": code.lower(), "name": f"漢字{code}", "continent": "all"}
        | {"card": "infantry", "at": [100 * place, 70 * (place % 2)]}
        for place, code in enumerate("ABCDEF")
    ]
    strange = kept(entries, list(zip("abcde", "bcdef", strict=True)))
    names = tag.tags((strange.id, None), "en").names
    assert {text.lines for text in names.values()} == {(code,) for code in strange.codes}
    assert draw(scene_on(strange))


def test_a_border_around_the_edge_is_two_stubs_that_point_out() -> None:
    here = sheet(24)
    order = sorted(here.spots, key=lambda code: here.spots[code])
    drawn = link.links(board_id(24))
    west, east = (
        next(stub for stub in drawn.stubs if (stub.here, stub.far) == ends)
        for ends in ((order[0], order[-1]), (order[-1], order[0]))
    )
    assert west.text == f"‹ {order[-1]}"
    assert east.text == f"{order[0]} ›"
    assert west.way[-1][0] < west.way[0][0]
    assert east.way[-1][0] > east.way[0][0]
    attack = Attack(order[0], order[-1], captured=True)
    assert [arrow.x < 600 for arrow in chart.arrows(attack, board_id(24))] == [True, False]


def test_an_arrow_ends_at_its_target_whichever_way_it_goes() -> None:
    line = link.links(board_id(24)).links[0]
    here = sheet(24)
    for ends in ((line.one, line.other), (line.other, line.one)):
        (way,) = link.links(board_id(24)).way(*ends)
        for point, code in zip((way[0], way[-1]), ends, strict=True):
            assert np.hypot(*(point - here.spots[code])) == pytest.approx(here.radius)


def test_a_disc_bears_the_tint_of_its_owner_around_the_badge() -> None:
    scene, here = scene_on(board(24)), sheet(24)
    shown = pixels(draw(replace(scene, attacks=())))
    radius = int(here.radius * 0.55)
    for code, (x, y) in here.spots.items():
        top = int(y) + HEADER
        disc = shown[top - radius : top + radius, int(x) - radius : int(x) + radius]
        tint = rgb(TINTS[scene.colours[scene.owner[code]]])
        assert (disc == tint).all(axis=2).mean() > 0.25, code


def test_the_ground_of_a_continent_never_lies_around_a_foreign_disc() -> None:
    here = sheet(24)
    for continent, ground in hull.hulls(board_id(24)).items():
        for code, (x, y) in here.spots.items():
            row, column = int(y) - ground.y, int(x) - ground.x
            high, wide = ground.inside.shape
            inside = 0 <= row < high and 0 <= column < wide and ground.inside[row, column] > 0
            assert inside == (board(24).territories[code].continent == continent)


def test_who_holds_a_continent_is_seen_around_it() -> None:
    scene = replace(scene_on(board(24)), attacks=(), changed=(), captured=())
    (continent, seat), *_ = scene.held.items()
    first = board(24).continents[continent].territories[0]
    other = next(letter for letter in scene.colours if letter != seat)
    lost = replace(scene, owner={**scene.owner, first: other})
    tint = rgb(TINTS[scene.colours[seat]])
    whole, broken = (int((pixels(draw(one)) == tint).all(axis=2).sum()) for one in (scene, lost))
    disc = np.pi * sheet(24).radius ** 2
    assert whole - broken > disc + 1000


def test_a_captured_territory_is_outlined() -> None:
    quiet = replace(scene_on(board(24)), attacks=(), changed=(), captured=())
    before, after = (
        int((pixels(draw(scene)) == rgb(HIGHLIGHT)).all(axis=2).sum())
        for scene in (quiet, replace(quiet, captured=board(24).codes[:1]))
    )
    assert after - before > 300


def test_neighbouring_continents_have_other_colours() -> None:
    for count in (24, 90):
        here, colours = board(count), hull.hues(board_id(count))
        for code in here.codes:
            own = here.territories[code].continent
            for far in here.neighbours[code]:
                other = here.territories[far].continent
                assert own == other or colours[own] != colours[other]


@pytest.mark.parametrize("hue", HUES)
def test_what_is_written_on_and_around_a_continent_can_be_read(hue: str) -> None:
    ground = "#{:02X}{:02X}{:02X}".format(*mixed(hue, PAPER, chart.SOFT))
    assert contrast(hue, PAPER) >= 4.5
    assert contrast(INK, ground) >= 7
    assert contrast(QUIET, ground) >= 4.5
    assert contrast(hue, ground) >= 3


def test_lines_and_names_can_be_read_on_the_sea() -> None:
    assert contrast(INK, SEA) >= 7
    assert contrast(QUIET, SEA) >= 4.5


def test_only_a_board_whose_places_are_told_has_a_picture() -> None:
    def sketch(spots: Sequence[list[float] | None]) -> Board:
        entries = [
            {"code": chr(65 + n) * 3, "id": f"t{n}", "name": f"Land {chr(65 + n)}"}
            | {"continent": "all", "card": "infantry"}
            | ({"at": spot} if spot else {})
            for n, spot in enumerate(spots)
        ]
        return kept(entries, [(f"t{n}", f"t{n + 1}") for n in range(len(spots) - 1)])

    told: list[list[float] | None] = [[50.0 * n, 40.0 * (n % 3)] for n in range(6)]
    assert has_picture((sketch(told).id, None))
    for wrong in (
        [*told[:5], None],
        [*told[:5], told[0]],
        [[50.0 * n, 40.0] for n in range(6)],
        [[0.0, 0.0]] * 6,
    ):
        assert not has_picture((sketch(wrong).id, None)), wrong
    assert not has_picture((board_of(layout.MOST_TERRITORIES + 1).id, None))
    assert has_picture((BOARD.id, None))
    assert not has_picture((BOARD.id, "italian-board"))


def test_a_board_of_crossing_borders_is_left_to_the_table() -> None:
    """Everybody borders everybody: most lines would have to pass under a third disc."""
    tangle = board_of(14)
    entries = [
        {"code": code, "id": territory.id, "name": territory.name, "card": "infantry"}
        | {"continent": territory.continent, "at": territory.at}
        for code, territory in tangle.territories.items()
    ]
    ids = [territory.id for territory in tangle.territories.values()]
    assert has_picture((tangle.id, None))
    assert not has_picture((kept(entries, list(combinations(ids, 2))).id, None))
