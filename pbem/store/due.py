"""What the sweep asks: everything whose moment has come and which nobody has taken up."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import exists, update
from sqlmodel import Session, col, select

from pbem.store.hints import next_hint
from pbem.store.outbox import UNSENT
from pbem.store.tables import Game, Inbox, InboxStatus, Outbox, Seat, Source

_INVITED = "invited"


@dataclass(frozen=True, slots=True)
class DueGame:
    """A game whose moment has come; `at` is its deadline or its reminder's time."""

    game_id: int
    turn: int
    step: int
    on_turn: str | None
    phase: str
    at: datetime


@dataclass(frozen=True, slots=True)
class IdleComputer:
    """A seat of the computer that has to move, without an order row for this step."""

    game_id: int
    seat: str
    turn: int
    step: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """A row of one of the boxes that nobody has taken up, and the hints it had so far."""

    box: type[Inbox | Outbox]
    id: int
    game_id: int | None
    hints: int


def deadlines(session: Session, now: datetime, limit: int = 100) -> list[DueGame]:
    """Running games whose deadline has passed, the longest past first."""
    return _games(session, col(Game.deadline), now, limit)


def reminders(session: Session, now: datetime, limit: int = 100) -> list[DueGame]:
    """Running games whose next reminder is due, the longest due first."""
    return _games(session, col(Game.next_reminder_at), now, limit)


def computers(session: Session, limit: int = 100) -> list[IdleComputer]:
    """Computers that their game waits for, for whose step no order row was ever written.

    That is the seat on turn, and in the setup every seat: also one that took over a list, which
    then writes nothing.
    """
    on_turn = col(Seat.letter) == col(Game.on_turn)
    in_setup = (col(Game.on_turn).is_(None), col(Game.phase) != _INVITED)
    # Two statements: each finds its games in the index, an OR of both would look at all.
    found = [_idle(session, (on_turn,), limit), _idle(session, in_setup, limit)]
    return sorted(itertools.chain(*found), key=lambda idle: (idle.game_id, idle.seat))[:limit]


def _idle(session: Session, awaited: tuple[Any, ...], limit: int) -> list[IdleComputer]:
    ordered = exists().where(
        col(Inbox.source) == Source.COMPUTER,
        col(Inbox.game_id) == col(Game.id),
        col(Inbox.seat) == col(Seat.letter),
        col(Inbox.turn) == col(Game.turn),
        col(Inbox.step) == col(Game.step),
    )
    statement = (
        select(Game.id, Seat.letter, Game.turn, Game.step)
        .join(Seat, col(Seat.game_id) == col(Game.id))
        .where(col(Seat.computer).is_(True), *awaited, *_running(), ~ordered)
        .order_by(col(Game.id))
    )
    return [IdleComputer(*found) for found in session.exec(statement.limit(limit))]


def unplayed(session: Session, now: datetime, limit: int = 100) -> list[Waiting]:
    """Inbox rows that wait and for which a hint is due, oldest first."""
    statement = (
        select(Inbox.id, Inbox.game_id, Inbox.hints)
        .where(Inbox.status == InboxStatus.ACCEPTED, Inbox.next_hint_at <= now)
        .order_by(col(Inbox.received_at), col(Inbox.id))
    )
    return [Waiting(Inbox, *found) for found in session.exec(statement.limit(limit))]


def unsent(session: Session, now: datetime, limit: int = 100) -> list[Waiting]:
    """Letters that wait, or whose lease ran out, and for which a hint is due; urgent ones first."""
    statement = (
        select(Outbox.id, Outbox.game_id, Outbox.hints)
        .where(col(Outbox.status).in_(UNSENT), Outbox.next_hint_at <= now)
        .order_by(col(Outbox.priority), col(Outbox.next_hint_at), col(Outbox.id))
    )
    return [Waiting(Outbox, *found) for found in session.exec(statement.limit(limit))]


def hinted(session: Session, rows: Sequence[Waiting], now: datetime) -> None:
    """Notes that a hint was given at these rows, so that the next comes after a longer wait."""
    for box in (Inbox, Outbox):
        changes = [
            {"id": row.id, "hints": row.hints + 1, "next_hint_at": next_hint(row.hints + 1, now)}
            for row in rows
            if row.box is box
        ]
        if changes:
            session.exec(update(box), params=changes)


def _running() -> tuple[Any, ...]:
    return (col(Game.over_at).is_(None), col(Game.paused_at).is_(None))


def _games(session: Session, moment: Any, now: datetime, limit: int) -> list[DueGame]:
    statement = (
        select(Game.id, Game.turn, Game.step, Game.on_turn, Game.phase, moment)  # type: ignore[call-overload]
        .where(moment <= now, *_running())
        .order_by(moment, col(Game.id))
    )
    return [DueGame(*found) for found in session.exec(statement.limit(limit))]
