"""Mails and letters in lines, without the bytes that they hold.

They grow without end: every list is cut, and what is counted has an index.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func
from sqlmodel import Session, col, select

from pbem.store.outbox import UNSENT
from pbem.store.quarantine import AT_REST
from pbem.store.scope import Scope
from pbem.store.tables import Inbox, InboxStatus, Outbox, OutboxStatus


class MailLine(NamedTuple):
    """A row of the inbox in a list, without what it says."""

    id: int
    game_id: int | None
    seat: str | None
    source: str
    status: InboxStatus
    result: str | None
    mail_from: str | None
    received_at: datetime


class LetterLine(NamedTuple):
    """A letter in a list, without its bytes."""

    id: int
    game_id: int | None
    seat: str | None
    kind: str
    subject: str | None
    to_address: str
    status: OutboxStatus
    attempts: int
    created_at: datetime
    next_try_at: datetime
    sent_at: datetime | None
    last_error: str | None


_MAIL_LINE: Any = tuple(getattr(Inbox, name) for name in MailLine._fields)
_LETTER_LINE: Any = tuple(getattr(Outbox, name) for name in LetterLine._fields)

FAILED = (OutboxStatus.FAILED, OutboxStatus.UNKNOWN)
"""Letters that somebody may have to look at."""

MOST_COUNTED = 10_000
"""Nobody counts more than that for a page."""


def mails(
    session: Session,
    game_id: int,
    *,
    seats: Collection[str] | None = None,
    before: int | None = None,
    limit: int = 50,
) -> list[MailLine]:
    """What came in for a game, newest first; only that of some seats, if given."""
    statement = select(*_MAIL_LINE).where(Inbox.game_id == game_id)
    if seats is not None:
        statement = statement.where(col(Inbox.seat).in_(sorted(seats)))
    if before is not None:
        statement = statement.where(col(Inbox.id) < before)
    found: Any = session.exec(statement.order_by(col(Inbox.id).desc()).limit(limit))
    return [MailLine(*row) for row in found]


def letters(
    session: Session,
    scope: Scope,
    *,
    game_id: int | None = None,
    statuses: Collection[OutboxStatus] | None = None,
    before: int | None = None,
    limit: int = 50,
) -> list[LetterLine]:
    """Letters, newest first: of one game, or with one of these statuses, if given."""
    statement = select(*_LETTER_LINE).where(*scope.where(Outbox.game_id))
    if game_id is not None:
        statement = statement.where(Outbox.game_id == game_id)
    if statuses is not None:
        statement = statement.where(_plain(Outbox.status, statuses))
    if before is not None:
        statement = statement.where(col(Outbox.id) < before)
    found: Any = session.exec(statement.order_by(col(Outbox.id).desc()).limit(limit))
    return [LetterLine(*row) for row in found]


def _plain(column: Any, values: Collection[OutboxStatus]) -> Any:
    """A condition on a status: of the common ones, the newest rows are found without its index."""
    if OutboxStatus.SENT in values:
        return func.coalesce(column, "").in_([str(value) for value in values])
    return col(column).in_(list(values))


def letter(session: Session, outbox_id: int) -> LetterLine | None:
    """One letter as a line."""
    found: Any = session.exec(select(*_LETTER_LINE).where(Outbox.id == outbox_id)).first()
    return None if found is None else LetterLine(*found)


def queued(session: Session, scope: Scope, limit: int = 50) -> list[LetterLine]:
    """Letters that wait, those first that are tried next."""
    found: list[LetterLine] = []
    for status in UNSENT:  # each by the index; a sum of them would be sorted whole
        statement = (
            select(*_LETTER_LINE)
            .where(Outbox.status == status, *scope.where(Outbox.game_id))
            .order_by(col(Outbox.next_hint_at))
        )
        rows: Any = session.exec(statement.limit(limit))
        found += [LetterLine(*row) for row in rows]
    return sorted(found, key=lambda line: (line.next_try_at, line.id))[:limit]


def count_letters(session: Session, statuses: Collection[OutboxStatus]) -> int:
    """How many letters have one of these statuses, up to `MOST_COUNTED`."""
    return _count(session, select(Outbox.id).where(col(Outbox.status).in_(list(statuses))))


def count_mails(session: Session, statuses: Collection[InboxStatus]) -> int:
    """How many mails have one of these statuses, up to `MOST_COUNTED`."""
    return _count(session, select(Inbox.id).where(col(Inbox.status).in_(list(statuses))))


def _count(session: Session, rows: Any) -> int:
    counted = select(func.count()).select_from(rows.limit(MOST_COUNTED).subquery())
    return session.exec(counted).one()


class Waiting(NamedTuple):
    """What stands in the boxes, up to `MOST_COUNTED`; since when that which is due longest."""

    mails: int
    oldest_mail: datetime | None
    letters: int
    oldest_letter: datetime | None
    stray: int
    failed: int


def waiting(session: Session) -> Waiting:
    """What waits to be played or sent, and what came to nothing."""
    mail = (
        select(Inbox.received_at)
        .where(Inbox.status == InboxStatus.ACCEPTED)
        .order_by(col(Inbox.next_hint_at))
    )
    letters = [line.created_at for line in queued(session, Scope(), limit=1)]
    return Waiting(
        mails=count_mails(session, (InboxStatus.ACCEPTED,)),
        oldest_mail=session.exec(mail.limit(1)).first(),
        letters=count_letters(session, UNSENT),
        oldest_letter=letters[0] if letters else None,
        stray=count_mails(session, AT_REST),
        failed=count_letters(session, (OutboxStatus.FAILED,)),
    )
