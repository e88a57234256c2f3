"""Who comes to the house without a seat: spectators, and what they and others write to it."""

from datetime import datetime

from sqlalchemy import UniqueConstraint
from sqlmodel import Field

from pbem.store.columns import UtcDateTime
from pbem.store.tables.row import Row


class Spectator(Row, table=True):
    """Somebody who gets the public reports of a game by mail. `address` has its domain in lower
    case; the id stands in the address that ends it."""

    __table_args__ = (
        UniqueConstraint("game_id", "address"),
        # The address that ends it must never mean the spectator who comes next.
        {"sqlite_autoincrement": True},
    )

    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    address: str = Field(index=True)
    language: str = "en"
    since: datetime = Field(sa_type=UtcDateTime)


class Caller(Row, table=True):
    """Something that an address did in the lobby, for the limits of a day; `what` is a word."""

    id: int = Field(default=None, primary_key=True)
    address: str = Field(index=True)
    what: str
    at: datetime = Field(sa_type=UtcDateTime, index=True)
