"""The tables, as rows without behaviour.

Letters of seats are `A` to `F`; all moments are UTC; JSON columns hold what `rules.notation` and
the judge write. Every row that leads to an effect has a unique key, so that doing it twice fails
in the database even where a lock was lost. Columns that grow long stand last: SQLite reads a row
from its beginning, and what stands behind a long one costs more pages.
"""

from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar

from sqlalchemy import Index, LargeBinary, MetaData, UniqueConstraint
from sqlmodel import Field, SQLModel

from pbem.store.columns import Json, UtcDateTime, closed

Document = dict[str, Any]
"""A JSON object."""

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Row(SQLModel):
    """The base of every table; its metadata names all constraints, so that migrations can."""

    metadata: ClassVar[MetaData] = MetaData(naming_convention=NAMING)


class SeatStatus(StrEnum):
    """Where a seat stands, from the invitation to the end of the game."""

    INVITED = "invited"
    JOINED = "joined"
    DECLINED = "declined"
    STANDING = "standing"
    ELIMINATED = "eliminated"


class Source(StrEnum):
    """How a row came into the inbox."""

    SMTP = "smtp"
    LMTP = "lmtp"
    INGEST = "ingest"
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


class ProposalStatus(StrEnum):
    """`open` until a YES takes it, a NO declines it or the game moves on."""

    OPEN = "open"
    TAKEN = "taken"
    DECLINED = "declined"
    LAPSED = "lapsed"


class Game(Row, table=True):
    """One game. `turn`, `on_turn`, `phase` repeat what the state says, for queries.

    `version` rises at every change of the state. `deadline` is the end of whatever the game waits
    for (invitations, setup lists, a turn). `chain_last` is the secret s[4096] of the dice.
    Secrets are left out of the repr, which may end in a log.
    """

    __table_args__ = (
        # What the sweep asks every few seconds, of running games only: deadlines and reminders
        # that are due, and computers on turn.
        Index("ix_game_deadline", "over_at", "paused_at", "deadline"),
        Index("ix_game_reminder", "over_at", "paused_at", "next_reminder_at"),
        Index("ix_game_on_turn", "over_at", "paused_at", "on_turn", "turn", "step"),
        # SQLite would by itself give the id of a deleted row again.
        {"sqlite_autoincrement": True},
    )

    id: int = Field(default=None, primary_key=True)
    created_at: datetime = Field(sa_type=UtcDateTime)
    ruleset: str
    language: str = "en"
    version: int = 0
    branch: int = 0
    turn: int = 0
    step: int = 0
    on_turn: str | None = None
    phase: str
    deadline: datetime | None = Field(default=None, sa_type=UtcDateTime)
    next_reminder_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    over_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    paused_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    chain_last: bytes = Field(sa_type=LargeBinary, repr=False)
    commitment: str
    deck_seed: bytes = Field(sa_type=LargeBinary, repr=False)
    deck_commitment: str
    luck: str = ""
    last_seq: int = 0
    options: Document = Field(default_factory=dict, sa_type=Json)
    state: Document = Field(sa_type=Json, repr=False)


class Seat(Row, table=True):
    """A place at a game's table. `address` has its domain in lower case; None for the computer.

    `key_epoch` rises with NEWKEY. `unreachable_at` is since when letters to it come back too often.
    `last_letter_address` is the reply address of the newest letter,
    `thread_message_id` the letter that began the seat's thread of this turn.
    """

    game_id: int = Field(default=None, primary_key=True, foreign_key="game.id")
    letter: str = Field(primary_key=True, max_length=1)
    colour: str
    name: str
    address: str | None = Field(default=None, index=True)
    language: str = "en"
    zone: str = "UTC"
    computer: bool = False
    status: SeatStatus = Field(default=SeatStatus.INVITED, sa_type=closed(SeatStatus))
    key_epoch: int = 0
    unreachable_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    last_letter_address: str | None = None
    thread_message_id: str | None = None
    settings: Document = Field(default_factory=dict, sa_type=Json)
    misses: list[Any] = Field(default_factory=list, sa_type=Json)
    joined_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class Event(Row, table=True):
    """What happened, append-only; `seq` counts from 1 in a game, over all branches.

    `part` counts the events of one inbox row from 0: a row that was played twice would collide.
    """

    __table_args__ = (UniqueConstraint("inbox_id", "part"), Index(None, "game_id", "turn"))

    game_id: int = Field(primary_key=True, foreign_key="game.id")
    seq: int = Field(primary_key=True)
    branch: int = 0
    turn: int
    kind: str
    body: Document = Field(sa_type=Json, repr=False)
    inbox_id: int | None = Field(default=None, foreign_key="inbox.id")
    part: int = 0
    rules_version: str
    at: datetime = Field(sa_type=UtcDateTime)


class Snapshot(Row, table=True):
    """The state at the close of a turn; `last_seq` is the last event in it."""

    game_id: int = Field(primary_key=True, foreign_key="game.id")
    branch: int = Field(default=0, primary_key=True)
    turn: int = Field(primary_key=True)
    last_seq: int
    state: Document = Field(sa_type=Json, repr=False)
    at: datetime = Field(sa_type=UtcDateTime)


class Position(Row, table=True):
    """A state that letters show, by its hash; kept while a letter needs it."""

    game_id: int = Field(primary_key=True, foreign_key="game.id")
    hash: str = Field(primary_key=True, max_length=64)
    state: Document = Field(sa_type=Json, repr=False)
    at: datetime = Field(sa_type=UtcDateTime, index=True)


class Picture(Row, table=True):
    """A drawn picture by the hash of what it shows, kept while letters of that moment are composed.

    The letters hold their own copies in their final bytes.
    """

    hash: str = Field(primary_key=True, max_length=64)
    at: datetime = Field(sa_type=UtcDateTime, index=True)
    png: bytes = Field(sa_type=LargeBinary, repr=False)


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


class Proposal(Row, table=True):
    """What a YES would take: corrected orders, stale ones, an invitation, a resignation.

    `message_id` is the letter that offers it.
    """

    __table_args__ = (Index(None, "game_id", "seat", "status"),)

    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: str
    turn: int
    step: int
    kind: str
    body: Document = Field(default_factory=dict, sa_type=Json)
    message_id: str | None = Field(default=None, index=True)
    status: ProposalStatus = Field(default=ProposalStatus.OPEN, sa_type=closed(ProposalStatus))
    created_at: datetime = Field(sa_type=UtcDateTime)
    settled_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class SetupList(Row, table=True):
    """A seat's wishes for the setup; a later list of the same kind replaces it."""

    __tablename__ = "setup_list"

    game_id: int = Field(primary_key=True, foreign_key="game.id")
    seat: str = Field(primary_key=True)
    kind: str = Field(primary_key=True)
    lines: list[Any] = Field(default_factory=list, sa_type=Json)
    normal: list[Any] = Field(default_factory=list, sa_type=Json)
    inbox_id: int | None = Field(default=None, foreign_key="inbox.id")
    at: datetime = Field(sa_type=UtcDateTime)


class HandledOrders(Row, table=True):
    """Orders that were played, by the hash of their normal form: a repetition rolls nothing."""

    __tablename__ = "handled_orders"

    game_id: int = Field(primary_key=True, foreign_key="game.id")
    seat: str = Field(primary_key=True)
    turn: int = Field(primary_key=True)
    step: int = Field(primary_key=True)
    orders_hash: str = Field(primary_key=True, max_length=64)
    inbox_id: int | None = Field(default=None, foreign_key="inbox.id")
    at: datetime = Field(sa_type=UtcDateTime)


class Audit(Row, table=True):
    """Who did what to a game from outside the rules, append-only."""

    id: int = Field(default=None, primary_key=True)
    at: datetime = Field(sa_type=UtcDateTime)
    who: str
    what: str
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    reason: str = ""
    detail: Document = Field(default_factory=dict, sa_type=Json)
