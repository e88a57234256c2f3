"""Positions drawn small, and a table to play on them.

    drawn("A SIA 5, CHI 2; B IDA 1; C rest 1", to_place=3, hands={"A": "EGY PRU WILD"})

A seat stands before its territories; `rest` gives a seat every territory that is not named. The
seats are A to the last letter drawn, A is on turn. What is in no hand, deck or discards is left
out of the game.
"""

from collections.abc import Mapping
from typing import Any

from pbem.rules import board as boards
from pbem.rules.action import Action
from pbem.rules.adjudicate import play
from pbem.rules.board import Code
from pbem.rules.card import Card
from pbem.rules.dice import LoadedDice
from pbem.rules.event import Event, kind
from pbem.rules.position import Phase
from pbem.rules.refusal import Reason, Refusal
from pbem.rules.ruleset import ruleset
from pbem.rules.seat import LETTERS, NEUTRAL, Seat
from pbem.rules.state import Played, State

A, B, C, D, E, F = LETTERS
WORLD = boards.load()


def drawn(
    drawing: str,
    *,
    on_turn: Seat = A,
    phase: Phase = Phase.ATTACK,
    hands: Mapping[Seat, str] | None = None,
    deck: str = "",
    discards: str = "",
    options: Mapping[str, str] | None = None,
    **fields: Any,
) -> State:
    """The state that the drawing shows; `fields` are further fields of `State`."""
    owner, armies = _holdings(drawing)
    last = max(seat for seat in (on_turn, *owner.values()) if seat != NEUTRAL)
    seats = LETTERS[: LETTERS.index(last) + 1]
    return State(
        board_id=("classic-world", None),
        ruleset=ruleset("classic-1993", options),
        seats=seats,
        phase=phase,
        on_turn=on_turn,
        owner=owner,
        armies=armies,
        hands={seat: cards((hands or {}).get(seat, "")) for seat in seats},
        deck=cards(deck),
        discards=cards(discards),
        **{"turn": 1, "link": 2, "first": A, "reserve": dict.fromkeys(seats, 0), **fields},
    )


def _holdings(drawing: str) -> tuple[dict[Code, Seat], dict[Code, int]]:
    owner: dict[Code, Seat] = {}
    armies: dict[Code, int] = {}
    rest: tuple[Seat, int] | None = None
    for part in drawing.split(";"):
        letter, _, spots = part.strip().partition(" ")
        for name, number in (spot.split() for spot in spots.split(",")):
            if name == "rest":
                rest = Seat(letter), int(number)
            else:
                owner[Code(name)], armies[Code(name)] = Seat(letter), int(number)
    for code in WORLD.codes if rest else ():
        owner.setdefault(code, rest[0] if rest else NEUTRAL)
        armies.setdefault(code, rest[1] if rest else 0)
    assert owner.keys() <= WORLD.territories.keys(), f"no such territory in {drawing!r}"
    return owner, armies


def cards(names: str) -> tuple[Card, ...]:
    """Cards by their names, parted by spaces."""
    return tuple(Card(name) for name in names.split())


class Rolls(LoadedDice):
    """Dice loaded with faces written down, blanks between them as one likes."""

    def __init__(self, faces: str) -> None:
        super().__init__([int(face) for face in faces.replace(" ", "")])


def after(state: State, *actions: Action, dice: str = "") -> Played:
    """All actions played with the given faces, every one of which must be used."""
    loaded = Rolls(dice)
    events: tuple[Event, ...] = ()
    for action in actions:
        played = play(state, action, loaded)
        assert not isinstance(played, Refusal), f"{action}: {played}"
        state, events = played.state, events + played.events
    assert not loaded.left, f"{loaded.left} dice were not rolled"
    return Played(state, events)


def refusal(state: State, action: Action) -> Refusal:
    """Why the rules say no; no die is there to be rolled."""
    refused = play(state, action, LoadedDice([]))
    assert isinstance(refused, Refusal), f"{action} was played: {refused.events}"
    return refused


def reason(state: State, action: Action) -> Reason:
    """The reason of that refusal."""
    return refusal(state, action).reason


def kinds(events: tuple[Event, ...]) -> list[str]:
    """The events by their names."""
    return [kind(event) for event in events]
