"""Changing one row by a condition, so that of two who try only one succeeds."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Update
from sqlmodel import Session

from pbem.store.tables import Inbox, Outbox


def change_one(
    session: Session, table: type[Inbox | Outbox], statement: Update, facts: Mapping[str, Any]
) -> bool:
    """Whether the row `facts["row"]` fitted the statement, which is built once, and was changed.

    A row that the session has in hand is read again when it is looked at.
    """
    session.flush()
    changed = session.exec(statement, params=facts).rowcount == 1
    in_hand = session.identity_map.get(session.identity_key(table, facts["row"]))
    if in_hand is not None:
        session.expire(in_hand)
    return changed
