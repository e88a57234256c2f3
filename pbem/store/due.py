"""What the sweep asks: everything whose moment has come and which nobody has taken up."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, bindparam, case, exists, func, or_, update
from sqlmodel import Session, col, select

from pbem.store.hints import next_hint
from pbem.store.insertion import core
from pbem.store.outbox import UNSENT
from pbem.store.tables import Game, Inbox, InboxStatus, Outbox, Seat, Source

MOST_DEADLINES = 1000
"""So many deadlines are taken up in one round."""

_INVITED = "invited"
_NOT_FALLEN: Any = or_(col(Game.fallen_due).is_(None), col(Game.fallen_due) != col(Game.deadline))


@dataclass(frozen=True, slots=True)
class DueGame:
    """A game whose moment has come; `at` is its deadline or its reminder's time."""

    game_id: int
    turn: int
    step: int
    on_turn: str | None
    phase: str
    at: datetime
    branch: int = 0


@dataclass(frozen=True, slots=True)
class IdleComputer:
    """A seat of the computer that has to move, without an order row for this step."""

    game_id: int
    seat: str
    turn: int
    step: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """A row of one of the boxes that nobody has taken up, and the hints it had so far.

    `by_clock`: it is a deadline, and no mail waits for its answer.
    """

    box: type[Inbox | Outbox]
    id: int
    game_id: int | None
    hints: int
    by_clock: bool = False


def deadlines(session: Session, now: datetime, limit: int = MOST_DEADLINES) -> list[DueGame]:
    """Running games whose deadline has passed and is not in their inbox, the longest past first."""
    return _games(session, col(Game.deadline), now, limit, _NOT_FALLEN)


def fallen(session: Session, games: Sequence[DueGame]) -> None:
    """Notes that these deadlines stand in their inboxes: they are never found again."""
    statement = (
        update(core(Game))
        .where(
            core(Game).c.id == bindparam("game"),
            core(Game).c.deadline == bindparam("at", type_=core(Game).c.deadline.type),
        )
        .values(fallen_due=core(Game).c.deadline)
    )
    if games:
        # In one order for all sweeps, so that two of them never wait for each other.
        ordered = sorted(games, key=lambda game: game.game_id)
        session.exec(statement, params=[{"game": g.game_id, "at": g.at} for g in ordered])


def reminders(session: Session, now: datetime, limit: int = 500) -> list[DueGame]:
    """Running games whose next reminder is due, the longest due first."""
    return _games(session, col(Game.next_reminder_at), now, limit)


def warnings(session: Session, now: datetime, limit: int = 500) -> list[DueGame]:
    """Running games whose seat on turn is to be told now that it will be taken."""
    return _games(session, col(Game.warning_at), now, limit)


def stale(session: Session, now: datetime, limit: int = 100) -> list[DueGame]:
    """Running games that nobody has played at for too long."""
    return _games(session, col(Game.stale_at), now, limit)


def pauses(session: Session, now: datetime, limit: int = 100) -> list[int]:
    """Paused games whose pause ends by itself now."""
    statement = (
        select(Game.id)
        .where(col(Game.over_at).is_(None), col(Game.paused_at).is_not(None))
        .where(col(Game.resume_at) <= now)
        .order_by(col(Game.id))
    )
    return list(session.exec(statement.limit(limit)))


def news(session: Session, now: datetime, limit: int = 500) -> list[tuple[int, str]]:
    """Seats whose daily news is due: game and letter."""
    statement = (
        select(Seat.game_id, Seat.letter)
        .where(col(Seat.news_at) <= now)
        .order_by(col(Seat.news_at), col(Seat.game_id), col(Seat.letter))
    )
    return list(session.exec(statement.limit(limit)))


def behind(session: Session, outage: int, limit: int = 200) -> list[int]:
    """Games that are not over and were not yet moved by the outage of that number."""
    statement = (
        select(Game.id)
        .where(col(Game.over_at).is_(None), col(Game.outage) < outage)
        .order_by(col(Game.id))
    )
    return list(session.exec(statement.limit(limit)))


@dataclass(frozen=True, slots=True)
class Coming:
    """Something that will be due; `what` is ``deadline``, ``reminder`` or ``warning``."""

    game_id: int
    what: str
    on_turn: str | None
    phase: str
    at: datetime


_KINDS: Mapping[str, Any] = {
    "deadline": col(Game.deadline),
    "reminder": col(Game.next_reminder_at),
    "warning": col(Game.warning_at),
}


def coming(session: Session, limit: int) -> list[Coming]:
    """The next things due in all running games, the first first."""
    found = [
        Coming(number, what, on_turn, phase, at)
        for what, moment in _KINDS.items()
        for number, on_turn, phase, at in session.exec(
            select(Game.id, Game.on_turn, Game.phase, moment)
            .where(moment.is_not(None), *_running())
            .order_by(moment, col(Game.id))
            .limit(limit)
        )
    ]
    return sorted(found, key=lambda thing: (thing.at, thing.game_id))[:limit]


def counts(session: Session, now: datetime) -> dict[str, int]:
    """How much is due and not yet done: deadlines, reminders, rows of both boxes that wait."""
    rows = {
        what: select(func.count()).select_from(Game).where(moment <= now, *_running())
        for what, moment in _KINDS.items()
    }
    rows["inbox"] = (
        select(func.count())
        .select_from(Inbox)
        .where(Inbox.status == InboxStatus.ACCEPTED, col(Inbox.next_try_at) <= now)
    )
    rows["outbox"] = select(func.count()).select_from(Outbox).where(col(Outbox.status).in_(UNSENT))
    return {what: session.exec(statement).one() for what, statement in rows.items()}


def crowd(session: Session, now: datetime) -> tuple[int, int]:
    """How many seats would miss their turn now, and how many are on turn in running games."""
    due = func.coalesce(
        func.sum(case((and_(col(Game.deadline) <= now, _NOT_FALLEN), 1), else_=0)), 0
    )
    statement = select(due, func.count()).where(
        *_running(), col(Game.deadline).is_not(None), col(Game.on_turn).is_not(None)
    )
    missing, waiting = session.exec(statement).one()
    return int(missing), int(waiting)


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


def unplayed(session: Session, now: datetime, limit: int = 1000) -> list[Waiting]:
    """Inbox rows that wait and for which a hint is due, oldest first."""
    statement = (
        select(Inbox.id, Inbox.game_id, Inbox.hints, Inbox.source)
        .where(Inbox.status == InboxStatus.ACCEPTED, Inbox.next_hint_at <= now)
        .order_by(col(Inbox.received_at), col(Inbox.id))
    )
    return [
        Waiting(Inbox, number, game, hints, by_clock=source == Source.DEADLINE)
        for number, game, hints, source in session.exec(statement.limit(limit))
    ]


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
    # In the order of all who change several rows, so that they never wait for each other.
    ordered = sorted(rows, key=lambda row: row.id)
    for box in (Inbox, Outbox):
        changes = [
            {"id": row.id, "hints": row.hints + 1, "next_hint_at": next_hint(row.hints + 1, now)}
            for row in ordered
            if row.box is box
        ]
        if changes:
            session.exec(update(box), params=changes)


def _running() -> tuple[Any, ...]:
    return (col(Game.over_at).is_(None), col(Game.paused_at).is_(None))


def _games(session: Session, moment: Any, now: datetime, limit: int, *more: Any) -> list[DueGame]:
    statement = (
        select(Game.id, Game.turn, Game.step, Game.on_turn, Game.phase, moment, Game.branch)  # type: ignore[call-overload]
        .where(moment <= now, *_running(), *more)
        .order_by(moment, col(Game.id))
    )
    return [DueGame(*found) for found in session.exec(statement.limit(limit))]
