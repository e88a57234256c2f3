"""A board of another maker, as it was imported."""

from datetime import datetime

from sqlalchemy import Text
from sqlmodel import Field

from pbem.store.columns import UtcDateTime
from pbem.store.tables.row import Row


class Board(Row, table=True):
    """A board by the checksum of its text, which never changes: a game keeps to that checksum.

    `name` is what a new game is made with; None where a later import has taken it over. `source`
    is the board's canonical text (`rules.board.canonical`), `by` who imported it.
    """

    checksum: str = Field(primary_key=True, max_length=16)
    name: str | None = Field(default=None, unique=True)
    by: str
    imported_at: datetime = Field(sa_type=UtcDateTime)
    source: str = Field(sa_type=Text, repr=False)
