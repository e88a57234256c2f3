"""Heartbeats: each process says now and then that it lives, for `/readyz`."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlmodel import Session

from pbem.store.insertion import replace
from pbem.store.tables import Heartbeat


def beat(
    session: Session, name: str, now: datetime, detail: Mapping[str, Any] | None = None
) -> None:
    """Says that the process of this name (`sweep`, `front`, `worker`) lives."""
    replace(session, Heartbeat, {"name": name, "at": now, "detail": dict(detail or {})})


def last(session: Session, name: str) -> Heartbeat | None:
    """The last word of the process of this name, or None if it never said one."""
    return session.get(Heartbeat, name, populate_existing=True)
