"""The switch that stops the whole house."""

from datetime import datetime

from sqlmodel import Field

from pbem.store.columns import UtcDateTime
from pbem.store.tables.row import Row


class Standstill(Row, table=True):
    """While this row is there nothing is played and nothing sent; `id` is always 1."""

    id: int = Field(default=1, primary_key=True)
    since: datetime = Field(sa_type=UtcDateTime)
    by: str
    reason: str = ""
