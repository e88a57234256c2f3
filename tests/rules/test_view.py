"""The gate of secrets: what a reader may know of the state and of what happened."""

import re
from dataclasses import Field, fields, replace
from typing import Any, get_args

import pytest

from pbem.rules.action import Attack, EndTurn, Trade
from pbem.rules.board import Code
from pbem.rules.card import WILD, Card
from pbem.rules.event import (
    CardDrawn,
    Eliminated,
    Event,
    Forsaken,
    HandSet,
    MissionDealt,
    Traded,
)
from pbem.rules.position import Phase
from pbem.rules.state import State
from pbem.rules.view import view, visible
from tests.rules.table import A, B, C, after, cards, drawn

HANDS = {A: "ALA ARG PRU", B: "EGY WILD", C: ""}


def table(**fields: object) -> State:
    """B and C at A's table; the deck and the discards hold two cards each."""
    return drawn(
        *("A SIA 4, CHN 1; B IDA 1; C rest 1",),
        hands=HANDS,
        deck="VEN ICE",
        discards="CNG EAF",
        **fields,  # type: ignore[arg-type]
    )


def test_a_seat_sees_its_own_hand_and_how_many_cards_the_others_hold() -> None:
    seen = view(table(), A)
    assert seen.hand == cards("ALA ARG PRU")
    assert seen.hand_sizes == {A: 3, B: 2, C: 0}
    assert (seen.deck_size, seen.discards_size, seen.reader) == (2, 2, A)


def test_the_hand_on_turn_may_have_no_entry() -> None:
    assert replace(table(), hands={}).hand == ()


def test_the_public_sees_no_hand() -> None:
    assert view(table(), None).hand == ()


def test_the_table_is_the_same_for_all() -> None:
    state = table(to_place=2, sets_traded=3)
    for reader in (A, B, C, None):
        seen = view(state, reader)
        assert (seen.armies, seen.owner) == (state.armies, state.owner)
        assert (seen.to_place, seen.sets_traded) == (2, 3)
        assert seen.held(A) == state.held(A)


@pytest.mark.parametrize(
    "secret",
    [
        {"hands": {A: cards("ALA ARG PRU"), B: cards("GBR GRL"), C: ()}},
        {"deck": cards("ICE VEN")},
        {"discards": cards("EAF CNG")},
        {"deck": cards("CNG EAF"), "discards": cards("VEN ICE")},
    ],
)
def test_what_a_seat_may_not_know_changes_nothing_it_sees(
    secret: dict[str, object],
) -> None:
    state = table()
    other = replace(state, **secret)  # type: ignore[arg-type]
    assert other != state
    for reader in (A, C, None):
        assert view(other, reader) == view(state, reader)


def test_a_rival_does_not_learn_from_the_phase_that_a_small_hand_holds_a_set() -> None:
    trading = table(phase=Phase.TRADE, to_place=3)
    assert view(trading, A).phase is Phase.TRADE
    assert view(trading, B) == view(replace(trading, phase=Phase.PLACE), B)


def test_nor_from_a_free_trade_in_mid_turn() -> None:
    trading = table(phase=Phase.TRADE, mid_turn=True)
    assert view(trading, A).mid_turn
    assert view(trading, B) == view(replace(trading, phase=Phase.ATTACK, mid_turn=False), B)


def test_that_five_cards_are_traded_is_no_secret() -> None:
    state = replace(table(phase=Phase.TRADE), hands={A: cards("ALA ARG PRU VEN ICE"), B: (), C: ()})
    assert view(state, B).phase is Phase.TRADE


def test_no_field_of_a_view_holds_a_secret_card() -> None:
    seen = vars(view(table(), C))
    told = " ".join(repr(value) for name, value in seen.items() if name not in ("owner", "armies"))
    assert not [card for card in ("ALA", "ARG", "EGY", "WILD", "VEN", "CNG") if card in told]


SECRETS: list[tuple[Any, str, object]] = [
    (MissionDealt(A, "asia-africa"), "mission", None),
    (CardDrawn(A, WILD), "card", None),
    (Traded(A, cards("ALA ARG PRU"), 4, None), "cards", ()),
    (Eliminated(B, A, cards("EGY WILD")), "cards", ()),
    (Forsaken(A, cards("ALA ARG")), "cards", ()),
    (HandSet(A, cards("ALA"), dropped=1, drawn=0), "cards", ()),
]
"""Events of what A alone may know, the field that holds it, and what others read there."""


@pytest.mark.parametrize(("event", "field", "hidden"), SECRETS)
def test_only_who_holds_a_secret_sees_it(event: Any, field: str, hidden: object) -> None:
    assert visible([event], A) == (event,)
    for reader in (B, C, None):
        assert visible([event], reader) == (replace(event, **{field: hidden}),)


def test_every_event_with_a_hand_or_a_mission_is_among_them() -> None:
    secret = {
        kind
        for kind in get_args(Event)
        if {"Card", "mission"} & {word for f in fields(kind) for word in words_of(f)}
    }
    assert secret == {type(event) for event, _, _ in SECRETS}


def words_of(field: Field[object]) -> list[str]:
    """The field's name and those of its type."""
    return [field.name, *re.findall(r"\w+", str(field.type))]


def test_what_everybody_saw_is_told_to_everybody() -> None:
    start = table(captured=True, phase=Phase.ATTACK)
    _, events = after(start, Attack(Code("SIA"), Code("IDA"), 1), EndTurn(), dice="1 6")
    told = visible(events, B)
    assert [type(event) for event in told] == [type(event) for event in events]
    assert [e for e in told if not isinstance(e, CardDrawn)] == [
        e for e in events if not isinstance(e, CardDrawn)
    ]


def test_a_trade_is_told_with_its_armies() -> None:
    state = table(phase=Phase.TRADE, to_place=3)
    (told,) = visible(after(state, Trade((0, 1, 2))).events, B)
    assert told == Traded(A, (), 4, None)


def test_an_unseen_card_is_no_card() -> None:
    assert visible([CardDrawn(A, Card("ALA"))], B) == (CardDrawn(A, None),)


def test_a_chosen_capital_is_its_own_seats_alone_until_all_have_chosen() -> None:
    choosing = drawn("A SIA 5; B IDA 1; C rest 1", phase=Phase.CAPITAL, chosen={A: Code("SIA")})
    seen = {reader: view(choosing, reader).chosen for reader in (A, B, C, None)}
    assert seen == {A: "SIA", B: None, C: None, None: None}
