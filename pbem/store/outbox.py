"""The outbox: letters written down with the turn, then composed and sent at least once.

A letter is claimed with a lease before anything is done for it. Its final bytes are stored before
the first attempt, so that every attempt sends the same bytes under the same Message-ID.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, case, exists, func, or_, update
from sqlalchemy.orm import defer
from sqlmodel import Session, col, select

from pbem.store.change import change_one
from pbem.store.hints import FIRST_HINT
from pbem.store.insertion import core, insert_missing
from pbem.store.tables import Document, Outbox, OutboxStatus, Standstill

UNSENT = (
    OutboxStatus.PENDING,
    OutboxStatus.COMPOSED,
    OutboxStatus.SENDING,
    OutboxStatus.UNKNOWN,
)
"""Letters that are still to be sent."""

# What every letter asks stands here built once: building it takes longer than running it. What
# changes a row and does not read it names the table itself, since going through its class costs as
# much again.
_C = core(Outbox).c
_FREE: tuple[Any, ...] = (
    _C.status.in_(UNSENT),
    _C.next_try_at <= bindparam("now"),
    or_(_C.lease_until.is_(None), _C.lease_until <= bindparam("now")),
    ~exists().select_from(core(Standstill)),
)


def _in_order(*where: Any) -> Any:
    """The ids of letters, locked in their order: no two who change several wait for each other."""
    return select(_C.id).where(*where).order_by(_C.id).with_for_update()


_FREE_ONES: tuple[Any, ...] = (_C.id.in_(bindparam("rows", expanding=True)), *_FREE)
_IN_TIME: Any = or_(_C.expires_at.is_(None), _C.expires_at > bindparam("now"))
_CLAIM = (
    select(Outbox)
    .from_statement(
        update(core(Outbox))
        .where(_C.id.in_(_in_order(*_FREE_ONES, _IN_TIME)))
        .values(
            status=OutboxStatus.SENDING,
            attempts=_C.attempts + 1,
            lease_until=bindparam("lease"),
            next_hint_at=bindparam("lease"),
        )
        .returning(*_C)
    )
    .execution_options(populate_existing=True)
)
_DROP_EXPIRED = (
    update(core(Outbox))
    .where(_C.id.in_(_in_order(*_FREE_ONES, _C.expires_at <= bindparam("now"))))
    .values(status=OutboxStatus.DROPPED, lease_until=None)
)
_COMPOSED = (
    update(core(Outbox))
    .where(_C.id == bindparam("row"), _C.composed.is_(None))
    .values(composed=bindparam("bytes"), subject=bindparam("title"))
)
_SENT = (
    update(core(Outbox))
    .where(_C.id == bindparam("row"), _C.status != OutboxStatus.SENT)
    .values(status=OutboxStatus.SENT, sent_at=bindparam("now"), lease_until=None, last_error=None)
)
_KEPT = _SENT.values(
    composed=func.coalesce(_C.composed, bindparam("bytes", type_=_C.composed.type)),
    subject=func.coalesce(_C.subject, bindparam("title", type_=_C.subject.type)),
)
_BYTES: Any = select(_C.composed).where(
    _C.message_id == bindparam("message"), _C.seat.is_not_distinct_from(bindparam("seat"))
)
_NEWEST_BYTES: Any = (
    select(_C.composed)
    .where(
        _C.game_id == bindparam("game"),
        _C.seat == bindparam("seat"),
        _C.composed.is_not(None),
    )
    .order_by(_C.created_at.desc(), _C.id.desc())  # as an index has them: no letter is sorted
    .limit(1)
)
_SUBJECT: Any = select(_C.subject).where(_C.message_id == bindparam("message"))


@dataclass(frozen=True, slots=True)
class NewLetter:
    """A letter to write. `key` is `game:turn:seat:kind:n`; lower `priority` goes first."""

    key: str
    kind: str
    message_id: str
    to_address: str
    game_id: int | None = None
    seat: str | None = None
    recipe: Document = field(default_factory=dict)
    position_hash: str | None = None
    in_reply_to: str | None = None
    inbox_id: int | None = None
    envelope_from: str = ""
    priority: int = 5
    not_before: datetime | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Final:
    """A letter as it goes out."""

    outbox_id: int
    subject: str
    composed: bytes


def enqueue(session: Session, letters: Sequence[NewLetter], now: datetime) -> tuple[int, ...]:
    """Writes the letters down; the ids of those that are new, the most urgent first.

    A letter whose key is there already is the same letter: it is left as it is.
    """
    fresh = insert_missing(session, Outbox, "key", [_row(letter, now) for letter in letters])
    urgent = sorted(letters, key=lambda letter: letter.priority)
    return tuple(fresh[letter.key] for letter in urgent if letter.key in fresh)


def find(session: Session, outbox_id: int) -> Outbox | None:
    """One letter, as the database has it now."""
    return session.get(Outbox, outbox_id, populate_existing=True)


def bytes_of(session: Session, message_id: str, seat: str | None) -> bytes | None:
    """The bytes of the seat's letter with this Message-ID, if there is one and it is composed.

    Without a seat those of a letter that went to none.
    """
    found: bytes | None = session.scalar(_BYTES, {"message": message_id, "seat": seat})
    return found


def newest_bytes(session: Session, game_id: int, seat: str) -> bytes | None:
    """The bytes of the seat's newest letter that is composed; None before the first."""
    found: bytes | None = session.scalar(_NEWEST_BYTES, {"game": game_id, "seat": seat})
    return found


def subject_of(session: Session, message_id: str) -> str | None:
    """The subject of the letter with this Message-ID, once it is composed."""
    subject: str | None = session.scalar(_SUBJECT, {"message": message_id})
    return subject


def answers_to(session: Session, inbox_id: int) -> Sequence[Outbox]:
    """The letters that answer one row of the inbox."""
    statement = select(Outbox).where(Outbox.inbox_id == inbox_id)
    return session.exec(statement.order_by(col(Outbox.id))).all()


def letters_to(
    session: Session, game_id: int, seat: str | None = None, limit: int = 100
) -> Sequence[Outbox]:
    """The newest letters of a game, or of one seat of it, newest first."""
    statement = select(Outbox).where(Outbox.game_id == game_id)
    if seat is not None:
        statement = statement.where(Outbox.seat == seat)
    return session.exec(statement.order_by(col(Outbox.id).desc()).limit(limit)).all()


def newest_of_kind(session: Session, game_id: int, seat: str, kind: str) -> Outbox | None:
    """The newest letter of a kind to a seat."""
    statement = select(Outbox).where(
        Outbox.game_id == game_id, Outbox.seat == seat, Outbox.kind == kind
    )
    return session.exec(statement.order_by(col(Outbox.id).desc()).limit(1)).first()


def sent_to(
    session: Session, game_id: int, seat: str, address: str, limit: int
) -> Sequence[Outbox]:
    """The newest letters of a seat that were sent to an address, newest first, without bytes."""
    statement = (
        select(Outbox)
        .where(
            Outbox.game_id == game_id,
            Outbox.seat == seat,
            Outbox.to_address == address,
            Outbox.status == OutboxStatus.SENT,
        )
        .options(defer(col(Outbox.composed)), defer(col(Outbox.recipe)))  # type: ignore[arg-type]
        .order_by(col(Outbox.id).desc())
        .limit(limit)
    )
    return session.exec(statement).all()


def claim(
    session: Session, outbox_ids: Sequence[int], now: datetime, lease: timedelta
) -> Sequence[Outbox]:
    """Takes letters for one attempt, whose number is their `attempts`; commit before sending.

    Those that are not to be sent now are left out: at rest, not yet due, in another worker's
    hands, or expired, which drops them; all of them as long as the house stands still.
    """
    facts = {"rows": outbox_ids, "now": now, "lease": now + lease}
    claimed = {row.id: row for row in session.scalars(_CLAIM, facts)}
    if len(claimed) < len(outbox_ids):
        session.connection().execute(_DROP_EXPIRED, {"rows": outbox_ids, "now": now})
    return [claimed[number] for number in outbox_ids if number in claimed]


def store_composed(session: Session, outbox_id: int, composed: bytes, subject: str) -> bytes:
    """Stores a letter's final bytes, once; the bytes that stand, whoever stored them."""
    facts = {"row": outbox_id, "bytes": composed, "title": subject}
    if change_one(session, Outbox, _COMPOSED, facts):
        return composed
    stored = session.exec(select(Outbox.composed).where(Outbox.id == outbox_id)).one()
    return composed if stored is None else stored


def prolong(session: Session, outbox_id: int, attempt: int, until: datetime) -> bool:
    """Holds the lease for longer; False if it was lost to a later attempt.

    The sweep hints at its end, not before: a hint at a letter in somebody's hands is a lost one.
    """
    held = {"lease_until": until, "next_hint_at": until}
    return _update(session, _held(outbox_id, attempt), held)


def mark_unknown(session: Session, outbox_id: int, attempt: int, retry_at: datetime) -> bool:
    """The bytes go out now: should no answer come, the next attempt waits until `retry_at`.

    Commit before the final dot. False if the lease was lost to a later attempt.
    """
    return _rest(session, outbox_id, attempt, OutboxStatus.UNKNOWN, retry_at)


def mark_sent(session: Session, outbox_id: int, now: datetime) -> bool:
    """The relay took it, in whichever attempt; False if that was known before."""
    return change_one(session, Outbox, _SENT, {"row": outbox_id, "now": now})


def keep_sent(session: Session, letters: Sequence[Final], now: datetime) -> None:
    """Where no relay is, letters have arrived once their bytes are stored; what stands, stands.

    In one go: the bytes are moved whenever anything of their row changes.
    """
    kept = [
        {"row": letter.outbox_id, "bytes": letter.composed, "title": letter.subject, "now": now}
        for letter in sorted(letters, key=lambda letter: letter.outbox_id)
    ]
    if kept:
        session.connection().execute(_KEPT, kept)


def mark_retry(
    session: Session, outbox_id: int, attempt: int, next_try_at: datetime, error: str
) -> bool:
    """An attempt failed for now. False if the lease was lost to a later attempt."""
    waiting = case(
        (col(Outbox.composed).is_(None), OutboxStatus.PENDING), else_=OutboxStatus.COMPOSED
    )
    return _rest(session, outbox_id, attempt, waiting, next_try_at, error)


def mark_failed(session: Session, outbox_id: int, attempt: int, error: str) -> bool:
    """It cannot be sent, ever. False if the lease was lost to a later attempt."""
    values = {"status": OutboxStatus.FAILED, "lease_until": None, "last_error": error}
    return _update(session, _held(outbox_id, attempt), values)


def compose_again(
    session: Session, outbox_id: int, attempt: int, recipe: Document, now: datetime
) -> bool:
    """Lets a letter be made anew from another recipe, now: no server has taken the one before.

    False if the lease was lost to a later attempt.
    """
    values = {
        "status": OutboxStatus.PENDING,
        "recipe": recipe,
        "composed": None,
        "lease_until": None,
        "next_try_at": now,
        "next_hint_at": now,
        "hints": 0,
    }
    return _update(session, _held(outbox_id, attempt), values)


def postpone(session: Session, outbox_id: int, attempt: int, until: datetime) -> bool:
    """Puts a claimed letter back without a try; it does not count as one."""
    values = {
        "status": OutboxStatus.COMPOSED,
        "attempts": attempt - 1,
        "lease_until": None,
        "next_try_at": until,
        "next_hint_at": until,
        "hints": 0,
    }
    return _update(session, _held(outbox_id, attempt), values)


def slow_down(session: Session, domain: str, until: datetime) -> int:
    """Lets all letters to a domain wait that would go before; how many. Nothing counts as tried."""
    waiting = _in_order(
        _C.status.in_((OutboxStatus.PENDING, OutboxStatus.COMPOSED)),
        _C.next_try_at < until,
        func.lower(_C.to_address).endswith(f"@{domain.lower()}", autoescape=True),
    )
    values = {"next_try_at": until, "next_hint_at": until, "hints": 0}
    statement = update(Outbox).where(col(Outbox.id).in_(waiting)).values(**values)
    return session.exec(statement.execution_options(synchronize_session=False)).rowcount


def resend(session: Session, outbox_id: int, now: datetime) -> bool:
    """Lets a letter at rest go out once more, the same bytes; False if it is on its way."""
    at_rest = (OutboxStatus.SENT, OutboxStatus.FAILED)
    where = (col(Outbox.id) == outbox_id, col(Outbox.status).in_(at_rest))
    again = case(
        (col(Outbox.composed).is_(None), OutboxStatus.PENDING), else_=OutboxStatus.COMPOSED
    )
    values = {"status": again, "attempts": 0, "hints": 0, "lease_until": None, "expires_at": None}
    return _update(session, where, values | {"next_try_at": now, "next_hint_at": now})


def _row(letter: NewLetter, now: datetime) -> dict[str, Any]:
    earliest = letter.not_before or now
    row = {column.name: getattr(letter, column.name) for column in fields(letter)}
    del row["not_before"]
    return row | {
        "status": OutboxStatus.PENDING,
        "attempts": 0,
        "hints": 0,
        "created_at": now,
        "next_try_at": earliest,
        "next_hint_at": earliest + FIRST_HINT,
    }


def _held(outbox_id: int, attempt: int) -> tuple[Any, ...]:
    """The row, if this attempt is still the newest one and has no outcome yet."""
    in_hand = (OutboxStatus.SENDING, OutboxStatus.UNKNOWN)
    return (
        col(Outbox.id) == outbox_id,
        col(Outbox.attempts) == attempt,
        col(Outbox.status).in_(in_hand),
    )


def _rest(
    session: Session,
    outbox_id: int,
    attempt: int,
    status: Any,
    next_try_at: datetime,
    error: str | None = None,
) -> bool:
    values = {
        "status": status,
        "lease_until": None,
        "next_try_at": next_try_at,
        "next_hint_at": next_try_at,
        "hints": 0,
        "last_error": error,
    }
    return _update(session, _held(outbox_id, attempt), values)


def _update(session: Session, where: tuple[Any, ...], values: dict[str, Any]) -> bool:
    """Whether the one row that fits was changed; rows in the session's hands follow."""
    statement = update(Outbox).where(*where).values(**values)
    return session.exec(statement.execution_options(synchronize_session="fetch")).rowcount == 1
