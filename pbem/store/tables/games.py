"""A game: its state, its seats, what happened, and what letters show of it."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Index, LargeBinary, UniqueConstraint
from sqlmodel import Field

from pbem.store.columns import Json, UtcDateTime, closed
from pbem.store.tables.row import Document, Row


class SeatStatus(StrEnum):
    """Where a seat stands, from the invitation to the end of the game."""

    INVITED = "invited"
    JOINED = "joined"
    DECLINED = "declined"
    STANDING = "standing"
    ELIMINATED = "eliminated"


class Game(Row, table=True):
    """One game. `turn`, `on_turn`, `phase` repeat what the state says, for queries.

    `version` rises at every change of the state. `deadline` is the end of whatever the game waits
    for (invitations, setup lists, a turn), `fallen_due` the one that stands in the inbox already.
    `warning_at` is when the seat on turn is warned that it will be taken, `stale_at` when a table
    that nobody plays at is warned (`stale_warned`: has been), then closed. `outage` is the newest
    one that moved the deadline. `chain_last` is the secret s[4096] of the dice. `listed` repeats
    the option of that name: the lobby shows the game.
    `resume_at` is when a pause ends by itself. `branches` are the rollbacks, oldest first, as
    `judge.branches` writes them; `branch` is how many there were.
    Secrets are left out of the repr, which may end in a log.
    """

    __table_args__ = (
        # What the sweep asks every few seconds, of running games only: deadlines and reminders
        # that are due, and computers on turn.
        Index("ix_game_deadline", "over_at", "paused_at", "deadline"),
        Index("ix_game_reminder", "over_at", "paused_at", "next_reminder_at"),
        Index("ix_game_on_turn", "over_at", "paused_at", "on_turn", "turn", "step"),
        Index("ix_game_warning", "over_at", "paused_at", "warning_at"),
        Index("ix_game_stale", "over_at", "paused_at", "stale_at"),
        Index("ix_game_outage", "over_at", "paused_at", "outage"),
        Index("ix_game_listed", "listed", "over_at", "id"),
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
    fallen_due: datetime | None = Field(default=None, sa_type=UtcDateTime)
    next_reminder_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    warning_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    stale_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    stale_warned: bool = False
    outage: int = 0
    over_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    paused_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    resume_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    chain_last: bytes = Field(sa_type=LargeBinary, repr=False)
    commitment: str
    deck_seed: bytes = Field(sa_type=LargeBinary, repr=False)
    deck_commitment: str
    luck: str = ""
    listed: bool = False
    last_seq: int = 0
    options: Document = Field(default_factory=dict, sa_type=Json)
    branches: list[Any] = Field(default_factory=list, sa_type=Json)
    state: Document = Field(sa_type=Json, repr=False)


class Seat(Row, table=True):
    """A place at a game's table. `address` has its domain in lower case; None for the computer,
    and for a seat that nobody holds yet.

    A seat of an absent player that the computer plays for keeps its address. `open_since` marks
    one that a player is sought for, `luck` is the player's word for the list of the dice.
    `time_saved` are seconds in the seat's time bank, `news_at` is when its daily news is due and
    `news_from` the first event that they tell.
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
    unreachable_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    last_letter_address: str | None = None
    thread_message_id: str | None = None
    open_since: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    time_saved: int = 0
    news_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    news_from: int | None = None
    settings: Document = Field(default_factory=dict, sa_type=Json)
    misses: list[Any] = Field(default_factory=list, sa_type=Json)
    joined_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    luck: str | None = None


class Event(Row, table=True):
    """What happened, append-only; `seq` counts from 1 in a game, over all branches.

    `part` counts the events of one inbox row from 0: a row that was played twice would collide.
    `undone_in` is the branch that left the event out by going back before it, None as long as it
    counts.
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
    undone_in: int | None = None
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
