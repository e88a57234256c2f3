"""What stands in the two boxes, for tests that look into them."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import or_
from sqlmodel import Session, col, select

from pbem.store.outbox import UNSENT
from pbem.store.tables import Inbox, InboxStatus, Outbox


def mails(
    session: Session, statuses: Sequence[InboxStatus], game_id: int | None = None
) -> Sequence[Inbox]:
    """Rows of the inbox with one of these statuses, oldest first; of one game if given."""
    statement = select(Inbox).where(col(Inbox.status).in_(statuses))
    if game_id is not None:
        statement = statement.where(Inbox.game_id == game_id)
    return session.exec(statement.order_by(col(Inbox.received_at), col(Inbox.id))).all()


def waiting_games(session: Session, now: datetime) -> Sequence[int]:
    """The ids of games with mails that wait and may be tried now."""
    statement = (
        select(Inbox.game_id)
        .where(col(Inbox.status) == InboxStatus.ACCEPTED, Inbox.next_try_at <= now)
        .where(col(Inbox.game_id).is_not(None))
        .distinct()
    )
    return [number for number in session.exec(statement) if number is not None]


def letters(session: Session) -> Sequence[Outbox]:
    """All letters, in the order in which they were written."""
    return session.exec(select(Outbox).order_by(col(Outbox.id))).all()


def sendable(session: Session, now: datetime) -> Sequence[int]:
    """The ids of letters that may be claimed now, the most urgent first."""
    free = or_(col(Outbox.lease_until).is_(None), col(Outbox.lease_until) <= now)
    statement = (
        select(Outbox.id)
        .where(col(Outbox.status).in_(UNSENT), col(Outbox.next_try_at) <= now, free)
        .order_by(col(Outbox.priority), col(Outbox.next_try_at), col(Outbox.id))
    )
    return session.exec(statement).all()
