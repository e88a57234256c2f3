"""Orders on boards of other makers: what is printed reads back, whatever the territories' names."""

import pytest
from hypothesis import given, settings

from pbem.orders import write
from pbem.orders.lexicon import LANGUAGES, lexicon, reserved
from pbem.orders.plan import Place, Spot
from pbem.orders.reader import read
from pbem.orders.sheet import Table
from pbem.orders.spelling import words
from pbem.orders.unsaid import unsaid, unsaid_continents
from pbem.rules import board as boards
from pbem.rules.board import Board, Code
from tests.rules.atlas import MAP, Sketch, imported, middle_sea, sketches, text


def board_of(map_text: str) -> Board:
    found = imported(map_text, reserved=reserved())
    assert found.data is not None, found.faults
    return boards.keep(boards.canonical(found.data))


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_names_of_our_own_boards_can_be_said(language: str) -> None:
    for variant in (None, *boards.variants()):
        assert not unsaid(language, boards.load(boards.CLASSIC, variant))
        assert not unsaid_continents(language, boards.load(boards.CLASSIC, variant))


def test_continents_that_orders_cannot_say_are_named() -> None:
    board = board_of(text(MAP).replace("The_Isles", "Hellas").replace("Western_Shore", "Hold_1"))
    assert unsaid_continents("en", board) == ("Hold 1", "Hellas")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Capital", "CAP"),
        ("End", "EAA"),
        ("Sector_7", "SEC"),
        ("The_Isles", "TIS"),
        ("St._Louis", "SLO"),
    ],
)
def test_a_name_that_orders_cannot_say_is_printed_as_its_code(name: str, code: str) -> None:
    board = board_of(text(MAP).replace("Hellas", name).replace("Italia", "Sector_8"))
    assert Code(code) in unsaid("en", board)
    said = write.Printer("en", board).name(Code(code))
    assert said == code


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_the_classic_world_mean_nothing_on_another_board(language: str) -> None:
    known = lexicon(language, middle_sea())
    assert words("Siam") not in known.names
    assert all(code in middle_sea().codes for p in known.names.values() for code in p.territories)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_code_of_an_imported_board_is_a_word_of_the_orders(language: str) -> None:
    named = ["All", "And", "Put", "Red", "Win", "Van", "Tre", "Set", "Yes", "Dam", "Val", "Won"]
    lines = text(MAP)
    for old, new in zip(["Iberia", "Gallia", "Italia", "Illyria", "Hellas"], named, strict=False):
        lines = lines.replace(old, new)
    board = board_of(lines)
    known = lexicon(language, board)
    for code in board.codes:
        assert words(code) not in known.phrases
        assert known.names[words(code)].territories == (code,)


@given(sketches())
@settings(max_examples=25, deadline=None)
def test_every_printed_place_reads_back_on_any_board(sketch: Sketch) -> None:
    board = board_of(sketch.map_text())
    for language in LANGUAGES:
        for code in board.codes:
            order = Place((Spot(code, 3),))
            line = write.write(order, language, board)
            (found,) = read([line], language, Table(board)).lines
            (sentence,) = found.sentences
            assert sentence.orders == (order,), line
