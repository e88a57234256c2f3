"""The board: the data of the classic world, and what no board may be."""

import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import resources
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.rules.board import (
    BoardError,
    Code,
    ContinentId,
    canonical,
    checksum,
    is_known,
    keep,
    load,
    parse,
)
from pbem.rules.chart import faults
from tests.rules.table import WORLD, A, B, drawn

Data = dict[str, Any]

_leaves = st.none() | st.booleans() | st.integers(-2, 9) | st.text(max_size=3)
_keys = st.sampled_from(
    [
        *("map", "continent", "territory", "adjacency", "edges", "mission", "variant"),
        *("id", "name", "code", "bonus", "card", "wild_cards", "kind", "aliases"),
    ]
)
json_values = st.recursive(
    _leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=9),
    max_leaves=20,
)


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


def test_territories_and_continents_have_names_in_other_languages() -> None:
    assert WORLD.continents[ContinentId("europe")].names["it"] == "Europa"
    assert WORLD.continents[ContinentId("north-america")].names["sl"] == "Severna Amerika"
    assert WORLD.territories[Code("JPN")].names["it"] == "Giappone"
    bare = data()
    for entry in (*bare["continent"], *bare["territory"]):
        entry.pop("names", None)
        entry.pop("aliases", None)
    board = parse(bare)
    assert {len(part.names) for part in board.continents.values()} == {0}
    assert {(len(t.names), t.aliases) for t in board.territories.values()} == {(0, ())}


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


def changed(table: str, place: int, **values: Any) -> Callable[[Data], None]:
    return lambda spoilt: spoilt[table][place].update(values)


def without(*tables: str) -> Callable[[Data], None]:
    def spoil(spoilt: Data) -> None:
        for table in tables:
            del spoilt[table]

    return spoil


def mission(**entry: Any) -> Callable[[Data], None]:
    return lambda spoilt: spoilt.update(mission=[{"id": "one", **entry}])


def too_few(spoilt: Data) -> None:
    spoilt["territory"] = spoilt["territory"][:5]


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (changed("territory", 1, name="alaska"), "two territories are called 'alaska'"),
        (changed("territory", 0, name=""), "name cannot be ''"),
        (changed("territory", 0, name="A\u202eB"), "name cannot be"),
        (changed("territory", 0, name="x" * 41), "name cannot be"),
        (changed("territory", 0, code="Ala"), "code cannot be 'Ala'"),
        (changed("territory", 1, id="alaska"), "share a code or an id"),
        (changed("territory", 0, card="elephant"), "'alaska': card cannot be 'elephant'"),
        (changed("territory", 0, card_continental="sea"), "card_continental cannot be 'sea'"),
        (changed("territory", 0, aliases="Alyeska"), "aliases cannot be"),
        (changed("territory", 0, names={"it": ""}), "names cannot be"),
        (changed("continent", 0, bonus=-1), "bonus cannot be -1"),
        (changed("continent", 0, bonus=True), "bonus cannot be True"),
        (changed("continent", 1, name="North America"), "two continents are called"),
        (changed("continent", 1, id="north-america"), "share the id 'north-america'"),
        (too_few, "6 to 300 territories, not 5"),
        (without("territory"), "the board has no territory"),
        (without("continent"), "the board has no continent"),
        (without("map", "adjacency"), "'map' must be a table; 'adjacency' must have"),
        (lambda spoilt: spoilt["adjacency"].update(edges=[["a"]]), "'adjacency' must have"),
        (lambda spoilt: spoilt["map"].update(wild_cards="two"), "wild_cards cannot be 'two'"),
        (lambda spoilt: spoilt.update(territory=[4]), "'territory' must be a table"),
        (mission(kind="dance"), "kind cannot be 'dance'"),
        (mission(kind={}), "kind cannot be {}"),
        (mission(kind="destroy", colour_slot=1, fallback=[]), r"fallback cannot be \[\]"),
        (mission(kind="occupy", count=43, armies=1), "'one' cannot be done on 42 territories"),
        (mission(kind="occupy", count=0, armies=1), "'one' cannot be done"),
        (mission(kind="occupy", count=4, armies=0), "'one' cannot be done"),
        (mission(kind="occupy", count=4), "armies cannot be None"),
        (
            mission(kind="occupy", count=4, armies=1, only_fallback="yes"),
            "only_fallback cannot be 'yes'",
        ),
        (
            mission(kind="continents", continents=["atlantis"], any_extra=0),
            "'one' names a continent that is not there",
        ),
        (mission(kind="continents", continents=["asia"], any_extra=6), "more continents than"),
        (mission(kind="continents", continents=[], any_extra=0), "more continents than"),
        (mission(kind="destroy", colour_slot=7, fallback="one"), "a seat that no table has"),
        (mission(kind="destroy", colour_slot=1, fallback="one"), "falls back on none"),
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


STRANGE: tuple[Any, ...] = (None, True, -1, 1.5, "", "x" * 99, "\\ud800", [], {}, [[]], [{}], [1])
MISSIONS = [
    {"id": "occupy-9", "kind": "occupy", "count": 9, "armies": 1},
    {"id": "destroy-1", "kind": "destroy", "colour_slot": 1, "fallback": "occupy-9"},
    {"id": "hold", "kind": "continents", "continents": ["asia"], "any_extra": 1},
]


def spots(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in the data; of a list the first two entries stand for all."""
    inner = data.items() if isinstance(data, dict) else enumerate(data[:2])
    for key, value in inner:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from spots(value, (*path, key))


def test_whatever_stands_in_a_boards_data_it_is_a_board_or_refused() -> None:
    whole = {**data(), "mission": MISSIONS}
    assert not faults(whole)
    for *way, last in list(spots(whole)):
        place: Any = whole
        for key in way:
            place = place[key]
        sound = place[last]
        for strange in STRANGE:
            place[last] = strange
            with suppress(BoardError):
                parse(whole)
        place[last] = sound
    assert not faults(whole)


class TestABoardOfAnotherMaker:
    def test_it_is_known_by_its_text_from_then_on(self) -> None:
        spoilt = {**data(), "map": {"id": "my-world", "wild_cards": 0}}
        source = canonical(spoilt)
        board = keep(source)
        assert board.id == f"my-world@{checksum(source)}"
        assert (load(board.id), keep(source), board.source) == (board, board, source)
        assert is_known(board.id)
        assert not board.is_classic
        assert board.neighbours == WORLD.neighbours

    def test_another_text_is_another_board(self) -> None:
        one = keep(canonical({**data(), "map": {"id": "my-world", "wild_cards": 1}}))
        other = keep(canonical({**data(), "map": {"id": "my-world", "wild_cards": 2}}))
        assert (load(one.id).wild_cards, load(other.id).wild_cards) == (1, 2)

    @pytest.mark.parametrize(
        ("source", "says"),
        [
            ("", "not JSON"),
            ("[" * 100_000, "not JSON"),
            ("{ }", "not in its canonical form"),
            ("[]", "a board is a table"),
            ("{}", "'map' must be a table"),
            ("7", "a board is a table"),
            ('{"variant":3}', "the board has no variant"),
            ('{"mission":{}}', "the board has no mission"),
        ],
    )
    def test_a_text_that_is_none_is_refused(self, source: str, says: str) -> None:
        with pytest.raises(BoardError, match=says):
            keep(source)

    def test_one_that_nobody_has_brought_is_not_known(self) -> None:
        with pytest.raises(BoardError, match="moon@0123456789abcdef is not known here"):
            load("moon@0123456789abcdef")

    @given(json_values)
    @settings(deadline=None)
    def test_any_json_is_a_board_or_refused(self, value: Any) -> None:
        with pytest.raises(BoardError):
            keep(canonical(value))


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
