"""What makes up for every lost hint: due deadlines, reminders, and rows that nobody has taken up.

Everything here can be done twice, by two sweeps at once or after a crash between any two lines.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.judge import deadline, standing, turn_end
from pbem.judge.house import House
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.store import due, games, inbox, pictures, positions, tables
from pbem.store.engine import Engine, Session
from pbem.store.engine import session as open_session

log = logging.getLogger(__name__)

Hint = Callable[[str, int], None]
"""Publishes a task's name and the id of its row; may fail silently."""

APPLY = "orders.apply"
SEND = "mail.send"

ON_TIME = timedelta(seconds=10)
"""A reminder that goes out within this time tells the round time that it was set for."""

KEEP_POSITIONS, KEEP_PICTURES = timedelta(days=30), timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Swept:
    """How many things were due."""

    deadlines: int = 0
    reminders: int = 0
    inbox: int = 0
    outbox: int = 0


def sweep(engine: Engine, house: House, now: datetime, hint: Hint) -> Swept:
    """One round. Hints are given after the commits that they follow."""
    with open_session(engine) as session:
        late = [game for game in due.deadlines(session, now) if _fall_due(session, game.game_id)]
        reminded = [g.game_id for g in due.reminders(session, now)]
    letters = [n for game_id in reminded for n in _remind_safely(engine, house, game_id, now)]
    with open_session(engine) as session:
        rows = due.unplayed(session, now)
        unsent = due.unsent(session, now)
        idle = due.computers(session)
        due.hinted(session, [*rows, *unsent], now)
    ripe = {g.game_id for g in late if g.at + deadline.SETTLING <= now}
    waiting = {row.game_id for row in rows if row.game_id is not None}
    for game_id in sorted(ripe | waiting | {seat.game_id for seat in idle}):
        hint(APPLY, game_id)
    for letter in [*letters, *(row.id for row in unsent)]:
        hint(SEND, letter)
    return Swept(len(late), len(reminded), len(rows), len(unsent))


def _fall_due(session: Session, game_id: int) -> bool:
    game = games.find(session, game_id)
    if game is None or game.deadline is None:
        return False
    deadline.fall_due(session, game)
    return True


def _remind_safely(engine: Engine, house: House, game_id: int, now: datetime) -> tuple[int, ...]:
    """One game that is broken must not keep the sweep from all the others."""
    try:
        return remind(engine, house, game_id, now)
    except Exception:
        log.exception("no reminder in %s", games.public_id(game_id))
        return ()


def remind(engine: Engine, house: House, game_id: int, now: datetime) -> tuple[int, ...]:
    """Write the reminder that is due, if it still is, and set the time of the next one."""
    with open_session(engine) as session:
        game = games.lock(session, game_id)
        at = game.next_reminder_at
        if at is None or at > now or game.deadline is None or game.on_turn is None:
            return ()
        progress = Progress(session, house, game, now, None)
        seat = progress.seat(game.on_turn)
        reminders = standing.of(seat).reminders(progress.options)
        game.next_reminder_at = turn_end.next_reminder(game.deadline, reminders, now)
        first = bool(reminders) and at == game.deadline - reminders[0]
        sent = _has_sent(session, game, seat)
        if now < game.deadline and (first or not sent):
            left = _left(game.deadline, at, now)
            progress.tell(_reminder(game, seat, left, sent=sent))
        return progress.close()


def _left(deadline: datetime, at: datetime, now: datetime) -> int:
    """Seconds to the deadline; what comes late, after an outage, tells the time that is left."""
    return int((deadline - (at if now - at < ON_TIME else now)).total_seconds())


def _reminder(game: tables.Game, seat: tables.Seat, left: int, *, sent: bool) -> Recipe:
    assert game.deadline is not None
    facts = {"deadline": game.deadline.isoformat(), "left": left, "sent": sent}
    # One for each time before each deadline: a deadline that was moved is reminded of anew.
    n = f"{game.deadline:%Y%m%d%H%M%S}-{left}"
    return Recipe("reminder", seat.letter, n, facts, expires_at=game.deadline)


def _has_sent(session: Session, game: tables.Game, seat: tables.Seat) -> bool:
    """Whether the seat has sent anything in this turn."""
    began = games.turn_began(session, game.id, game.turn)
    return began is not None and inbox.sent_since(session, game.id, seat.letter, began)


def tidy(engine: Engine, now: datetime) -> int:
    """Drop what no letter needs any more; how many positions went."""
    with open_session(engine) as session:
        pictures.purge(session, now, KEEP_PICTURES)
        return positions.purge(session, now, KEEP_POSITIONS)
