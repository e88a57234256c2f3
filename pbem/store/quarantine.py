"""Rows of the inbox that came to rest without an effect: held, set aside or dead.

A listing reads the beginning of each mail only, where its headers stand; the whole bytes belong to
whoever looks at one.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import LargeBinary, func, type_coerce, update
from sqlmodel import Session, col, select

from pbem.store.tables import Document, Inbox, InboxStatus

AT_REST = (InboxStatus.HELD, InboxStatus.SET_ASIDE, InboxStatus.DEAD)
"""What somebody may have to look at."""

_HEAD = 16 * 1024


class Resting(NamedTuple):
    """One row at rest, with the first 16 KiB of its mail (None if no mail brought it)."""

    id: int
    status: InboxStatus
    source: str
    game_id: int | None
    seat: str | None
    turn: int | None
    step: int | None
    recipient: str
    mail_from: str | None
    received_at: datetime
    handled_at: datetime | None
    attempts: int
    result: str | None
    last_error: str | None
    reading: Document | None
    head: bytes | None


def listing(
    session: Session,
    *,
    game_id: int | None = None,
    statuses: Sequence[InboxStatus] = AT_REST,
    where: Sequence[Any] = (),
    before: int | None = None,
    limit: int = 100,
) -> Sequence[Resting]:
    """The newest rows first; `before` is the id of the last one of the page before.

    `where` are more conditions on the rows, as `store.scope.Scope` makes them.
    """
    columns: list[Any] = [getattr(Inbox, name) for name in Resting._fields if name != "head"]
    head = type_coerce(func.substr(Inbox.raw, 1, _HEAD), LargeBinary)
    statement: Any = select(*columns, head)  # type: ignore[call-overload]
    statement = statement.where(*_where(game_id, statuses), *where)
    if before is not None:
        statement = statement.where(col(Inbox.id) < before)
    found = session.exec(statement.order_by(col(Inbox.id).desc()).limit(limit))
    return [Resting(*row) for row in found]


def count(
    session: Session,
    *,
    game_id: int | None = None,
    statuses: Sequence[InboxStatus] = AT_REST,
) -> int:
    """How many rows there are in all."""
    statement = select(func.count(col(Inbox.id))).where(*_where(game_id, statuses))
    return session.exec(statement).one()


def settle(
    session: Session, inbox_id: int, status: InboxStatus, now: datetime, result: str
) -> bool:
    """Give a row at rest its end; False if it is none of those, or no longer."""
    where = (col(Inbox.id) == inbox_id, col(Inbox.status).in_(AT_REST))
    values = {"status": status, "result": result, "handled_at": now}
    statement = update(Inbox).where(*where).values(values)
    return session.exec(statement.execution_options(synchronize_session="fetch")).rowcount == 1


def _where(game_id: int | None, statuses: Sequence[InboxStatus]) -> list[Any]:
    where: list[Any] = [col(Inbox.status).in_(statuses)]
    if game_id is not None:
        where.append(col(Inbox.game_id) == game_id)
    return where
