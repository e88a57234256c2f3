"""Boards of the Domination program: what is read, and that each fault is told with its line."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.rules.board import Board, ContinentId, canonical, keep
from pbem.rules.domination.board import Imported
from pbem.rules.domination.sheet import Remark, decode, slug_of
from tests.rules.atlas import CARDS, MAP, Sketch, imported, middle_sea, sketches, text

THE_MAP, THE_CARDS = text(MAP), text(CARDS)


def board_of(found: Imported) -> Board:
    assert found.data is not None, found.faults
    return keep(canonical(found.data))


def line_of(of: str, beginning: str) -> int:
    """The number of the one line that begins so."""
    (number,) = (n for n, line in enumerate(of.splitlines(), 1) if line.startswith(beginning))
    return number


class TestTheBoardMadeByHand:
    def test_it_is_read_whole(self) -> None:
        board = middle_sea()
        assert (len(board.codes), len(board.continents), board.wild_cards) == (14, 4, 2)
        assert sum(map(len, board.neighbours.values())) == 2 * 22
        assert board.id.startswith("middle-sea@")
        assert board.title == "Middle Sea"
        assert {c.name: c.bonus for c in board.continents.values()} == {
            "Western Shore": 3,
            "Eastern Shore": 4,
            "Southern Sands": 2,
            "The Isles": 2,
        }

    def test_codes_are_made_of_the_names(self) -> None:
        codes = "IBE GAL ITA APA ILL HEL THR AMI MAU CAR AEG SAR SIC CRE"
        assert " ".join(middle_sea().codes) == codes

    def test_cards_have_the_symbols_of_the_file_in_both_decks(self) -> None:
        symbols = {t.name: t.symbols for t in middle_sea().territories.values()}
        assert symbols["Italia"] == {"hasbro": "artillery", "continental": "artillery"}
        assert symbols["Creta"] == {"hasbro": "cavalry", "continental": "cavalry"}

    def test_missions_have_their_kinds(self) -> None:
        board = middle_sea()
        told = {own.id: own for own in board.missions}
        assert list(told) == [
            "continents-1-4",
            "continents-2-3",
            "continents-3-any",
            "occupy-9",
            "occupy-7x2",
            *(f"destroy-{n}" for n in range(1, 7)),
        ]
        assert told["continents-3-any"].continents == ("southern-sands",)  # type: ignore[index]  # ids are texts
        assert told["continents-3-any"].any_extra == 1  # type: ignore[index]  # ids are texts
        assert told["destroy-2"].target == "B"  # type: ignore[index]  # ids are texts
        assert told["destroy-2"].fallback == "occupy-9"  # type: ignore[index]  # ids are texts

    def test_without_cards_the_symbols_go_round_by_continent(self) -> None:
        found = imported(THE_MAP)
        board = board_of(found)
        shown = [board.territories[code].symbols["hasbro"] for code in board.codes]
        assert shown == (["infantry", "cavalry", "artillery"] * 5)[:14]
        assert (board.wild_cards, board.missions) == (2, ())
        assert [note.text for note in found.notes] == [
            "the cards are in middle-sea.cards, which was not given: the symbols go round, and"
            " there are no missions"
        ]
        (note,) = imported(THE_MAP.replace("crd middle-sea.cards", "")).notes
        assert note.text.startswith("no cards were given: the symbols go round, and")

    def test_territories_stand_by_continent_whatever_their_order_in_the_file(self) -> None:
        lines = THE_MAP.splitlines()
        first = line_of(THE_MAP, "1 Iberia") - 1
        shuffled = "\n".join(
            [*lines[:first], *reversed(lines[first : first + 14]), *lines[first + 14 :]]
        )
        board = board_of(imported(shuffled))
        names = [board.territories[code].name for code in board.codes[:4]]
        assert names == ["Alpine Pass", "Italia", "Gallia", "Iberia"]
        assert board.continents[ContinentId("western-shore")].territories == board.codes[:4]


MAP_FAULTS = [
    (
        "1 2 9 12",
        "1 2 9",
        "12 1 10 13",
        "12 Sardinia has a border with 1 Iberia, but the line of 1 does not name 12; add"
        " 12 there, or take 1 out here",
    ),
    ("4 2 3 5", "4 2 3 5 4", "4 2 3 5 4", "4 Alpine Pass has a border with itself"),
    (
        "4 2 3 5",
        "4 2 3 5 44",
        "4 2 3 5 44",
        "there is no territory '44'; borders are written with the numbers of [countries]",
    ),
    (
        "4 2 3 5",
        "4 2 3 5 Illyria",
        "4 2 3 5 Ill",
        "there is no territory 'Illyria'; borders are written with the numbers of [countries]",
    ),
    (
        "5 Illyria 2",
        "5 Illyria 7",
        "5 Illyria 7",
        "Illyria: there is no continent '7'; [continents] has 1 to 4",
    ),
    (
        "5 Illyria 2",
        "5 Illyria Isles",
        "5 Illyria Isles",
        "Illyria: there is no continent 'Isles'; [continents] has 1 to 4",
    ),
    (
        "5 Illyria 2",
        "5 HELLAS 2",
        "6 Hellas",
        "the territory of line 19 is called Hellas too; rename one",
    ),
    ("5 Illyria 2", "4 Illyria 2", "4 Illyria", "the number 4 is that of line 18 too"),
    (
        "5 Illyria 2",
        "five Illyria 2",
        "five Ill",
        "'five' is no number of a territory, count from 1",
    ),
    ("5 Illyria 2 380 140", "5 Illyria", "5 Illyria", "a territory is: number name continent x y"),
    (
        "5 Illyria 2",
        "5 --- 2",
        "5 ---",
        "'---' cannot name a territory: a name has a letter, at most 40 signs, and blanks"
        " are written as _",
    ),
    (
        "The_Isles 2 magenta",
        "The_Isles two magenta",
        "The_Isles two",
        "The Isles: behind the name stands its bonus, as a number",
    ),
    (
        "The_Isles 2 magenta",
        "western_shore 2 red",
        "western_shore 2",
        "the continent of line 9 is called western shore too; rename one",
    ),
    (
        "The_Isles 2 magenta",
        "The_Isles 2 red\nAtlantis 9",
        "Atlantis",
        "the continent Atlantis has no territory; give it one below [countries], or take"
        " the line out",
    ),
    (
        "[borders]",
        "[edges]",
        "14 6 8 11",
        "no borders; write [borders], then a line each: number neighbours",
    ),
]


@pytest.mark.parametrize(("old", "new", "at", "says"), MAP_FAULTS)
def test_a_broken_map_is_refused_with_the_line(old: str, new: str, at: str, says: str) -> None:
    assert THE_MAP.count(old) >= 1
    broken = THE_MAP.replace(old, new, 1)
    found = imported(broken)
    assert found.data is None
    told = [fault for fault in found.faults if fault.text == says]
    assert [(fault.file, fault.line) for fault in told] == [(MAP, line_of(broken, at))], found


def test_a_board_in_pieces_is_refused_with_the_first_that_is_cut_off() -> None:
    apart = THE_MAP.replace("14 6 8 11", "").replace("6 5 7 14", "6 5 7")
    apart = apart.replace("8 7 11 14", "8 7 11").replace("11 8 10 14", "11 8 10")
    (fault,) = imported(apart).faults
    assert fault.line == line_of(apart, "14 Creta")
    assert "no way leads from 1 Iberia to 14 Creta" in fault.text


def test_too_few_territories_are_refused_at_their_section() -> None:
    few = "[continents]\nA 2\n[countries]\n1 X 1\n2 Y 1\n[borders]\n1 2\n2 1\n"
    (fault,) = imported(few).faults
    assert (fault.line, fault.text.split(";")[0]) == (3, "2 territories")


def test_all_faults_are_told_at_once() -> None:
    broken = THE_MAP.replace("4 2 3 5", "4 2 3 5 4 99").replace("2 Gallia 1", "2 Gallia 9")
    assert len(imported(broken, THE_CARDS.replace("Cavalry 2", "Elephant 2")).faults) == 4


CARD_FAULTS = [
    (
        "Cavalry 2",
        "Elephant 2",
        "there is no symbol 'Elephant'; a card is Infantry, Cavalry, Cannon or wildcard",
    ),
    (
        "Cavalry 2",
        "Cavalry 22",
        "there is no territory '22'; behind the symbol stands a number of [countries]",
    ),
    (
        "Cavalry 2",
        "Cavalry Gallia",
        "there is no territory 'Gallia'; behind the symbol stands a number of [countries]",
    ),
    (
        "Cavalry 2",
        "Cavalry",
        "there is no territory without a number; behind the symbol stands a number of [countries]",
    ),
    ("Cavalry 2", "Cavalry 1", "1 has its card in line 2 already"),
    (
        "0 9 1 0 0 0",
        "0 19 1 0 0 0",
        "the mission asks for 19 territories, the board has 14; lower the number, or take"
        " the line out",
    ),
    (
        "0 9 1 0 0 0",
        "0 0 0 0 0 0",
        "a mission is to destroy a player, to occupy territories or to hold continents,"
        " one of these",
    ),
    (
        "0 9 1 0 0 0",
        "0 9 1 1 0 0",
        "a mission is to destroy a player, to occupy territories or to hold continents,"
        " one of these",
    ),
    (
        "0 9 1 0 0 0",
        "1 0 0 1 0 0",
        "a mission is to destroy a player, to occupy territories or to hold continents,"
        " one of these",
    ),
    ("0 9 1 0 0 0", "0 0 0 5 0 0", "a continent is a number from 1 to 4, * for any, 0 for none"),
    (
        "0 9 1 0 0 0",
        "0 0 0 Isles 0 0",
        "a continent is a number from 1 to 4, * for any, 0 for none",
    ),
    (
        "0 9 1 0 0 0",
        "0 9",
        "a mission is: player territories armies continent continent continent, 0 for"
        " what it does not ask",
    ),
    (
        "0 9 1 0 0 0",
        "9 9 1 0 0 0",
        "a mission begins with three numbers, the first a player from 1 to 6 or 0: player"
        " territories armies continent continent continent",
    ),
    (
        "0 9 1 0 0 0",
        "a 9 1 0 0 0",
        "a mission begins with three numbers, the first a player from 1 to 6 or 0: player"
        " territories armies continent continent continent",
    ),
]


@pytest.mark.parametrize(("old", "new", "says"), CARD_FAULTS)
def test_broken_cards_are_refused_with_the_line(old: str, new: str, says: str) -> None:
    # The last words of a mission tell a person what the numbers say.
    broken = THE_CARDS.replace(f"{old} Hold nine territories.", old).replace(
        old + "\n", new + "\n", 1
    )
    found = imported(THE_MAP, broken)
    assert found.data is None
    told = [fault for fault in found.faults if fault.text == says]
    numbers = [n for n, line in enumerate(broken.splitlines(), 1) if line == new]
    assert [(fault.file, fault.line) for fault in told] == [(CARDS, numbers[-1])], found.faults


def test_a_mission_of_more_continents_than_there_are_is_refused_with_the_line() -> None:
    two = THE_MAP.replace("Southern_Sands 2 orange\nThe_Isles 2 magenta\n", "")
    two = re.sub(r"(?m)^(\d+ [A-Z]\w+) [34] ", r"\1 1 ", two)
    found = imported(two, "[cards]\nInfantry 1\n[missions]\n0 0 0 1 2 0\n0 0 0 1 2 *\n")
    assert found.faults == (Remark(CARDS, 5, "there are only 2 continents"),)


def test_cards_without_a_section_are_refused_with_the_last_line() -> None:
    (fault,) = imported(THE_MAP, "Infantry 1\n\n").faults
    assert (fault.file, fault.line) == (CARDS, 1)


class TestHowFilesAreWritten:
    def test_an_id_has_small_letters_digits_and_hyphens_and_no_more_than_36(self) -> None:
        assert slug_of("Île d'Oléron, 2nd") == "ile-d-oleron-2nd"
        assert slug_of("a" * 50) == "a" * 36
        assert slug_of("a" * 35 + " b") == "a" * 35
        assert slug_of("日本") == ""

    def test_line_ends_comments_and_blanks_make_no_difference(self) -> None:
        plain = imported(THE_MAP).data
        for other in (
            THE_MAP.replace("\n", "\r\n"),
            THE_MAP.replace("\n", "\r"),
            THE_MAP.replace("\n", " ; and so on\n"),
            THE_MAP.replace(" ", "\t").replace("name\tMiddle\tSea", "name Middle Sea"),
            THE_MAP.replace("[countries]", " [Countries] ;of all"),
            "\n\n" + THE_MAP + "\n\n[other]\nsomething else\n",
        ):
            assert imported(other).data == plain

    def test_a_board_whose_title_gives_no_id_is_called_board(self) -> None:
        other = THE_MAP.replace("name Middle Sea", "name 日本")
        assert other != THE_MAP
        assert board_of(imported(other)).id.startswith("board@")

    def test_names_may_stand_in_quotation_marks(self) -> None:
        assert (
            imported(THE_MAP.replace("Alpine_Pass", '"Alpine Pass"')).data == imported(THE_MAP).data
        )

    def test_older_files_have_letters_of_one_byte(self) -> None:
        named = THE_MAP.replace("Hellas", "Köln_an_der_Größe")
        assert decode(named.encode("cp1252")) == decode(named.encode("utf-8-sig")) == named

    def test_borders_written_once_each_are_borders(self) -> None:
        once = (
            THE_MAP[: THE_MAP.index("[borders]")]
            + "[borders]\n"
            + "\n".join(f"{one} {other}" for one, other in PAIRS)
        )
        assert imported(once).data == imported(THE_MAP).data

    def test_a_territory_without_a_card_gets_the_rarest_symbol(self) -> None:
        found = imported(THE_MAP, THE_CARDS.replace("Cannon 12\n", ""))
        board = board_of(found)
        (sardinia,) = (t for t in board.territories.values() if t.name == "Sardinia")
        assert sardinia.symbols["hasbro"] == "artillery"
        assert [note.text for note in found.notes] == [
            "12 Sardinia has no card and gets one: artillery"
        ]

    def test_a_mission_that_comes_twice_counts_once(self) -> None:
        found = imported(THE_MAP, THE_CARDS + "0 9 1 0 0 0 again\n")
        assert "counts once" in found.notes[-1].text
        assert board_of(found).missions == middle_sea().missions

    def test_who_has_the_colour_to_destroy_gets_a_number_where_the_file_has_none(self) -> None:
        found = imported(THE_MAP, "[cards]\nInfantry 1\n[missions]\n1 0 0 0 0 0\n")
        destroy, occupy = board_of(found).missions
        assert (destroy.fallback, occupy.id, occupy.count) == ("occupy-8", "occupy-8", 8)
        assert (destroy.only_fallback, occupy.only_fallback) == (False, True)

    def test_a_script_without_latin_letters_has_codes_all_the_same(self) -> None:
        board = board_of(imported(THE_MAP.replace("Hellas", "Ελλάς").replace("Creta", "Κρήτη")))
        assert len(set(board.codes)) == 14
        assert {t.name for t in board.territories.values()} >= {"Ελλάς", "Κρήτη"}


PAIRS = [
    (1, 2), (1, 9), (1, 12), (2, 3), (2, 4), (3, 4), (3, 5), (3, 13), (4, 5), (5, 6), (5, 7),
    (6, 7), (6, 14), (7, 8), (8, 11), (8, 14), (9, 10), (10, 11), (10, 12), (10, 13), (11, 14),
    (12, 13),
]  # fmt: skip


@given(sketches(), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())
@settings(max_examples=60, deadline=None)
def test_what_is_written_is_read_back(sketch: Sketch, end: str, both: bool) -> None:
    found = imported(sketch.map_text(end, both=both), sketch.cards_text())
    board = board_of(found)
    by_name = {t.name: t for t in board.territories.values()}
    names = [name for name, _ in sketch.territories]
    assert set(by_name) == set(names)
    assert [(c.name, c.bonus) for c in board.continents.values()] == sketch.continents
    homes = {name: sketch.continents[home - 1][0] for name, home in sketch.territories}
    assert {n: board.continents[t.continent].name for n, t in by_name.items()} == homes
    near = {(names[one - 1], names[other - 1]) for one, other in sketch.borders}
    assert near == {
        (one, other)
        for one in names
        for other in names
        if board.adjacent(by_name[one].code, by_name[other].code)
        and names.index(one) < names.index(other)
    }
    assert [by_name[name].symbols["hasbro"] for name in names] == sketch.symbols
    assert board.wild_cards == sketch.wild_cards
    assert len(board.missions) in (3, 4)


@given(sketches(), st.sets(st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=3, max_size=3)))
@settings(max_examples=30, deadline=None)
def test_codes_are_one_for_each_and_no_reserved_word(sketch: Sketch, reserved: set[str]) -> None:
    found = imported(sketch.map_text(), reserved=reserved)
    again = imported(sketch.map_text(), reserved=reserved)
    assert found == again
    board = board_of(found)
    assert len(set(board.codes)) == len(sketch.territories)
    assert not reserved & {*board.codes}


WORDS = st.sampled_from(
    [
        *("[continents]", "[countries]", "[borders]", "[cards]", "[missions]", "[", "name", ";"),
        *("0", "1", "2", "7", "999999999", "-1", "*", "A_b", '"', "wildcard", "Infantry", "½"),
        "\ud800",
    ]
)
LINES = st.lists(st.lists(WORDS, max_size=7).map(" ".join), max_size=40).map("\n".join)


@given(st.one_of(LINES, st.text()), st.one_of(st.none(), LINES, st.text()))
@settings(max_examples=150, deadline=None)
def test_any_text_is_a_board_or_has_a_fault_with_a_line(first: str, second: str | None) -> None:
    found = imported(first, second)
    assert bool(found.data) != bool(found.faults)
    texts = {MAP: first, CARDS: second or ""}
    for remark in (*found.faults, *found.notes):
        assert 1 <= remark.line <= len(texts[remark.file].replace("\r", "\n").split("\n"))


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_a_map_with_lines_taken_out_never_breaks_the_reader(data: st.DataObject) -> None:
    lines = THE_MAP.splitlines()
    gone = data.draw(st.sets(st.integers(0, len(lines) - 1), min_size=1, max_size=4))
    left = "\n".join(line for n, line in enumerate(lines) if n not in gone)
    found = imported(left, THE_CARDS)
    assert bool(found.data) != bool(found.faults)


@given(st.binary())
def test_any_bytes_are_a_text(raw: bytes) -> None:
    assert isinstance(decode(raw), str)
