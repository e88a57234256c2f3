"""Acts that wait until somebody beside their game master has agreed."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Index
from sqlmodel import Field

from pbem.store.columns import Json, UtcDateTime, closed
from pbem.store.tables.row import Document, Row


class ConsentStatus(StrEnum):
    """`open` until enough have agreed, it is refused or withdrawn, or it lapses."""

    OPEN = "open"
    GIVEN = "given"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"


class Consent(Row, table=True):
    """A question to others whether an act may be done, and the act itself.

    `who` wants it, `of` says who is asked (`gm` or `players`), `act` and `fields` are what would be
    done, and `told` what was said of it to who is asked. `position_hash` is of the position that
    it was previewed on: on another one nobody has agreed to anything.
    """

    __table_args__ = (Index(None, "game_id", "status"), Index(None, "status", "lapses_at"))

    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    who: str
    of: str
    act: str
    reason: str = ""
    position_hash: str
    status: ConsentStatus = Field(default=ConsentStatus.OPEN, sa_type=closed(ConsentStatus))
    asked_at: datetime = Field(sa_type=UtcDateTime)
    lapses_at: datetime = Field(sa_type=UtcDateTime)
    settled_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    fields: Document = Field(default_factory=dict, sa_type=Json)
    told: Document = Field(default_factory=dict, sa_type=Json)


class Voice(Row, table=True):
    """Somebody who is asked for consent: a seat's player, or a game master without a seat ("").

    `agrees` is None until an answer came, at `at`.
    """

    consent_id: int = Field(primary_key=True, foreign_key="consent.id")
    address: str = Field(primary_key=True, index=True)
    seat: str = Field(default="", primary_key=True)
    agrees: bool | None = None
    at: datetime | None = Field(default=None, sa_type=UtcDateTime)
