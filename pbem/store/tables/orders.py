"""What seats have sent and what became of it."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Index
from sqlmodel import Field

from pbem.store.columns import Json, UtcDateTime, closed
from pbem.store.tables.row import Document, Row


class ProposalStatus(StrEnum):
    """`open` until a YES takes it, a NO declines it or the game moves on."""

    OPEN = "open"
    TAKEN = "taken"
    DECLINED = "declined"
    LAPSED = "lapsed"


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
    """A seat's wishes for the setup; a later list of the same kind and branch replaces it."""

    __tablename__ = "setup_list"

    game_id: int = Field(primary_key=True, foreign_key="game.id")
    branch: int = Field(default=0, primary_key=True)
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
