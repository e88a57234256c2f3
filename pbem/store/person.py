"""All rows that tell of one person, by address: to show them, and to forget them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import String, and_, cast, delete, func, or_, update
from sqlmodel import Session, col, select

from pbem.store.tables import (
    AddressChange,
    ApiKey,
    Appointment,
    Audit,
    Bounce,
    Caller,
    Consent,
    Inbox,
    InboxStatus,
    LoginLink,
    Outbox,
    OutboxStatus,
    Seat,
    Spectator,
    Visit,
    Voice,
    Webhook,
)

ERASED = "erased"
"""What stands for a person that was erased."""


@dataclass(frozen=True, slots=True)
class Rows:
    """What is kept of one address."""

    seats: Sequence[Seat]
    mails: Sequence[Inbox]
    letters: Sequence[Outbox]
    offices: Sequence[Appointment]
    visits: Sequence[Visit]
    moves: Sequence[AddressChange]
    acts: Sequence[Audit]
    keys: Sequence[ApiKey]
    watched: Sequence[Spectator]
    voices: Sequence[Voice]


def rows(session: Session, address: str) -> Rows:
    """Everything that names the address."""
    return Rows(
        seats=session.exec(select(Seat).where(_is(Seat.address, address))).all(),
        mails=session.exec(select(Inbox).where(_is(Inbox.mail_from, address))).all(),
        letters=session.exec(select(Outbox).where(_is(Outbox.to_address, address))).all(),
        offices=session.exec(select(Appointment).where(_is(Appointment.address, address))).all(),
        visits=session.exec(select(Visit).where(_is(Visit.address, address))).all(),
        moves=session.exec(select(AddressChange).where(_moved(address))).all(),
        acts=session.exec(select(Audit).where(_is(Audit.who, address))).all(),
        keys=session.exec(select(ApiKey).where(_is(ApiKey.address, address))).all(),
        watched=session.exec(select(Spectator).where(_is(Spectator.address, address))).all(),
        voices=session.exec(select(Voice).where(_is(Voice.address, address))).all(),
    )


def erase(session: Session, address: str, now: datetime) -> int:
    """Forgets the address and all that was written from and to it; how many rows knew it.

    The seats of games that are over lose their person; those of running games must have been
    given away before. Letters that others got stay theirs.
    """
    counts = [
        _erase_mails(session, address, now),
        _erase_letters(session, address),
        _erase_seats(session, address),
        _erase_audit(session, address),
        _change(session, Webhook, _is(Webhook.by, address), {"by": ERASED}),
        _change(session, Consent, _is(Consent.who, address), {"who": ERASED}),
    ]
    for table, where in (
        (Appointment, _is(Appointment.address, address)),
        (LoginLink, _is(LoginLink.address, address)),
        (Visit, _is(Visit.address, address)),
        (AddressChange, _moved(address)),
        (ApiKey, _is(ApiKey.address, address)),
        (Spectator, _is(Spectator.address, address)),
        (Caller, _is(Caller.address, address)),
        (Voice, _is(Voice.address, address)),
    ):
        counts.append(session.exec(delete(table).where(where)).rowcount)
    return sum(counts)


def _erase_mails(session: Session, address: str, now: datetime) -> int:
    """The bytes go and what was read in them; that there was a mail, and what it led to, stays."""
    mine = _is(Inbox.mail_from, address)
    waiting = and_(mine, col(Inbox.status).in_((InboxStatus.ACCEPTED, InboxStatus.HELD)))
    dropped = {"status": InboxStatus.IGNORED, "result": ERASED, "handled_at": now}
    _change(session, Inbox, waiting, dropped)
    blank: dict[str, Any] = {
        "mail_from": None,
        "raw": None,
        "reading": {},
        "last_error": None,
        "peer": "",
    }
    return _change(session, Inbox, mine, blank | {"helo": ""})


def _erase_letters(session: Session, address: str) -> int:
    mine = _is(Outbox.to_address, address)
    sent = (OutboxStatus.SENT, OutboxStatus.FAILED, OutboxStatus.DROPPED)
    _change(
        session, Outbox, and_(mine, ~col(Outbox.status).in_(sent)), {"status": OutboxStatus.DROPPED}
    )
    blank: dict[str, Any] = {"to_address": ERASED, "composed": None, "subject": None, "recipe": {}}
    return _change(session, Outbox, mine, blank | {"last_error": None})


def _erase_seats(session: Session, address: str) -> int:
    found = session.exec(select(Seat).where(_is(Seat.address, address))).all()
    for seat in found:
        seat.address, seat.name, seat.settings = None, seat.colour.capitalize(), {}
        seat.last_letter_address = seat.thread_message_id = None
        session.add(seat)
        where = and_(col(Bounce.game_id) == seat.game_id, col(Bounce.seat) == seat.letter)
        session.exec(update(Bounce).where(where).values(said=""))
    return len(found)


def _erase_audit(session: Session, address: str) -> int:
    """That something was done stays, and why; who it was, and whom it named, goes."""
    mentioned = func.lower(cast(Audit.detail, String)).contains(address.lower(), autoescape=True)
    found = session.exec(select(Audit).where(or_(_is(Audit.who, address), mentioned))).all()
    changed = [line for line in found if _blank(line, address)]
    session.add_all(changed)
    return len(changed)


def _blank(line: Audit, address: str) -> bool:
    """Whether the line named the person, whom it names no more."""
    before = line.who, line.detail
    line.who = ERASED if line.who.lower() == address.lower() else line.who
    line.detail = _without(line.detail, _named(address))
    return before != (line.who, line.detail)


def _named(address: str) -> re.Pattern[str]:
    """The address in a text, and no longer one that holds it, as `bigbob@x` holds `bob@x`."""
    return re.compile(rf"(?<![\w.+-]){re.escape(address)}(?![\w-]|\.\w)", re.IGNORECASE)


def _without(value: Any, named: re.Pattern[str]) -> Any:
    """JSON whose texts do not name the person."""
    if isinstance(value, dict):
        return {key: _without(inner, named) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without(inner, named) for inner in value]
    return ERASED if isinstance(value, str) and named.search(value) else value


def _change(session: Session, table: Any, where: Any, values: dict[str, Any]) -> int:
    statement = update(table).where(where).values(**values)
    return session.exec(statement.execution_options(synchronize_session="fetch")).rowcount


def _is(column: Any, address: str) -> Any:
    return func.lower(column) == address.lower()


def _moved(address: str) -> Any:
    return or_(_is(AddressChange.old, address), _is(AddressChange.new, address))
