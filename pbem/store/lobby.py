"""What the lobby asks: games that wait for players or may be watched, spectators, and callers."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, exists, func
from sqlmodel import Session, col, select

from pbem.store.insertion import core
from pbem.store.tables import Caller, Game, Seat, SeatStatus, Spectator


def waiting(session: Session, limit: int) -> Sequence[Game]:
    """Listed games with an open seat, newest first."""
    is_open = exists().where(
        col(Seat.game_id) == col(Game.id),
        col(Seat.open_since).is_not(None),
        col(Seat.status) != SeatStatus.ELIMINATED,
    )
    return _listed(session, is_open, limit)


def running(session: Session, limit: int) -> Sequence[Game]:
    """Listed games that have begun and are not over, newest first."""
    return _listed(session, col(Game.phase) != "invited", limit)


def _listed(session: Session, which: Any, limit: int) -> Sequence[Game]:
    statement = select(Game).where(col(Game.listed).is_(True), col(Game.over_at).is_(None), which)
    return session.exec(statement.order_by(col(Game.id).desc()).limit(limit)).all()


def named(session: Session, numbers: Collection[int], limit: int) -> Sequence[Game]:
    """These games, newest first."""
    statement = select(Game).where(col(Game.id).in_(sorted(numbers)))
    return session.exec(statement.order_by(col(Game.id).desc()).limit(limit)).all()


def visible_to(
    session: Session, own: Collection[int] | None, *, before: int | None, limit: int
) -> Sequence[Game]:
    """Games of somebody (None: all), and listed ones that have begun; newest first."""
    # First the ids, and of each kind by itself: of both at once all would be read to be sorted.
    statement = select(Game.id)
    if own is not None:
        statement = statement.where(col(Game.listed).is_(True), col(Game.phase) != "invited")
    if before is not None:
        statement = statement.where(col(Game.id) < before)
    listed = session.exec(statement.order_by(col(Game.id).desc()).limit(limit)).all()
    mine = [number for number in own or () if before is None or number < before]
    return named(session, sorted({*listed, *mine}, reverse=True)[:limit], limit)


def watch(session: Session, spectator: Spectator) -> Spectator:
    """Keeps a spectator; of two with one address in a game the first."""
    found = of_address(session, spectator.game_id, spectator.address)
    if found is not None:
        return found
    session.add(spectator)
    session.flush()
    return spectator


def of_address(session: Session, game_id: int, address: str) -> Spectator | None:
    """The spectator of a game with that address."""
    statement = select(Spectator).where(
        Spectator.game_id == game_id, func.lower(Spectator.address) == address.lower()
    )
    return session.exec(statement).one_or_none()


def spectator(session: Session, number: int) -> Spectator | None:
    """One spectator."""
    return session.get(Spectator, number)


def spectators(session: Session, game_id: int) -> Sequence[Spectator]:
    """The spectators of a game by mail, in the order in which they came."""
    statement = select(Spectator).where(Spectator.game_id == game_id)
    return session.exec(statement.order_by(col(Spectator.id))).all()


def unwatch(session: Session, number: int) -> bool:
    """Drops a spectator; whether there was one."""
    return session.exec(delete(Spectator).where(col(Spectator.id) == number)).rowcount == 1


def came(session: Session, address: str, what: str, now: datetime) -> None:
    """Notes that an address did something in the lobby."""
    session.add(Caller(address=address.lower(), what=what, at=now))
    session.flush()


def times(session: Session, address: str, what: str, since: datetime) -> int:
    """How often an address did that since then."""
    statement = (
        select(func.count())
        .select_from(core(Caller))
        .where(
            core(Caller).c.address == address.lower(),
            core(Caller).c.what == what,
            core(Caller).c.at > since,
        )
    )
    return session.exec(statement).one()


def forget_callers(session: Session, before: datetime) -> None:
    """Drops what was noted of callers before a moment."""
    session.exec(delete(Caller).where(col(Caller.at) < before))
