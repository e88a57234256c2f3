"""A game as JSON for programs: what a look may see (`judge.watching`), and nothing else.

The same state and events as on the pages, cut by `rules.view`; letters of seats as everywhere.
"""

from typing import Any

from pbem.judge import watching
from pbem.judge.showing import Showing
from pbem.judge.watching import Watch
from pbem.rules import notation
from pbem.rules.position import SETUP, TURN
from pbem.store.engine import Session


def summary(look: Watch, showed: Showing) -> dict[str, Any]:
    """The game's head: its rules, its people without addresses, and where it stands."""
    seen, game = showed.view, look.game
    return {
        "id": showed.public_id,
        "ruleset": game.ruleset,
        "changes": {name: str(value) for name, value in seen.ruleset.changes().items()},
        "language": game.language,
        "phase": str(seen.phase),
        "turn": seen.turn,
        "on_turn": None if seen.phase in SETUP else seen.on_turn,
        "paused": game.paused_at is not None,
        "deadline": None if look.is_late else game.deadline,
        "over": seen.winner is not None or (game.over_at is not None and not look.is_late),
        "winner": seen.winner,
        "delayed": look.is_late,
        "seat": look.seat,
        "dice_commitment": game.commitment,
        "luck": game.luck,
        "seats": [
            {
                "letter": line.letter,
                "colour": line.colour,
                "name": line.name,
                "computer": line.computer,
                "open": line.is_open,
            }
            for line in showed.table.seats
        ],
    }


def board(showed: Showing, turn: int | None) -> dict[str, Any]:
    """The board now, or at the close of a turn; the hand is the reader's own, empty for others."""
    seen = showed.view
    return {
        "game": showed.public_id,
        "turn": seen.turn if turn is None else turn,
        "phase": str(seen.phase),
        "on_turn": None if seen.phase in SETUP else seen.on_turn,
        "to_place": seen.to_place if seen.phase in TURN else 0,
        "territories": {
            code: {"owner": seen.owner[code], "armies": seen.armies[code]}
            for code in seen.board.codes
            if code in seen.owner
        },
        "hand": list(seen.hand),
        "hand_sizes": dict(seen.hand_sizes),
    }


def turns(look: Watch) -> list[dict[str, Any]]:
    """The closed turns, oldest first; 0 is the setup."""
    return [{"turn": at.turn, "closed_at": at.at} for at in look.closed]


def events(session: Session, look: Watch, turn: int) -> list[dict[str, Any]]:
    """The events of one turn that count, in order."""
    found = watching.story(session, look, before=turn + 1, count=1)
    return [
        {"seq": told.seq, "turn": one.number, "at": told.at, **notation.event_to_json(told.event)}
        for one in found
        if one.number == turn
        for told in one.events
        if not told.undone
    ]


def newest_turn(session: Session, look: Watch) -> int:
    """The newest turn that the look may see anything of."""
    found = watching.story(session, look, before=None, count=1)
    return found[0].number if found else 0
