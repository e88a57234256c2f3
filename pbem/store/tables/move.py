"""A player's move from one address to another."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Index
from sqlmodel import Field

from pbem.store.columns import UtcDateTime, closed
from pbem.store.tables.row import Row


class ChangeStatus(StrEnum):
    """`open` until both sides have agreed, one has declined, or nobody answered in time."""

    OPEN = "open"
    MOVED = "moved"
    DECLINED = "declined"
    LAPSED = "lapsed"


class AddressChange(Row, table=True):
    """A change of a seat's address, which the old and the new one must both agree to.

    `by_gm`: the game master asked for it, and speaks for the old address unless that says NO.
    """

    __tablename__ = "address_change"
    __table_args__ = (Index(None, "game_id", "seat"),)

    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: str
    old: str
    new: str
    by_gm: bool = False
    asked_at: datetime = Field(sa_type=UtcDateTime)
    old_agreed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    new_agreed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    status: ChangeStatus = Field(default=ChangeStatus.OPEN, sa_type=closed(ChangeStatus))
    settled_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
