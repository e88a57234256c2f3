"""The text board for any position: widths, and every territory once."""

import quopri
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.render import contexts, textboard
from pbem.render.catalogue import languages
from pbem.render.columns import WIDTH, width
from pbem.render.letters import compose
from pbem.rules.board import ContinentId
from pbem.rules.event import Rolled
from pbem.rules.position import Phase
from pbem.rules.seat import COLOURS, LETTERS
from pbem.rules.view import View, view
from tests.render.samples import BOARD, DONE, TABLE, TURN_CALL, seen, state
from tests.render.test_letters import lands

names = st.text(
    st.characters(categories=["L", "M"], include_characters=" '-"), min_size=1, max_size=24
).map(str.strip)


@st.composite
def tables(draw: st.DrawFn) -> tuple[contexts.Table, View]:
    seats = LETTERS[: draw(st.integers(3, 6))]
    lines = tuple(
        contexts.SeatLine(seat, colour, draw(names) or colour)
        for seat, colour in zip(seats, COLOURS, strict=False)
    )
    game = replace(
        state(),
        seats=seats,
        hands=dict.fromkeys(seats, ()),
        owner={code: draw(st.sampled_from(seats)) for code in BOARD.codes},
        armies={code: draw(st.integers(1, 999)) for code in BOARD.codes},
    )
    return replace(TABLE, seats=lines), view(game, TABLE.reader)


@settings(deadline=None, max_examples=60)
@given(tables())
def test_any_board_fits_72_columns_and_names_each_territory_once(
    drawn: tuple[contexts.Table, View],
) -> None:
    table, seen_by_anna = drawn
    context = replace(DONE, table=table, view=seen_by_anna, lines=(), ignored=())
    text = compose("done", context).text
    assert max(map(width, text.splitlines())) <= WIDTH
    found = {code: (owner, int(armies)) for code, _, owner, armies in lands(text)}
    assert len(lands(text)) == 42
    assert found == {c: (seen_by_anna.owner[c], seen_by_anna.armies[c]) for c in BOARD.codes}


@settings(deadline=None, max_examples=60)
@given(tables())
def test_the_heading_has_at_least_two_seats_a_line(drawn: tuple[contexts.Table, View]) -> None:
    table, seen_by_anna = drawn
    text = compose("done", replace(DONE, table=table, view=seen_by_anna)).text
    heading = text[text.index("BOARD   ") :].split("\n\n")[0].splitlines()
    letters = [re.findall(r"(?:^BOARD   |^ {8}|, )([A-F]) [A-Z][a-z]+", line) for line in heading]
    assert [letter for row in letters for letter in row] == [line.letter for line in table.seats]
    assert min(map(len, letters)) >= 2


def test_the_columns_are_nearly_equal_and_keep_the_order_of_the_continents() -> None:
    rows = textboard.rows(seen())
    heads = [
        cell.continent
        for column in zip(*rows, strict=True)
        for cell in column
        if isinstance(cell, textboard.Head)
    ]
    assert heads == list(BOARD.continents)
    assert len(rows) == 27


def test_a_held_continent_names_its_holder() -> None:
    holders = {head.continent: head.holder for head, _ in textboard.continents(seen())}
    assert holders[ContinentId("australia")] == "A"
    assert holders[ContinentId("asia")] is None


def test_the_table_of_players_counts_what_each_holds() -> None:
    anna = textboard.standings(seen())[0]
    held = [code for code, owner in seen().owner.items() if owner == "A"]
    assert anna.territories == len(held) == 15
    assert anna.armies == sum(seen().armies[code] for code in held)
    assert anna.income == 15 // 3 + 2
    assert anna.cards == 3


@pytest.mark.parametrize(("phase", "marked"), [(Phase.PLACE, ["A"]), (Phase.FILL, [])])
def test_nobody_is_on_turn_while_all_lists_of_the_setup_are_waited_for(
    phase: Phase, marked: list[str]
) -> None:
    shown = replace(seen(), phase=phase)
    assert [row.seat for row in textboard.standings(shown) if row.on_turn] == marked


def test_changed_territories_bear_a_mark() -> None:
    text = compose("done", DONE).text
    assert set(re.findall(r"! ([A-Z]{3}) ", text)) == {"IDA", "SIA", "IDO"}


def test_a_war_of_six_seats_stays_under_40_kb_as_it_is_sent() -> None:
    """Webmail cuts long letters: here sixty battles of three rolls each since the last turn."""
    seats = tuple(
        contexts.SeatLine(seat, colour, f"{colour} {'x' * 15}")
        for seat, colour in zip(LETTERS, COLOURS, strict=True)
    )
    game = replace(
        state(),
        seats=LETTERS,
        hands=dict.fromkeys(LETTERS, ()),
        owner={code: LETTERS[place % 6] for place, code in enumerate(BOARD.codes)},
    )
    since = tuple(
        Rolled(
            3 * battle + roll, LETTERS[1 + battle // 12], source, target, (6, 5, 4), (3, 2), 1, 1
        )
        for battle, (source, target) in enumerate(
            zip(BOARD.codes * 2, BOARD.codes[1:] * 2, strict=False)
        )
        for roll in range(3)
        if battle < 60
    )
    context = replace(
        TURN_CALL, table=replace(TABLE, seats=seats), view=view(game, TABLE.reader), since=since
    )
    html = compose("turn-call", context).html
    assert html.count("attacked") == 60
    assert len(quopri.encodestring(html.encode())) < 40_000


def test_the_board_as_a_list_is_a_line_a_territory() -> None:
    """For screen readers: names, no columns, no codes (orders.md, SET BOARD LIST)."""
    text = compose("done", replace(DONE, table=replace(TABLE, board="list"))).text
    assert re.search(r"^India: Red, \d+ \(changed\)$", text, re.MULTILINE)
    assert "IDA" not in text
    for code in BOARD.codes:
        name = BOARD.territories[code].name
        assert len(re.findall(rf"^{name}: ", text, re.MULTILINE)) == 1
    assert lands(text) == []


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("context", [TURN_CALL, DONE], ids=lambda context: context.kind)
def test_a_simple_program_finds_each_territory_once_with_its_whole_name(
    context: contexts.TurnCall | contexts.Done, language: str
) -> None:
    """Its pattern knows no bounds of words and lines, and sees nothing else in the letter."""
    pattern = re.compile(r"([A-Z]{3})\s+(.+?)\s+([A-FN])\s+(\d+)")
    many = replace(state(), armies=dict.fromkeys(BOARD.codes, 123))
    text = compose(context.kind, replace(context, view=view(many, TABLE.reader)), language).text
    names = {c: t.names.get(language, t.name) for c, t in BOARD.territories.items()}
    expected = [(code, names[code], many.owner[code], "123") for code in BOARD.codes]
    assert sorted(pattern.findall(text)) == sorted(expected)
    assert max(map(width, text.splitlines())) <= WIDTH
