"""Playing what waits for a game, in the order in which it arrived.

Reading happens before the lock is taken and composing after it is given back; under the lock there
is nothing but playing. Each row is one transaction: events, state, letters and the row's own end.
"""

import traceback
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from pbem.judge import deadline, dice, reading, thinking, turn
from pbem.judge.house import House
from pbem.judge.progress import Progress
from pbem.store import games, inbox, tables
from pbem.store.engine import Engine, Session
from pbem.store.engine import session as open_session
from pbem.store.tables import Source

ROWS_AT_ONCE = 200
"""So many rows in one go; a game of computers alone must not keep a worker for ever."""

Clock = Callable[[], datetime]


def drain(
    engine: Engine,
    house: House,
    game_id: int,
    clock: Clock,
    chance_of: dice.ChanceOf = dice.chance,
    on_letters: Callable[[tuple[int, ...]], None] = lambda _: None,
) -> bool:
    """Play every row that may be played now, the computer's answers too; whether more is left.

    `on_letters` is told the outbox ids of each row's letters after its commit. A row that raises
    is kept with its traceback, tried again later, and after too many attempts set aside.
    """
    for _ in range(ROWS_AT_ONCE):
        with open_session(engine) as session:
            row = _next(session, game_id, clock())
            sent = None if row is None else reading.letter_answered(session, row)
        if row is None:
            if thinking.think(engine, game_id, clock()):
                continue
            return False
        if inbox.count_attempt(engine, row.id, clock()) is None:
            return False
        try:
            read = reading.read(row, sent)
            with open_session(engine) as session:
                letters = _play(session, house, row.id, read, clock(), chance_of)
        except Exception:
            with open_session(engine) as session:
                inbox.mark_failed(session, row.id, traceback.format_exc(), clock())
            return False
        on_letters(letters)
    return True


def _next(session: Session, game_id: int, now: datetime) -> tables.Inbox | None:
    """The first row that waits, unless a deadline stands before it: that is then the first."""
    row = inbox.next_accepted(session, game_id, now)
    game = games.find(session, game_id)
    if row is None or game is None or game.deadline is None or row.source == Source.DEADLINE:
        return row
    if row.received_at < game.deadline:
        return row
    deadline.fall_due(session, game)
    return inbox.next_accepted(session, game_id, now)


def _play(
    session: Session,
    house: House,
    row_id: int,
    read: Mapping[str, Any],
    now: datetime,
    chance_of: dice.ChanceOf,
) -> tuple[int, ...]:
    """One row under the game's lock; the outbox ids of its letters."""
    row = inbox.find(session, row_id)
    assert row is not None
    assert row.game_id is not None
    game = games.lock(session, row.game_id)
    session.refresh(row)
    if row.status not in inbox.WAITING:
        return ()
    row.reading = dict(read)
    progress = Progress(session, house, game, now, row, chance_of)
    act = deadline.play if row.source == Source.DEADLINE else turn.play
    outcome = act(progress, row)
    letters = progress.close()
    inbox.mark(session, row.id, outcome.status, now, result=outcome.result)
    return letters
