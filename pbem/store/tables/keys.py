"""Keys with which a person's programs read what the person may see."""

from datetime import datetime

from sqlmodel import Field

from pbem.store.columns import UtcDateTime
from pbem.store.tables.row import Row


class ApiKey(Row, table=True):
    """A key of an address; only its hash (SHA-256, hex) is kept. `name` tells a person's apart."""

    __tablename__ = "api_key"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: int = Field(default=None, primary_key=True)
    hash: str = Field(unique=True, max_length=64)
    address: str = Field(index=True)
    name: str = ""
    made_at: datetime = Field(sa_type=UtcDateTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
