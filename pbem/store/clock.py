"""The house's clock: the sweep's heartbeat, the hold, and the outages that deadlines move by."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, update
from sqlmodel import Session, col, select

from pbem.store.insertion import keep_first
from pbem.store.tables import Clock, Document, Outage

_ONLY = 1
DOWN, HELD = "down", "held"
"""Why the clock stood still: nothing swept, or the safety stop."""


def find(session: Session) -> Clock | None:
    """The clock as it is now; None before the first sweep."""
    return session.get(Clock, _ONLY, populate_existing=True)


def start(session: Session, now: datetime) -> bool:
    """Starts the clock; False if it runs already."""
    return keep_first(session, Clock, {"id": _ONLY, "swept_at": now, "lag": 0, "held_for": {}})


def beat(session: Session, now: datetime, lag: int) -> None:
    """The sweep has gone round; the heartbeat never goes back, whoever of two comes last."""
    statement = update(Clock).where(col(Clock.id) == _ONLY, col(Clock.swept_at) <= now)
    session.exec(statement.values(swept_at=now, lag=lag))


def hold(session: Session, now: datetime, held_for: Document) -> bool:
    """Lets no deadline pass from now on; False if that was so already."""
    statement = update(Clock).where(col(Clock.id) == _ONLY, col(Clock.held_at).is_(None))
    return session.exec(statement.values(held_at=now, held_for=held_for)).rowcount == 1


def release(session: Session, now: datetime, trusted_until: datetime) -> datetime | None:
    """Lets deadlines pass again; since when they did not, None if they did."""
    clock = find(session)
    if clock is None or clock.held_at is None:
        return None
    since = clock.held_at
    clock.held_at, clock.held_for, clock.trusted_until = None, {}, trusted_until
    clock.swept_at = max(clock.swept_at, now)
    session.add(clock)
    session.flush()
    return since


def stood_still(session: Session, began: datetime, ended: datetime, cause: str) -> bool:
    """Notes an outage, once for each beginning; whether it was new."""
    row = {"began_at": began, "ended_at": ended, "cause": cause}
    return keep_first(session, Outage, row)


def outages(session: Session, after: int = 0) -> Sequence[Outage]:
    """The outages after one of that number, the oldest first."""
    return session.exec(select(Outage).where(Outage.id > after).order_by(col(Outage.id))).all()


def newest_outage(session: Session) -> int:
    """The number of the newest outage; 0 if there was none."""
    return session.exec(select(func.max(Outage.id))).one() or 0
