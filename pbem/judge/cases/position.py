"""The state of a case's position."""

from collections.abc import Iterable, Mapping, Sequence

from pbem.judge.cases.case import Case
from pbem.rules import board as boards
from pbem.rules import missions
from pbem.rules.board import Board, BoardId, Code
from pbem.rules.card import Card
from pbem.rules.position import TURN, Phase
from pbem.rules.ruleset import Ruleset
from pbem.rules.seat import LETTERS, NEUTRAL, Seat
from pbem.rules.setup import starting_armies
from pbem.rules.state import State


def seats(case: Case) -> dict[str, Seat]:
    """Seats by colour, in the order of the case; the neutral army is always there."""
    return dict(zip(case.position["seats"], LETTERS, strict=False)) | {"neutral": NEUTRAL}


def state(case: Case, ruleset: Ruleset, board_id: BoardId) -> State:
    """The state that the position describes."""
    position, by_colour = case.position, seats(case)
    board = boards.load(*board_id)
    phase = Phase(position.get("phase", "attack"))
    begun = phase in TURN or phase is Phase.OVER
    playing = tuple(seat for seat in by_colour.values() if seat != NEUTRAL)
    on_turn = by_colour[position.get("turn", position["seats"][0])]
    owner, armies = _holdings(case, board, by_colour)
    hands = {
        by_colour[colour]: _cards(names) for colour, names in position.get("hands", {}).items()
    }
    return State(
        board_id=board_id,
        ruleset=ruleset,
        seats=playing,
        phase=phase,
        turn=1 if begun else 0,
        on_turn=on_turn,
        first=on_turn if not owner or ruleset.setup == "deal" else playing[0],
        owner=owner,
        armies=armies,
        reserve=_reserve(case, ruleset, board, owner, armies),
        to_place=position.get("to_place", 0),
        sets_traded=position.get("sets_traded", 0),
        bonus_taken=position.get("bonus_taken", False),
        mid_turn=position.get("mid_turn", False),
        captured=position.get("captured", False),
        eliminated=_eliminated(playing, owner) if begun else (),
        link=2 if phase in TURN else 1,
        hands=dict.fromkeys(playing, ()) | hands,
        deck=_cards(position.get("deck", ())),
        discards=_cards(position.get("discards", ())),
        missions={
            by_colour[colour]: missions.assigned(by_colour[colour], card, board)
            for colour, card in position.get("missions", {}).items()
        },
        capitals={by_colour[c]: Code(code) for c, code in position.get("capitals", {}).items()},
        held_since={by_colour[c]: n for c, n in position.get("held_since", {}).items()},
    )


def _reserve(
    case: Case,
    ruleset: Ruleset,
    board: Board,
    owner: Mapping[Code, Seat],
    armies: Mapping[Code, int],
) -> dict[Seat, int]:
    """As it stands in the case; for the seats not named there as rule 1 has it, while they claim.

    Without a reserve in the case rule 1 has the word for the filling up too.
    """
    by_colour = seats(case)
    given = {by_colour[colour]: n for colour, n in case.position.get("reserve", {}).items()}
    phase = case.position.get("phase")
    by_rule = phase in ("invited", "claim") or (phase == "fill" and not given)
    playing = [seat for seat in by_colour.values() if seat != NEUTRAL]
    start = starting_armies(len(playing), board)
    if ruleset.has_neutral(len(playing)):
        playing.append(NEUTRAL)
    if not by_rule:
        return dict.fromkeys(playing, 0) | given
    there = {seat: sum(n for c, n in armies.items() if owner[c] == seat) for seat in playing}
    return {seat: max(0, start - on_board) for seat, on_board in there.items()} | given


def _holdings(
    case: Case, board: Board, by_colour: Mapping[str, Seat]
) -> tuple[dict[Code, Seat], dict[Code, int]]:
    """Owners and armies in the board's order."""
    held = {**case.position.get("holdings", {})}
    held["neutral"] = {**held.get("neutral", {}), **case.position.get("neutral", {})}
    named = {
        code: (by_colour[colour], count)
        for colour, counts in held.items()
        for code, count in counts.items()
    }
    for colour, count in case.position.get("rest", {}).items():
        named = dict.fromkeys(board.codes, (by_colour[colour], count)) | named
    placed = {code: named[code] for code in board.codes if code in named}
    return {c: seat for c, (seat, _) in placed.items()}, {c: n for c, (_, n) in placed.items()}


def _eliminated(playing: Sequence[Seat], owner: Mapping[Code, Seat]) -> tuple[Seat, ...]:
    held = set(owner.values())
    return tuple(seat for seat in playing if seat not in held)


def _cards(names: Iterable[str]) -> tuple[Card, ...]:
    return tuple(Card(name) for name in names)
