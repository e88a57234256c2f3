"""The state of a case's position."""

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.judge.cases.case import Case, CaseError
from pbem.judge.lobby import BOARD
from pbem.rules import board as boards
from pbem.rules.board import Board, Code
from pbem.rules.card import WILD, Card
from pbem.rules.position import SETUP, TURN, Phase
from pbem.rules.ruleset import Ruleset
from pbem.rules.seat import COLOURS, LETTERS, NEUTRAL, Seat
from pbem.rules.state import State

KEYS = frozenset(
    {
        *("seats", "turn", "phase", "to_place", "captured", "sets_traded", "rest", "holdings"),
        *("hands", "deck", "discards", "neutral", "reserve", "defence", "bonus_taken", "mid_turn"),
    }
)


def seats(case: Case) -> dict[str, Seat]:
    """Seats by colour, in the order of the case; the neutral army is always there."""
    colours = case.position.get("seats", [])
    for colour in colours:
        if colour not in COLOURS:
            raise CaseError(f"case {case.id}: {colour!r} is no colour")
    return dict(zip(colours, LETTERS, strict=False)) | {"neutral": NEUTRAL}


def state(case: Case, ruleset: Ruleset, variant: str | None) -> State:
    """The state that the position describes; raises CaseError for what it cannot mean."""
    position, by_colour = case.position, seats(case)
    unknown = set(position) - KEYS
    if unknown:
        raise CaseError(f"case {case.id}: position has no {min(unknown)!r} in these rules")
    board = boards.load(BOARD, variant)
    phase = Phase(position.get("phase", "attack"))
    playing = tuple(seat for seat in by_colour.values() if seat != NEUTRAL)
    on_turn = by_colour[position.get("turn", position["seats"][0])]
    owner, armies = _holdings(case, board, by_colour)
    gone = () if phase in SETUP or phase is Phase.INVITED else _eliminated(playing, owner)
    return State(
        board_id=(BOARD, variant),
        ruleset=ruleset,
        seats=playing,
        phase=phase,
        turn=1 if phase in TURN or phase is Phase.OVER else 0,
        on_turn=on_turn,
        first=playing[0],
        owner=owner,
        armies=armies,
        reserve=dict.fromkeys(playing, 0) | _by_seat(position.get("reserve", {}), by_colour),
        to_place=position.get("to_place", 0),
        sets_traded=position.get("sets_traded", 0),
        bonus_taken=position.get("bonus_taken", False),
        mid_turn=position.get("mid_turn", False),
        captured=position.get("captured", False),
        eliminated=gone,
        link=2 if phase in TURN else 1,
        hands=dict.fromkeys(playing, ())
        | {
            by_colour[colour]: _cards(case, board, names)
            for colour, names in position.get("hands", {}).items()
        },
        deck=_cards(case, board, position.get("deck", ())),
        discards=_cards(case, board, position.get("discards", ())),
    )


def _by_seat(table: Mapping[str, int], by_colour: Mapping[str, Seat]) -> dict[Seat, int]:
    return {by_colour[colour]: count for colour, count in table.items()}


def _holdings(
    case: Case, board: Board, by_colour: Mapping[str, Seat]
) -> tuple[dict[Code, Seat], dict[Code, int]]:
    """Owners and armies in the board's order."""
    named: dict[str, tuple[Seat, int]] = {}
    tables = {**case.position.get("holdings", {})}
    if "neutral" in case.position:
        tables["neutral"] = {**tables.get("neutral", {}), **case.position["neutral"]}
    for colour, held in tables.items():
        for code, count in held.items():
            if code not in board.territories:
                raise CaseError(f"case {case.id}: {code!r} is no territory")
            named[code] = (_seat(case, by_colour, colour), count)
    for colour, count in case.position.get("rest", {}).items():
        named = {c: (_seat(case, by_colour, colour), count) for c in board.codes} | named
    placed = {code: named[code] for code in board.codes if code in named}
    return {c: seat for c, (seat, _) in placed.items()}, {c: n for c, (_, n) in placed.items()}


def _seat(case: Case, by_colour: Mapping[str, Seat], colour: str) -> Seat:
    if colour not in by_colour:
        raise CaseError(f"case {case.id}: {colour!r} has no seat")
    return by_colour[colour]


def _eliminated(playing: Sequence[Seat], owner: Mapping[Code, Seat]) -> tuple[Seat, ...]:
    held = set(owner.values())
    return tuple(seat for seat in playing if seat not in held)


def _cards(case: Case, board: Board, names: Any) -> tuple[Card, ...]:
    for name in names:
        if name != WILD and name not in board.territories:
            raise CaseError(f"case {case.id}: {name!r} is no card")
    return tuple(Card(name) for name in names)
