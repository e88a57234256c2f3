"""What was said in a row of the inbox: read outside the lock, in a process that can be killed."""

from collections.abc import Mapping
from typing import Any

from pbem.mail import glance, inbound
from pbem.mail.reading import Kind, Reading
from pbem.store import outbox, tables
from pbem.store.engine import Session

CORRECTION = "correction"
"""The key in a stored reading that says which mail of its player a game master corrected."""


def letter_answered(session: Session, row: tables.Inbox) -> str | None:
    """The text part of our letter that the mail answers, to tell its quote from new lines.

    A relay may have given our letters other ids, and a program may name none: then the newest one
    to the seat, which is most likely what was answered.
    """
    if row.raw is None:
        return None
    for message_id in glance.answered_ids(row.raw):
        if (named := outbox.bytes_of(session, message_id, row.seat)) is not None:
            return glance.own_text(named)
    if row.game_id is None or row.seat is None:
        return None
    newest = outbox.newest_bytes(session, row.game_id, row.seat)
    return None if newest is None else glance.own_text(newest)


def read(row: tables.Inbox, sent: str | None) -> Mapping[str, Any]:
    """The stored form of a `Reading`; rows that were never a mail bring it with them."""
    if row.raw is None:
        return row.reading or {}
    return inbound.read_safely(row.raw, sent, envelope_from=row.mail_from).as_json()


def orders_of(lines: tuple[str, ...]) -> dict[str, Any]:
    """The reading of a row that no mail brought: orders of the computer or of the GM."""
    return Reading(
        kind=Kind.ORDERS,
        sender=None,
        refused=None,
        message_id=None,
        in_reply_to=None,
        references=(),
        text=lines,
        doubtful=(),
        notes=(),
    ).as_json()
