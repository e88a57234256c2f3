"""The panic switch: one row that holds all playing and sending; mails are still taken in."""

from datetime import datetime

from sqlmodel import Session, col, select

from pbem.store.insertion import keep_first
from pbem.store.tables import Standstill

_ONLY = 1
# Every mail asks it; building the statement takes longer than running it.
_FIND = (
    select(Standstill).where(col(Standstill.id) == _ONLY).execution_options(populate_existing=True)
)


def find(session: Session) -> Standstill | None:
    """Who stopped the house, since when and why; None: all runs."""
    return session.exec(_FIND).one_or_none()


def begin(session: Session, now: datetime, *, by: str, reason: str) -> bool:
    """Stops the house; False if it stood still already."""
    return keep_first(session, Standstill, {"id": _ONLY, "since": now, "by": by, "reason": reason})


def end(session: Session) -> bool:
    """Lets the house run again; False if it ran."""
    found = find(session)
    if found is None:
        return False
    session.delete(found)
    session.flush()
    return True
