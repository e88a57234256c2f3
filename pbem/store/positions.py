"""Positions that letters show, kept once by their hash until no letter needs them."""

import hashlib
import json
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, delete, exists
from sqlmodel import Session, col, select

from pbem.store.insertion import core, keep_first
from pbem.store.outbox import UNSENT
from pbem.store.tables import Document, Outbox, Position

_C = core(Position).c
# Every letter asks it; building the statement takes longer than running it.
_STATE: Any = select(_C.state).where(_C.game_id == bindparam("game"), _C.hash == bindparam("hash"))


def keep(session: Session, game_id: int, state: Document, now: datetime) -> str:
    """Keeps a state for the letters of this transaction; its hash (64 hex characters)."""
    digest = hash_of(state)
    keep_first(session, Position, {"game_id": game_id, "hash": digest, "state": state, "at": now})
    return digest


def hash_of(state: Document) -> str:
    """What tells one state from another: 64 hex characters."""
    text = json.dumps(state, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def find(session: Session, game_id: int, digest: str) -> Document | None:
    """The state with this hash, or None if it was purged."""
    state: Document | None = session.scalar(_STATE, {"game": game_id, "hash": digest})
    return state


def purge(session: Session, now: datetime, older_than: timedelta) -> int:
    """Drops the positions that no letter needs: none unsent, none younger; how many went."""
    needed = exists().where(
        col(Outbox.game_id) == col(Position.game_id),
        col(Outbox.position_hash) == col(Position.hash),
        col(Outbox.status).in_(UNSENT) | (col(Outbox.created_at) > now - older_than),
    )
    old = delete(Position).where(col(Position.at) <= now - older_than, ~needed)
    return session.exec(old.execution_options(synchronize_session=False)).rowcount
