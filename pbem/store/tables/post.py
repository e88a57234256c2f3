"""What comes in and what goes out."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Index, LargeBinary
from sqlmodel import Field

from pbem.store.columns import Json, UtcDateTime, closed
from pbem.store.tables.row import Document, Row


class Source(StrEnum):
    """How a row came into the inbox."""

    SMTP = "smtp"
    LMTP = "lmtp"
    INGEST = "ingest"
    IMAP = "imap"
    WEBHOOK = "webhook"
    COMPUTER = "computer"
    DEADLINE = "deadline"
    GM = "gm"


class InboxStatus(StrEnum):
    """`accepted` rows wait to be played; the others are at rest."""

    ACCEPTED = "accepted"
    DONE = "done"
    HELD = "held"
    SET_ASIDE = "set-aside"
    IGNORED = "ignored"
    DEAD = "dead"


class OutboxStatus(StrEnum):
    """`pending` to `unknown` letters are still to be sent; the others are at rest.

    `composed` has its final bytes; `unknown` was handed over, but its final dot never answered.
    """

    PENDING = "pending"
    COMPOSED = "composed"
    SENDING = "sending"
    UNKNOWN = "unknown"
    SENT = "sent"
    FAILED = "failed"
    DROPPED = "dropped"


class Inbox(Row, table=True):
    """Everything that a game has to answer: mails, deadlines, orders of computers, acts of the GM.

    `raw` are the bytes of a mail as they came; `peer` and `helo` are of the client that brought it,
    empty if that cannot have been its sender's own server. `reading` is what was read in them, with
    what became of the proof of its sender. `next_try_at` is the earliest next attempt,
    `next_hint_at` when the sweep hints at the row again.
    """

    __table_args__ = (
        Index(None, "game_id", "status", "received_at"),
        Index(None, "status", "next_hint_at"),
    )

    id: int = Field(default=None, primary_key=True)
    source: Source = Field(sa_type=closed(Source))
    dedupe_key: str = Field(unique=True)
    recipient: str = ""
    game_id: int | None = Field(default=None, foreign_key="game.id")
    seat: str | None = None
    turn: int | None = None
    step: int | None = None
    mail_from: str | None = None
    peer: str = ""
    helo: str = ""
    body_hash: str = ""
    received_at: datetime = Field(sa_type=UtcDateTime, index=True)
    status: InboxStatus = Field(default=InboxStatus.ACCEPTED, sa_type=closed(InboxStatus))
    attempts: int = 0
    next_try_at: datetime = Field(sa_type=UtcDateTime)
    next_hint_at: datetime = Field(sa_type=UtcDateTime)
    hints: int = 0
    claimed_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    handled_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    result: str | None = None
    reading: Document | None = Field(default=None, sa_type=Json)
    last_error: str | None = None
    raw: bytes | None = Field(default=None, sa_type=LargeBinary)


class Outbox(Row, table=True):
    """A letter: its recipe from the moment of the play, its final bytes before the first attempt.

    `key` is `game:turn:seat:kind:n`. Lower `priority` goes first. A letter whose `expires_at` has
    passed is dropped (a reminder after its deadline).
    """

    __table_args__ = (
        Index(None, "status", "next_hint_at"),
        Index(None, "game_id", "seat", "created_at"),
    )

    id: int = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    game_id: int | None = Field(default=None, foreign_key="game.id")
    seat: str | None = None
    kind: str
    position_hash: str | None = None
    message_id: str = Field(unique=True)
    in_reply_to: str | None = None
    inbox_id: int | None = Field(default=None, foreign_key="inbox.id", index=True)
    to_address: str
    envelope_from: str = ""
    priority: int = 5
    status: OutboxStatus = Field(default=OutboxStatus.PENDING, sa_type=closed(OutboxStatus))
    subject: str | None = None
    attempts: int = 0
    next_try_at: datetime = Field(sa_type=UtcDateTime)
    next_hint_at: datetime = Field(sa_type=UtcDateTime)
    hints: int = 0
    lease_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    created_at: datetime = Field(sa_type=UtcDateTime)
    sent_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    expires_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    last_error: str | None = None
    recipe: Document = Field(default_factory=dict, sa_type=Json)
    composed: bytes | None = Field(default=None, sa_type=LargeBinary)


class Bounce(Row, table=True):
    """A report that a letter did not reach its seat; `hard` if it says that none will.

    `source` is what reported it, `inbox:7` or `outbox:12`: once each.
    """

    __table_args__ = (Index(None, "game_id", "seat", "at"),)

    source: str = Field(primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: str
    hard: bool
    at: datetime = Field(sa_type=UtcDateTime)
    said: str = ""
