"""What is done to games from outside their rules, and who may do it."""

from datetime import datetime
from enum import StrEnum

from sqlmodel import Field

from pbem.store.columns import Json, UtcDateTime, closed
from pbem.store.tables.row import Document, Row


class Audit(Row, table=True):
    """Who did what to a game from outside the rules, append-only."""

    id: int = Field(default=None, primary_key=True)
    at: datetime = Field(sa_type=UtcDateTime)
    who: str
    what: str
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    reason: str = ""
    detail: Document = Field(default_factory=dict, sa_type=Json)


class Office(StrEnum):
    """What somebody was made of in one game; the owners of the house are in its settings."""

    GM = "gm"
    DEPUTY = "deputy"
    AUDITOR = "auditor"


class Appointment(Row, table=True):
    """An address's office in a game. `address` has its domain in lower case."""

    game_id: int = Field(primary_key=True, foreign_key="game.id")
    address: str = Field(primary_key=True, index=True)
    office: Office = Field(sa_type=closed(Office))
    by: str
    at: datetime = Field(sa_type=UtcDateTime)


class LoginLink(Row, table=True):
    """A link that opens the pages once; only the hash of its token (SHA-256, hex) is kept."""

    __tablename__ = "login_link"

    hash: str = Field(primary_key=True, max_length=64)
    address: str = Field(index=True)
    made_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime, index=True)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class Visit(Row, table=True):
    """A browser that a person has logged in with; only the hash of its key is kept.

    `language` is the one that its pages are in.
    """

    hash: str = Field(primary_key=True, max_length=64)
    address: str = Field(index=True)
    language: str
    began_at: datetime = Field(sa_type=UtcDateTime)
    seen_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime, index=True)
