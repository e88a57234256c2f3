"""The board: the data of the classic world, and what no board may be."""

import tomllib
from collections.abc import Callable
from importlib import resources
from typing import Any

import pytest

from pbem.rules.board import BoardError, Code, ContinentId, load, parse
from tests.rules.table import WORLD, A, B, drawn

Data = dict[str, Any]


def data() -> Data:
    """The classic world's file, fresh, to be spoilt."""
    source = resources.files("pbem.rules") / "boards" / "classic-world.toml"
    return tomllib.loads(source.read_text(encoding="utf-8"))


def test_42_territories_in_6_continents_with_83_borders() -> None:
    assert (len(WORLD.codes), len(WORLD.continents)) == (42, 6)
    assert sum(map(len, WORLD.neighbours.values())) == 2 * 83
    sizes = {name: len(c.territories) for name, c in WORLD.continents.items()}
    assert sizes == {
        "north-america": 9,
        "south-america": 4,
        "europe": 7,
        "africa": 6,
        "asia": 12,
        "australia": 4,
    }


def test_every_border_is_open_from_both_sides() -> None:
    for code in WORLD.codes:
        for near in WORLD.neighbours[code]:
            assert WORLD.adjacent(near, code), (code, near)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ALA", "KCH"),
        ("GRL", "ICE"),
        ("BRA", "NAF"),
        ("SIA", "IDO"),
        ("EAF", "MEA"),
        ("JPN", "MGL"),
    ],
)
def test_sea_lines_are_borders(one: str, other: str) -> None:
    assert WORLD.adjacent(Code(one), Code(other))


@pytest.mark.parametrize(("one", "other"), [("ALB", "EUS"), ("CHN", "JPN"), ("GRL", "GBR")])
def test_being_close_is_not_enough(one: str, other: str) -> None:
    assert not WORLD.adjacent(Code(one), Code(other))


def test_distances_count_borders_from_the_nearest() -> None:
    steps = WORLD.distances([Code("SIA"), Code("PRU")])
    assert [steps[Code(code)] for code in ("SIA", "IDA", "MEA", "BRA", "NAF")] == [0, 1, 2, 1, 2]
    assert steps.keys() == set(WORLD.codes)


def test_a_board_is_loaded_once() -> None:
    assert load() is WORLD


@pytest.mark.parametrize(("name", "variant"), [("moon", None), ("classic-world", "moon")])
def test_an_unknown_board_or_variant_is_named(name: str, variant: str | None) -> None:
    with pytest.raises(BoardError, match="moon"):
        load(name, variant)


def with_edge(one: str, other: str) -> Callable[[Data], None]:
    return lambda spoilt: spoilt["adjacency"]["edges"].append([one, other])


def cut_off_japan(spoilt: Data) -> None:
    edges = spoilt["adjacency"]["edges"]
    spoilt["adjacency"]["edges"] = [edge for edge in edges if "japan" not in edge]


def two_of_one_code(spoilt: Data) -> None:
    spoilt["territory"][1]["code"] = spoilt["territory"][0]["code"]


def no_such_continent(spoilt: Data) -> None:
    spoilt["territory"][0]["continent"] = "atlantis"


def an_empty_continent(spoilt: Data) -> None:
    spoilt["continent"].append({"id": "atlantis", "name": "Atlantis", "bonus": 9, "names": {}})


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (with_edge("japan", "atlantis"), "'atlantis', which is no territory"),
        (with_edge("japan", "japan"), "'japan' has a border with itself"),
        (cut_off_japan, "no way leads to JPN"),
        (two_of_one_code, "share a code"),
        (no_such_continent, "'atlantis', no continent"),
        (an_empty_continent, "'atlantis' has no territory"),
    ],
)
def test_a_board_that_contradicts_itself_is_refused(
    spoil: Callable[[Data], None], says: str
) -> None:
    spoilt = data()
    spoil(spoilt)
    with pytest.raises(BoardError, match=says):
        parse(spoilt)


class TestPosition:
    def test_who_holds_what_in_the_boards_order(self) -> None:
        state = drawn("A SIA 1, ALA 2; B rest 1")
        assert state.held(A) == ("ALA", "SIA")
        assert len(state.held(B)) == 40

    def test_a_continent_is_held_whole_or_not(self) -> None:
        whole = drawn("A EAU 1, IDO 1, NGU 1, WAU 1; B rest 1")
        assert whole.holds(A, ContinentId("australia"))
        assert not drawn("A EAU 1, IDO 1, NGU 1; B rest 1").holds(A, ContinentId("australia"))

    def test_a_threat_is_the_largest_enemy_next_to_it(self) -> None:
        state = drawn("A SIA 1, IDA 9; B CHN 4, IDO 2, rest 1")
        assert tuple(state.enemies(Code("SIA"))) == ("CHN", "IDO")
        assert state.threat(Code("SIA")) == 4
        assert drawn("A rest 1").threat(Code("SIA")) == 0

    def test_the_next_seat_is_clockwise_and_stands(self) -> None:
        state = drawn("A SIA 1; D rest 1", eliminated=(B,))
        assert [state.after(seat) for seat in state.seats] == ["C", "C", "D", "A"]
        assert state.standing == ("A", "C", "D")
