"""Where the public news of games is told besides letters, and every time that it is."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Index, Text, UniqueConstraint
from sqlmodel import Field

from pbem.store.columns import UtcDateTime, closed
from pbem.store.tables.row import Row


class HookKind(StrEnum):
    """`webhook` takes signed JSON over HTTPS; `chat` is an address of apprise, told in words."""

    WEBHOOK = "webhook"
    CHAT = "chat"


class CallStatus(StrEnum):
    """`pending` calls are still to be made; the others are at rest."""

    PENDING = "pending"
    DONE = "done"
    FAILED = "failed"


class Webhook(Row, table=True):
    """An address that is told the public news of one game. `secret` signs them (chat: none)."""

    __table_args__ = (UniqueConstraint("game_id", "url"), {"sqlite_autoincrement": True})

    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    kind: HookKind = Field(sa_type=closed(HookKind))
    url: str = Field(repr=False)
    secret: str = Field(default="", repr=False)
    by: str
    since: datetime = Field(sa_type=UtcDateTime)


class WebhookCall(Row, table=True):
    """One piece of news for one webhook. `key` is `webhook:news`, unique; `body` are the final
    bytes, so that each attempt sends the same."""

    __tablename__ = "webhook_call"
    __table_args__ = (Index(None, "status", "next_try_at"),)

    id: int = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    webhook_id: int = Field(foreign_key="webhook.id", index=True)
    status: CallStatus = Field(default=CallStatus.PENDING, sa_type=closed(CallStatus))
    attempts: int = 0
    next_try_at: datetime = Field(sa_type=UtcDateTime)
    made_at: datetime = Field(sa_type=UtcDateTime)
    done_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    last_error: str | None = None
    body: str = Field(sa_type=Text, repr=False)
