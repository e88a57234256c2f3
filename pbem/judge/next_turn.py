"""NEXT TURN: a plan that its player keeps for the start of the next own turn.

It waits in the seat's settings. When the turn begins it becomes a row of the inbox, so that it is
played in a transaction of its own, as a mail would be; then the turn call waits for what comes.
"""

from collections.abc import Sequence

from pbem.judge import reading, standing
from pbem.judge.progress import Progress
from pbem.store import games, inbox, tables
from pbem.store.tables import Source

_PREFIX = "next-turn:"


def keep(seat: tables.Seat, lines: Sequence[str]) -> None:
    """Keep the lines in place of those kept before."""
    standing.put(seat, standing.NEXT_TURN, list(lines))


def drop(seat: tables.Seat) -> bool:
    """Forget the plan; whether there was one."""
    held = bool(standing.of(seat).next_turn)
    standing.put(seat, standing.NEXT_TURN, None)
    return held


def bring(progress: Progress, seat: tables.Seat) -> bool:
    """The seat's turn has begun: hand in its kept plan; whether there was one."""
    lines = standing.of(seat).next_turn
    if not drop(seat):
        return False
    game, turn = progress.game, progress.state.turn
    key = f"{_PREFIX}{games.public_id(game.id)}:{game.branch}:{turn}:{seat.letter}"
    inbox.add(
        progress.session,
        [
            inbox.Delivery(
                source=Source.INGEST,
                dedupe_key=key,
                received_at=progress.now,
                game_id=game.id,
                seat=seat.letter,
                turn=turn,
                step=game.step,
                reading=reading.orders_of(lines),
            )
        ],
    )
    progress.session.add(seat)
    return True


def is_kept(row: tables.Inbox) -> bool:
    """Whether the row is such a plan, and no mail."""
    return row.dedupe_key.startswith(_PREFIX)
