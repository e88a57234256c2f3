"""The small map of the text board: every territory once, near its place, and nothing to misread."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.orders import reader
from pbem.orders.sheet import Table
from pbem.render.columns import WIDTH
from pbem.render.minimap import minimap
from pbem.rules.seat import LETTERS, NEUTRAL
from pbem.rules.state import State
from tests.render.samples import BOARD, state

PLACE = re.compile(r"([a-z]{3}) (?:([A-FN])(\d+)|-)")
most = st.sampled_from([9, 99, 999, 9999])


@st.composite
def positions(draw: st.DrawFn) -> State:
    highest = draw(most)
    held = [code for code in BOARD.codes if draw(st.integers(0, 9))]
    return replace(
        state(),
        owner={code: draw(st.sampled_from((*LETTERS, NEUTRAL))) for code in held},
        armies={code: draw(st.integers(1, highest)) for code in held},
    )


@settings(max_examples=40, deadline=None)
@given(positions())
def test_every_territory_stands_in_it_once_with_owner_and_armies(position: State) -> None:
    lines = minimap(position)
    found = {m[1].upper(): (m[2], m[3]) for line in lines for m in PLACE.finditer(line)}
    wanted = {
        code: (
            position.owner.get(code),
            str(position.armies[code]) if code in position.owner else None,
        )
        for code in BOARD.codes
    }
    assert found == wanted
    assert sum(len(PLACE.findall(line)) for line in lines) == 42
    assert max(map(len, lines)) <= WIDTH


def test_neighbours_of_the_world_stand_where_the_world_has_them() -> None:
    lines = minimap(state())
    spots = {m[1]: (row, m.start()) for row, line in enumerate(lines) for m in PLACE.finditer(line)}
    assert spots["ala"][1] < spots["ont"][1] < spots["ice"][1] < spots["ukr"][1] < spots["jpn"][1]
    assert spots["grl"][0] < spots["que"][0] < spots["ven"][0] < spots["arg"][0]
    assert spots["sca"][0] < spots["seu"][0] < spots["egy"][0] < spots["saf"][0]


@pytest.mark.parametrize("language", ["en", "it", "nl", "sl"])
def test_no_line_of_it_reads_as_an_order(language: str) -> None:
    sheet = reader.read(minimap(state()), language, Table(BOARD))
    assert not sheet.lines
    assert not sheet.services


def test_a_board_without_a_map_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.render.minimap.drawable", lambda _board: False)
    assert minimap(state()) == ()
