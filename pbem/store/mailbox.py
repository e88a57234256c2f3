"""What the mailbox page reads: letters by the address they went to, and mails by their sender.

Only addresses that letters were written to are people here; a dropped letter never existed.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import case, func
from sqlmodel import Session, col, select

from pbem.store.inbox import MAILS
from pbem.store.tables import Inbox, Outbox, OutboxStatus

Sessions = Callable[[], AbstractContextManager[Session]]
"""Opens a session; what a page is given to read with."""


@dataclass(frozen=True, slots=True)
class Person:
    """An address with letters: how many, how many of them unread, and the newest one's time."""

    address: str
    letters: int
    unread: int
    newest_at: datetime


@dataclass(frozen=True, slots=True)
class Heading:
    """A letter as a list shows it; `subject` is None until it is composed."""

    id: int
    to_address: str
    kind: str
    subject: str | None
    status: OutboxStatus
    created_at: datetime


def people(session: Session, opened: Iterable[int] = (), opened_to: int = 0) -> list[Person]:
    """Everybody who has letters, who got the newest one first.

    Read are the letters whose ids are in `opened` or not above `opened_to`.
    """
    unread = (
        (col(Outbox.status) == OutboxStatus.SENT)
        & (col(Outbox.id) > opened_to)
        & col(Outbox.id).not_in(sorted(opened))
    )
    statement = (
        select(
            Outbox.to_address,
            func.count(),
            func.sum(case((unread, 1), else_=0)),
            func.max(col(Outbox.created_at)),
        )
        .where(*_shown())
        .group_by(col(Outbox.to_address))
        .order_by(func.max(col(Outbox.id)).desc())
    )
    return [Person(*found) for found in session.exec(statement)]


def letters_to(session: Session, address: str, limit: int = 200) -> list[Heading]:
    """The newest letters to an address, newest first."""
    statement = (
        select(
            Outbox.id,
            Outbox.to_address,
            Outbox.kind,
            Outbox.subject,
            Outbox.status,
            Outbox.created_at,
        )  # type: ignore[call-overload]  # typed for four columns at most
        .where(Outbox.to_address == address, *_shown())
        .order_by(col(Outbox.id).desc())
    )
    return [Heading(*found) for found in session.exec(statement.limit(limit))]


def letter(session: Session, outbox_id: int) -> Outbox | None:
    """One letter with its bytes, or None if there is none to show."""
    return session.exec(select(Outbox).where(Outbox.id == outbox_id, *_shown())).one_or_none()


def mails_from(session: Session, address: str, limit: int = 50) -> Sequence[Inbox]:
    """The newest mails that came from an address, newest first."""
    statement = (
        select(Inbox)
        .where(func.lower(Inbox.mail_from) == address.lower(), col(Inbox.source).in_(MAILS))
        .order_by(col(Inbox.id).desc())
    )
    return session.exec(statement.limit(limit)).all()


def mail(session: Session, inbox_id: int) -> Inbox | None:
    """One mail of somebody who has letters, or None."""
    people_here = select(func.lower(Outbox.to_address)).where(*_shown())
    statement = select(Inbox).where(
        Inbox.id == inbox_id,
        col(Inbox.source).in_(MAILS),
        func.lower(Inbox.mail_from).in_(people_here),
    )
    return session.exec(statement).one_or_none()


def _shown() -> tuple[Any, ...]:
    return (col(Outbox.status) != OutboxStatus.DROPPED,)
