"""The clock of the whole house: when it last went round, and when it stood still."""

from datetime import datetime

from sqlmodel import Field

from pbem.store.columns import Json, UtcDateTime
from pbem.store.tables.row import Document, Row


class Clock(Row, table=True):
    """The one row of the clock; `id` is always 1.

    `swept_at` is the heartbeat of the sweep, `lag` how many seconds late the oldest deadline was
    that it took up then. While `held_at` is set no deadline passes, for what `held_for` says;
    until `trusted_until` the safety stop does not look.
    """

    id: int = Field(default=1, primary_key=True)
    swept_at: datetime = Field(sa_type=UtcDateTime)
    lag: int = 0
    held_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    trusted_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    held_for: Document = Field(default_factory=dict, sa_type=Json)


class Outage(Row, table=True):
    """A span of time in which the clock stood still, by which deadlines move.

    `cause` is ``down`` (nothing swept) or ``held`` (the safety stop). Each game notes the newest
    one that it was moved by.
    """

    id: int = Field(default=None, primary_key=True)
    began_at: datetime = Field(sa_type=UtcDateTime, unique=True)
    ended_at: datetime = Field(sa_type=UtcDateTime)
    cause: str
