"""What happened in a game, event by event, as the public may see it."""

from typing import Any

from pbem.rules import notation
from pbem.rules.view import visible
from pbem.store import games, tables
from pbem.store.engine import Session


def events(session: Session, game: tables.Game) -> list[dict[str, Any]]:
    """All events of all branches with their numbers; `undone_in` is the branch that left one out.

    The faces of cards and missions are left out, also after the end.
    """
    rows = games.whole_history(session, game.id)
    told = visible((notation.event_from_json(row.body) for row in rows), None)
    return [
        {
            "seq": row.seq,
            "turn": row.turn,
            "at": row.at.isoformat(),
            "undone_in": row.undone_in,
            **notation.event_to_json(event),
        }
        for row, event in zip(rows, told, strict=True)
    ]
