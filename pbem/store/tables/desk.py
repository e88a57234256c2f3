"""What is done to games from outside their rules."""

from datetime import datetime

from sqlmodel import Field

from pbem.store.columns import Json, UtcDateTime
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
