"""The audit: who did what to a game from outside the rules. Only ever appended to."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from pbem.store.tables import Audit


def record(
    session: Session,
    now: datetime,
    *,
    who: str,
    what: str,
    game_id: int | None = None,
    reason: str = "",
    detail: Mapping[str, Any] | None = None,
) -> None:
    """Writes one line of the audit."""
    session.add(
        Audit(at=now, who=who, what=what, game_id=game_id, reason=reason, detail=dict(detail or {}))
    )
    session.flush()


def of_game(session: Session, game_id: int | None) -> Sequence[Audit]:
    """The audit of one game, of the house itself for None, oldest first."""
    return session.exec(select(Audit).where(Audit.game_id == game_id).order_by(col(Audit.id))).all()


def was_done(session: Session, who: str, what: str) -> bool:
    """Whether somebody has ever done this."""
    statement = select(Audit.id).where(Audit.who == who, Audit.what == what)
    return session.exec(statement.limit(1)).first() is not None


def last_done(session: Session, game_id: int, who: str, what: str) -> datetime | None:
    """When somebody last did this to a game."""
    statement = select(Audit.at).where(
        Audit.game_id == game_id, Audit.who == who, Audit.what == what
    )
    return session.exec(statement.order_by(col(Audit.id).desc()).limit(1)).first()


def newest(session: Session, game_id: int, what: str) -> Audit | None:
    """The last time that this was done to a game."""
    statement = select(Audit).where(Audit.game_id == game_id, Audit.what == what)
    return session.exec(statement.order_by(col(Audit.id).desc()).limit(1)).first()
