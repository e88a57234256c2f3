"""The board as SVG: whole, well formed, and true to the position."""

import re
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest

from pbem.render import pages, textboard
from pbem.render.words import Reader
from pbem.render.worldmap import worldmap
from pbem.rules import board as boards
from pbem.rules.board import ContinentId
from tests.render.samples import BOARD, TABLE, seen
from tests.rules.atlas import MAP, imported, middle_sea, text

SVG = "{http://www.w3.org/2000/svg}"
PAGE = '{% import "_map.html.j2" as map with context %}{{ map.board(view, table, changed, close) }}'


def drawn(
    language: str = "en", close: str | None = None, **position: object
) -> ElementTree.Element:
    view = seen()
    told = {
        "view": view,
        "table": TABLE,
        "standings": textboard.standings(view),
        "changed": ("SIA",),
        "close": close,
    }
    told |= {"reader": Reader(language, ZoneInfo("UTC"), BOARD), "language": language}
    page = pages._environment(language).from_string(PAGE)
    return ElementTree.fromstring(page.render(told))


@pytest.mark.parametrize("language", pages.spoken())
def test_every_territory_is_drawn_and_says_whose_it_is(language: str) -> None:
    svg = drawn(language)
    titles = [title.text or "" for title in svg.iter(f"{SVG}title")]
    codes = [found[1] for title in titles if (found := re.search(r"\(([A-Z]{3})\): \S", title))]
    assert sorted(codes) == sorted(BOARD.codes)


def test_the_marks_are_the_position() -> None:
    view = seen()
    marks = [
        [t.text for t in g.iter(f"{SVG}text")]
        for g in drawn().iter(f"{SVG}g")
        if g.get("class") == "mark"
    ]
    wanted = [[view.owner[code], str(view.armies[code])] for code in BOARD.codes]
    assert sorted(map(tuple, marks)) == sorted(map(tuple, wanted))


def test_a_close_up_shows_its_continent_and_names_on_it() -> None:
    svg = drawn(close="europe")
    x, y, width, height = map(float, svg.attrib["viewBox"].split())
    assert width < 800
    map_ = worldmap(BOARD)
    assert map_ is not None
    for code in BOARD.continents[ContinentId("europe")].territories:
        left, top = map_.badges[code]
        assert x < left < x + width
        assert y < top < y + height
    assert "Ukraine" in [text.text for text in svg.iter(f"{SVG}text")]


def test_whatever_else_is_asked_for_shows_the_world() -> None:
    assert drawn(close="atlantis").attrib["viewBox"] == "0 0 1200 664"


@pytest.mark.parametrize("variant", boards.variants())
def test_a_variant_has_its_own_sea_lines_or_no_map(variant: str) -> None:
    board = boards.load(boards.CLASSIC, variant)
    lines = worldmap(board)
    assert lines is None or set(lines.lands) == set(board.codes)
    here, there = worldmap(BOARD), lines
    assert here is not None
    assert there is None or there.sea_lines != here.sea_lines


def test_the_chart_of_a_board_of_another_maker_has_its_names_and_all_its_borders() -> None:
    board = middle_sea()
    chart = worldmap(board)
    assert chart is not None
    assert list(chart.lands) == list(board.codes)
    assert len(chart.borders) == sum(map(len, board.neighbours.values())) / 2
    told = {line.told for line in chart.texts}
    assert {territory.name for territory in board.territories.values()} <= told
    for line in chart.texts:
        assert line.x - line.width / 2 > 0
        assert line.x + line.width / 2 < chart.whole.width
    close = chart.frame("the-isles")
    assert close.close
    assert close.width <= chart.whole.width


def test_a_board_whose_places_nobody_told_has_no_map() -> None:
    found = imported(text(MAP).replace("14 Creta 4 450 270", "14 Creta 4"))
    assert found.data is not None
    assert worldmap(boards.keep(boards.canonical(found.data))) is None
