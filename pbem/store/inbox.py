"""The inbox: what came in, kept before it is answered, played in the order of its arrival."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from enum import StrEnum
from operator import attrgetter
from typing import Any

from sqlalchemy import Engine, bindparam, exists, func, or_, update
from sqlmodel import Session, col, select

from pbem.store.change import change_one
from pbem.store.columns import Json
from pbem.store.engine import session as open_session
from pbem.store.hints import FIRST_HINT
from pbem.store.insertion import core, insert_missing
from pbem.store.tables import Document, Inbox, InboxStatus, Source, Standstill

MAILS = (Source.SMTP, Source.LMTP, Source.INGEST, Source.IMAP, Source.WEBHOOK)
"""Where mails come from."""

MOST_ATTEMPTS = 5
"""A row that failed so often is poison: it is set aside as dead."""

CLAIM = timedelta(seconds=10)
"""How long an attempt is left alone by other workers."""

RETRY_STEPS = tuple(timedelta(seconds=seconds) for seconds in (1, 5, 30, 120))
"""The waits after the first, second ... failed attempt."""


# What every mail asks stands here built once: building it takes longer than running it. What
# changes a row names the table itself, since going through its class costs as much again.
_C = core(Inbox).c
_FIND = (
    select(Inbox).where(col(Inbox.id) == bindparam("row")).execution_options(populate_existing=True)
)
_ROW: tuple[Any, ...] = (_C.id == bindparam("row"), _C.status == InboxStatus.ACCEPTED)
_TRIABLE = (
    *_ROW,
    _C.next_try_at <= bindparam("now"),
    or_(_C.claimed_until.is_(None), _C.claimed_until <= bindparam("now")),
)
_FIRST_WAITING = (
    select(Inbox)
    .where(
        Inbox.game_id == bindparam("game"),
        col(Inbox.status) == InboxStatus.ACCEPTED,
        ~exists().select_from(core(Standstill)),
    )
    .order_by(col(Inbox.received_at), col(Inbox.id))
    .limit(1)
    .execution_options(populate_existing=True)
)
_COUNT_ATTEMPT = (
    update(core(Inbox))
    .where(*_TRIABLE, _C.attempts < MOST_ATTEMPTS)
    .values(
        attempts=_C.attempts + 1,
        claimed_until=bindparam("lease"),
        next_hint_at=bindparam("lease"),
    )
    .returning(_C.attempts)
)
_BURY_POISON = (
    update(core(Inbox))
    .where(*_TRIABLE, _C.attempts >= MOST_ATTEMPTS)
    .values(status=InboxStatus.DEAD, handled_at=bindparam("now"), claimed_until=None)
)
_LAY_TO_REST = (
    update(core(Inbox))
    .where(*_ROW)
    .values(
        status=bindparam("to"),
        result=bindparam("why"),
        reading=func.coalesce(bindparam("read", type_=Json), _C.reading),
        handled_at=bindparam("now"),
        claimed_until=None,
    )
)


@dataclass(frozen=True, slots=True)
class Delivery:
    """One thing for the inbox: a mail to one recipient, a deadline, orders of a computer.

    `dedupe_key` is what makes two deliveries one, `body_hash` what they say: the same key with
    another hash is set aside. `not_before` holds the row back, and those behind it in its game.
    `result` says why a delivery comes in at rest.
    """

    source: Source
    dedupe_key: str
    received_at: datetime
    recipient: str = ""
    game_id: int | None = None
    seat: str | None = None
    turn: int | None = None
    step: int | None = None
    mail_from: str | None = None
    peer: str = ""
    helo: str = ""
    raw: bytes | None = None
    body_hash: str = ""
    reading: Document | None = None
    status: InboxStatus = InboxStatus.ACCEPTED
    result: str | None = None
    not_before: datetime | None = None


_COLUMNS = tuple(each.name for each in fields(Delivery) if each.name != "not_before")
_values = attrgetter(*_COLUMNS)


class Arrived(StrEnum):
    """What became of a delivery."""

    NEW = "new"
    DUPLICATE = "duplicate"
    SET_ASIDE = "set-aside"


@dataclass(frozen=True, slots=True)
class Receipt:
    """The inbox row that holds a delivery, and whether it is a new one."""

    inbox_id: int
    arrived: Arrived


def add(session: Session, deliveries: Sequence[Delivery]) -> tuple[Receipt, ...]:
    """Stores what is new of the deliveries; a receipt for each, in their order.

    The same key with the same content is there already. The same key with other content is kept
    under a key of its own, set aside for the GM.
    """
    fresh = _insert(session, deliveries)
    return tuple(
        Receipt(number, Arrived.NEW)
        if (number := fresh.pop(delivery.dedupe_key, None)) is not None
        else _settle_known(session, delivery)
        for delivery in deliveries
    )


def find(session: Session, inbox_id: int) -> Inbox | None:
    """One row of the inbox, as the database has it now."""
    return session.exec(_FIND, params={"row": inbox_id}).one_or_none()


def find_key(session: Session, dedupe_key: str) -> Inbox | None:
    """The row with this dedupe key, or None."""
    return session.exec(select(Inbox).where(Inbox.dedupe_key == dedupe_key)).one_or_none()


def next_accepted(session: Session, game_id: int, now: datetime) -> Inbox | None:
    """The first row of the game that waits, by received_at and id; None if it may not go yet.

    Nothing overtakes it: while the first row waits for its time, the game's others wait behind it.
    None, too, as long as the house stands still.
    """
    first = session.exec(_FIRST_WAITING, params={"game": game_id}).one_or_none()
    return first if first is not None and first.next_try_at <= now else None


def without_game(session: Session, now: datetime, limit: int = 100) -> Sequence[int]:
    """The rows that belong to no game and may be tried now, oldest first."""
    statement = (
        select(Inbox.id)
        .where(
            col(Inbox.game_id).is_(None),
            Inbox.status == InboxStatus.ACCEPTED,
            col(Inbox.next_try_at) <= now,
        )
        .order_by(col(Inbox.received_at), col(Inbox.id))
    )
    return session.exec(statement.limit(limit)).all()


def count_attempt(
    engine: Engine, inbox_id: int, now: datetime, claim: timedelta = CLAIM
) -> int | None:
    """Counts an attempt in a transaction of its own, before the risky work; its number from 1.

    None if the row is not to be tried: at rest, not yet due, in another worker's hands, or
    poison, which makes it dead. Call it while no session of this thread is in a transaction:
    SQLite would wait for itself.
    """
    facts = {"row": inbox_id, "now": now, "lease": now + claim}
    with open_session(engine) as session:
        number = session.exec(_COUNT_ATTEMPT, params=facts).scalar_one_or_none()
        if number is None:
            change_one(session, Inbox, _BURY_POISON, facts)
        return number


def mark(
    session: Session,
    inbox_id: int,
    status: InboxStatus,
    now: datetime,
    *,
    result: str | None = None,
    reading: Document | None = None,
) -> bool:
    """Brings a row that waits to rest, with what was read in it; False if it was at rest before.

    Without a reading the row keeps the one that it has.
    """
    facts = {"row": inbox_id, "to": status, "why": result, "now": now, "read": reading}
    return change_one(session, Inbox, _LAY_TO_REST, facts)


def mark_failed(session: Session, inbox_id: int, error: str, now: datetime) -> bool:
    """Keeps the traceback of an attempt and says when the next may come; whether it was the last.

    After its last attempt the row is dead.
    """
    attempts = session.exec(select(Inbox.attempts).where(Inbox.id == inbox_id)).one()
    values: dict[str, Any] = {"last_error": error, "claimed_until": None, "hints": 0}
    if attempts >= MOST_ATTEMPTS:
        dead = {"status": InboxStatus.DEAD, "handled_at": now}
        return _update(session, _waiting(inbox_id), values | dead)
    again = now + RETRY_STEPS[min(max(attempts, 1), len(RETRY_STEPS)) - 1]
    _update(session, _waiting(inbox_id), values | {"next_try_at": again, "next_hint_at": again})
    return False


def defer(session: Session, inbox_id: int, until: datetime, why: str) -> bool:
    """Lets a row wait for something outside; the attempt was no failure and does not count."""
    values = {
        "attempts": col(Inbox.attempts) - 1,
        "next_try_at": until,
        "next_hint_at": until,
        "claimed_until": None,
        "hints": 0,
        "last_error": why,
    }
    return _update(session, _waiting(inbox_id), values)


def retry(session: Session, inbox_id: int, now: datetime) -> bool:
    """Lets a row at rest that led to nothing (dead, held, set aside) wait again (the GM's act)."""
    resting_row = (
        col(Inbox.id) == inbox_id,
        col(Inbox.status).in_((InboxStatus.DEAD, InboxStatus.HELD, InboxStatus.SET_ASIDE)),
    )
    values = {"status": InboxStatus.ACCEPTED, "attempts": 0, "hints": 0, "handled_at": None}
    return _update(session, resting_row, values | {"next_try_at": now, "next_hint_at": now})


def _insert(session: Session, deliveries: Sequence[Delivery]) -> dict[str, int]:
    rows = [_row(delivery) for delivery in deliveries]
    return insert_missing(session, Inbox, "dedupe_key", rows)


def _settle_known(session: Session, delivery: Delivery) -> Receipt:
    """A key that is there already: the same again, or something else to look at."""
    known = find_key(session, delivery.dedupe_key)
    assert known is not None, "the insert met this key"
    if known.body_hash == delivery.body_hash:
        return Receipt(known.id, Arrived.DUPLICATE)
    key = f"{delivery.dedupe_key}#{delivery.body_hash[:16]}"
    other = replace(delivery, dedupe_key=key, status=InboxStatus.SET_ASIDE, result="same-id")
    fresh = _insert(session, [other])
    if key in fresh:
        return Receipt(fresh[key], Arrived.SET_ASIDE)
    again = find_key(session, key)
    assert again is not None, "the insert met this key"
    return Receipt(again.id, Arrived.DUPLICATE)


def _row(delivery: Delivery) -> dict[str, Any]:
    earliest = delivery.not_before or delivery.received_at
    return dict(zip(_COLUMNS, _values(delivery), strict=True)) | {
        "next_try_at": earliest,
        # No door calls for a deadline, so the sweep does as soon as it may be played.
        "next_hint_at": earliest if delivery.source is Source.DEADLINE else earliest + FIRST_HINT,
        "attempts": 0,
        "hints": 0,
    }


def _waiting(inbox_id: int) -> tuple[Any, ...]:
    return (col(Inbox.id) == inbox_id, col(Inbox.status) == InboxStatus.ACCEPTED)


def _update(session: Session, where: tuple[Any, ...], values: dict[str, Any]) -> bool:
    """Whether the one row that fits was changed; rows in the session's hands follow."""
    statement = update(Inbox).where(*where).values(**values)
    return session.exec(statement.execution_options(synchronize_session="fetch")).rowcount == 1
