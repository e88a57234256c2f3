"""What the GM's commands show of a game: what the public may see, never a hand or a secret."""

from typing import Any

from pbem.judge import atlas, standing
from pbem.judge.house import House
from pbem.judge.reply_to import seat_address
from pbem.rules import missions
from pbem.rules.board import Board
from pbem.rules.position import SETUP, TURN
from pbem.rules.ruleset import Ruleset
from pbem.rules.view import view
from pbem.store import consents, games, tables
from pbem.store.engine import Session


def seats(session: Session, game_id: int) -> list[dict[str, Any]]:
    """Each seat with the address that its newest letter can be answered at."""
    return [
        {
            "letter": seat.letter,
            "colour": seat.colour,
            "name": seat.name,
            "address": seat.address,
            "reply_to": seat.last_letter_address,
        }
        for seat in games.seats(session, game_id)
    ]


def mission_deck(ruleset: Ruleset, board: Board) -> dict[str, Any] | None:
    """The deck that missions are dealt from, and whether its list is confirmed; None without."""
    if ruleset.goal != "missions":
        return None
    deck = missions.deck_of(ruleset, board)
    return {"name": deck.name, "verified": deck.verified, "source": deck.source}


def show(session: Session, house: House, game: tables.Game) -> dict[str, Any]:
    """The game as `pbem game show --json` prints it; it changes only if the game does.

    So `reply_to` is here the address for the current step, whatever the seat's newest letter was.
    """
    state = view(atlas.state_of(session, game), None)
    rows = games.seats(session, game.id)
    current = {
        seat.letter: seat_address(house, seat, game.turn, game.step)
        for seat in rows
        if seat.last_letter_address is not None
    }
    told = {
        seat.letter: {
            "status": "computer" if seat.computer else str(seat.status),
            "mail": _mail(seat),
        }
        for seat in rows
    }
    return {
        "id": games.public_id(game.id),
        "ruleset": game.ruleset,
        "changes": state.ruleset.changes(),
        "turn": state.turn,
        "on_turn": None if state.phase in SETUP else state.on_turn,
        "phase": state.phase,
        "to_place": state.to_place if state.phase in TURN else 0,
        "step": game.step,
        "version": game.version,
        "board": {
            c: [state.owner[c], state.armies[c]] for c in state.board.codes if c in state.owner
        },
        "deadline": None if game.deadline is None else game.deadline.isoformat(),
        "paused": game.paused_at is not None,
        "winner": state.winner,
        "seats": [
            {**seat, "reply_to": current.get(seat["letter"]), **told[seat["letter"]]}
            for seat in seats(session, game.id)
        ],
    }


def _mail(seat: tables.Seat) -> str | None:
    """What becomes of letters to a seat; None for the computer, which gets none."""
    if seat.address is None:
        return None
    if seat.unreachable_at is not None:
        return "comes-back"
    return "stopped" if standing.of(seat).silent else "goes"


def line(session: Session, game: tables.Game) -> dict[str, Any]:
    """The game in the list of games."""
    seen = view(atlas.state_of(session, game), None)
    return {
        "id": games.public_id(game.id),
        "ruleset": game.ruleset,
        "phase": seen.phase,
        "turn": game.turn,
        "on_turn": game.on_turn,
        "paused": game.paused_at is not None,
        "deadline": None if game.deadline is None else game.deadline.isoformat(),
    }


def consent(session: Session, asked: tables.Consent) -> dict[str, Any]:
    """A question whether an act may be done: how it stands, and who has said what and when."""
    voices = consents.voices(session, asked.id)
    return {
        "number": asked.id,
        "act": asked.act,
        "fields": asked.told["fields"],
        "by": asked.who,
        "of": asked.of,
        "status": asked.status,
        "asked": asked.asked_at.isoformat(),
        "until": asked.lapses_at.isoformat(),
        "voices": [
            {
                "who": one.seat or one.address,
                "says": None if one.agrees is None else ("yes" if one.agrees else "no"),
                "at": None if one.at is None else one.at.isoformat(),
            }
            for one in voices
        ],
    }
