"""What notation writes it reads back: positions, states, events."""

import json
from dataclasses import fields, replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.rules import board
from pbem.rules.card import WILD, Card, full_deck
from pbem.rules.event import Event, kind
from pbem.rules.notation import (
    NotationError,
    checksum,
    drawing,
    event_from_json,
    event_to_json,
    line,
    position,
    state_from_json,
    state_to_json,
)
from pbem.rules.position import Occupation, Phase, Position
from pbem.rules.ruleset import ruleset
from pbem.rules.seat import LETTERS, NEUTRAL, Seat
from pbem.rules.state import State
from pbem.rules.view import view

BOARD = board.load()
CODES = st.sampled_from(BOARD.codes)
SEATS = st.sampled_from(LETTERS)
ARMIES = st.integers(0, 400)
RULESETS = st.sampled_from(
    [ruleset("classic-1993"), ruleset("classic-1993", {"setup": "deal", "fortify": "chain"})]
)
CARDS = st.lists(st.sampled_from(full_deck(BOARD)), max_size=6).map(tuple)


@st.composite
def states(draw: st.DrawFn) -> State:
    land = draw(st.dictionaries(CODES, st.tuples(st.sampled_from([*LETTERS, NEUTRAL]), ARMIES)))
    return State(
        board_id=("classic-world", None),
        ruleset=draw(RULESETS),
        seats=LETTERS[: draw(st.integers(2, 6))],
        phase=draw(st.sampled_from(Phase)),
        turn=draw(st.integers(0, 300)),
        on_turn=draw(st.none() | SEATS),
        first=draw(st.none() | SEATS),
        owner={code: owner for code, (owner, _) in land.items()},
        armies={code: armies for code, (_, armies) in land.items()},
        reserve=draw(st.dictionaries(SEATS, ARMIES)),
        to_place=draw(ARMIES),
        placed=draw(st.dictionaries(CODES, ARMIES)),
        sets_traded=draw(st.integers(0, 30)),
        bonus_taken=draw(st.booleans()),
        mid_turn=draw(st.booleans()),
        captured=draw(st.booleans()),
        occupation=draw(st.none() | st.builds(Occupation, CODES, CODES, ARMIES, ARMIES)),
        rolled=draw(st.booleans()),
        eliminated=tuple(draw(st.lists(SEATS, unique=True))),
        winner=draw(st.none() | SEATS),
        next_roll=draw(st.integers(1, 5000)),
        link=draw(st.integers(0, 4096)),
        hands=draw(st.dictionaries(SEATS, CARDS)),
        deck=draw(CARDS),
        discards=draw(CARDS),
        reshuffles=draw(st.integers(0, 9)),
        missions=draw(st.dictionaries(SEATS, st.sampled_from(["occupy-24", "destroy-2"]))),
        held_since=draw(st.dictionaries(SEATS, st.integers(0, 9))),
        chosen=draw(st.dictionaries(SEATS, CODES)),
        began_with=draw(st.dictionaries(st.just("fortify"), st.just("adjacent"))),
    )


EVENTS: st.SearchStrategy[Event] = st.one_of([st.from_type(event) for event in get_args(Event)])


def a_state(**changes: Any) -> State:
    start = State(
        board_id=("classic-world", None),
        ruleset=ruleset("classic-1993"),
        seats=LETTERS[:3],
        phase=Phase.PLACE,
        turn=23,
        on_turn=Seat("A"),
        owner={code: Seat("ABC"[place % 3]) for place, code in enumerate(BOARD.codes)},
        armies={code: place % 7 + 1 for place, code in enumerate(BOARD.codes)},
        to_place=5,
    )
    return replace(start, **changes)


@given(states())
def test_a_position_reads_back_from_its_line(state: State) -> None:
    text = line(state)
    assert "\n" not in text
    assert line(position(text)) == text
    public = {field.name: getattr(state, field.name) for field in fields(Position)}
    assert position(text) == Position(**public)


@given(states())
def test_a_state_reads_back_from_json_with_its_secrets(state: State) -> None:
    assert state_from_json(json.loads(json.dumps(state_to_json(state)))) == state


@given(EVENTS)
def test_an_event_reads_back_from_json(event: Event) -> None:
    data = json.loads(json.dumps(event_to_json(event)))
    assert data["kind"] == kind(event)
    assert event_from_json(data) == event


def test_equal_positions_give_one_line_in_whatever_order_they_were_made() -> None:
    state = a_state()
    backwards = replace(
        state,
        owner={code: state.owner[code] for code in reversed(BOARD.codes)},
        armies={code: state.armies[code] for code in reversed(BOARD.codes)},
    )
    assert line(backwards) == line(state)


def test_the_checksum_is_alike_for_the_state_and_every_view_of_it() -> None:
    state = a_state(hands={Seat("A"): (WILD, Card("EGY")), Seat("B"): (Card("PRU"),)})
    assert {checksum(view(state, reader)) for reader in (None, *state.seats)} == {checksum(state)}


def test_the_checksum_does_not_tell_whether_a_hand_holds_a_set() -> None:
    assert checksum(a_state(phase=Phase.TRADE)) == checksum(a_state(phase=Phase.PLACE))


@pytest.mark.parametrize(
    "changes", [{"to_place": 6}, {"turn": 24}, {"link": 3}, {"phase": Phase.ATTACK}]
)
def test_the_checksum_changes_with_the_position(changes: dict[str, Any]) -> None:
    assert checksum(a_state(**changes)) != checksum(a_state())


def test_the_checksum_of_a_known_position_stays_for_ever() -> None:
    assert checksum(a_state()) == "1a5da5d9"


def test_the_drawing_shows_each_continent_with_owners_and_armies() -> None:
    shown = drawing(a_state())
    assert "phase=place turn=23 on=A to-place=5" in shown.splitlines()[0]
    assert "Australia 2" in shown
    assert all(f"{c} {a_state().owner[c]} {a_state().armies[c]}" in shown for c in BOARD.codes)


def test_the_drawing_shows_a_free_territory_as_nobodys() -> None:
    assert "SIA - 0" in drawing(a_state(owner={}, armies={}))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("board=classic-world colour=red", "no 'colour'"),
        ("board=classic-world", "not whole"),
        (line(a_state()).replace("classic-world", "moon"), "no board"),
        (line(a_state()).replace("classic-1993", "moon"), "no ruleset"),
        (line(a_state()).replace("turn=23", "turn=x"), "'turn=x'"),
        (line(a_state()).replace("phase=place", "phase=tea"), "tea"),
        (line(a_state()).replace("ALA:A1", "ALA"), "not readable"),
    ],
)
def test_an_unreadable_line_is_named(text: str, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        position(text)


def test_a_state_of_another_version_is_refused() -> None:
    with pytest.raises(NotationError, match="version 2"):
        state_from_json({**state_to_json(a_state()), "v": 2})


def test_a_state_of_before_there_were_missions_and_capitals_has_none() -> None:
    secrets = ("missions", "held_since", "chosen", "began_with")
    old = {key: value for key, value in state_to_json(a_state()).items() if key not in secrets}
    assert state_from_json(old) == a_state()


def test_a_state_without_its_hands_is_refused() -> None:
    data = state_to_json(a_state())
    del data["hands"]
    with pytest.raises(NotationError, match="hands"):
        state_from_json(data)


@pytest.mark.parametrize("data", [{"kind": "tea-drunk"}, {}, {"kind": "won", "seat": "A"}])
def test_an_unknown_or_broken_event_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(NotationError):
        event_from_json(data)
