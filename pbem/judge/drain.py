"""Playing what waits for a game, in the order in which it arrived.

Reading happens before the lock is taken and composing after it is given back; under the lock there
is nothing but playing. Each row is one transaction: events, state, letters and the row's own end.
"""

import traceback
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from pbem.judge import atlas, deadline, dice, gm_mail, proving, reading, thinking, turn
from pbem.judge.house import House
from pbem.judge.outcome import Outcome, kind_of
from pbem.judge.post import GmNote, post_to_gm
from pbem.judge.progress import Progress
from pbem.mail import gm_address, resolver
from pbem.store import games, inbox, tables
from pbem.store.engine import Engine, Session
from pbem.store.engine import reading as open_reading
from pbem.store.engine import session as open_session
from pbem.store.tables import InboxStatus, Source

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
    lookups: proving.Lookups = resolver.lookup_within,
) -> bool:
    """Play every row that may be played now, the computer's answers too; whether more is left.

    `on_letters` is told the outbox ids of each row's letters after its commit. A row that raises
    is kept with its traceback, tried again later, and after too many attempts set aside.
    `lookups` asks the name system about senders.
    """
    for _ in range(ROWS_AT_ONCE):
        row, answered = _next(engine, game_id, clock())
        if row is None:
            if thinking.think(engine, game_id, clock()):
                continue
            return False
        if inbox.count_attempt(engine, row.id, clock()) is None:
            on_letters(_tell_if_dead(engine, house, row.id, clock()))
            return False
        try:
            read = reading.read(row, answered)
            proved = proving.prove(engine, house, row, read, clock(), lookups)
            if proved is None:
                return False
            with open_session(engine) as session, session.no_autoflush:
                letters = _play(session, house, game_id, row.id, proved, clock(), chance_of)
        except Exception:
            with open_session(engine) as session:
                inbox.mark_failed(session, row.id, traceback.format_exc(), clock())
            on_letters(_tell_if_dead(engine, house, row.id, clock()))
            return False
        on_letters(letters)
    return True


def _next(engine: Engine, game_id: int, now: datetime) -> tuple[tables.Inbox | None, str | None]:
    """The first row that waits, and the text of our letter that it answers.

    A deadline that stands before the row goes into the inbox, where it is then the first.
    """
    with open_reading(engine) as session:
        row = inbox.next_accepted(session, game_id, now)
        if row is None or not _is_after_deadline(session, row, game_id):
            return row, _answered(session, row)
    with open_session(engine) as session:
        game = games.find(session, game_id)
        if game is not None and game.deadline is not None:
            deadline.fall_due(session, game)
        row = inbox.next_accepted(session, game_id, now)
        return row, _answered(session, row)


def _is_after_deadline(session: Session, row: tables.Inbox, game_id: int) -> bool:
    at = None if row.source == Source.DEADLINE else games.deadline(session, game_id)
    return at is not None and row.received_at >= at


def _answered(session: Session, row: tables.Inbox | None) -> str | None:
    return None if row is None else reading.letter_answered(session, row)


def _play(
    session: Session,
    house: House,
    game_id: int,
    row_id: int,
    read: Mapping[str, Any],
    now: datetime,
    chance_of: dice.ChanceOf,
) -> tuple[int, ...]:
    """One row under the game's lock; the outbox ids of its letters."""
    game = games.lock(session, game_id)
    row = inbox.find(session, row_id)
    assert row is not None
    if row.status != InboxStatus.ACCEPTED:
        return ()
    session.expunge(row)  # it is written once, at its end
    row.reading = dict(read)
    progress = Progress(session, house, game, now, row, chance_of)
    outcome = _player_of(row)(progress, row)
    letters = progress.close()
    inbox.mark(session, row.id, outcome.status, now, result=outcome.result, reading=row.reading)
    return letters


def _player_of(row: tables.Inbox) -> Callable[[Progress, tables.Inbox], Outcome]:
    """Who plays the row: the clock, the game master's desk, or the table."""
    if row.source == Source.DEADLINE:
        return deadline.play
    return gm_mail.play if gm_address.parse(row.recipient) is not None else turn.play


def _tell_if_dead(engine: Engine, house: House, row_id: int, now: datetime) -> tuple[int, ...]:
    """The one alert to the game masters about a row that is set aside; twice does nothing.

    It names the kind of the error only: its message could tell a hand.
    """
    with open_session(engine) as session:
        row = inbox.find(session, row_id)
        if row is None or row.status != InboxStatus.DEAD or row.game_id is None:
            return ()
        game = games.find(session, row.game_id)
        assert game is not None
        told = {"seat": row.seat, "reason": kind_of(row.last_error)}
        state = atlas.state_of(session, game)
        return post_to_gm(session, house, game, state, GmNote("set-aside", row.id, told), now)
