"""Bulk inserts in SQLAlchemy Core, where a row that is already there is no error."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col

from pbem.store.tables import Inbox, Outbox, Row


def insert_missing(
    session: Session, table: type[Inbox | Outbox], key: str, rows: Sequence[dict[str, Any]]
) -> dict[str, int]:
    """Inserts the rows whose unique column `key` is new; the ids of those, by that column."""
    if not rows:
        return {}
    key_column = getattr(table, key)
    statement = _insert(session, table).on_conflict_do_nothing(index_elements=[key])
    inserted = session.exec(statement.returning(key_column, col(table.id)), params=list(rows))
    return dict(inserted.tuples())


def keep_first(session: Session, table: type[Row], row: dict[str, Any]) -> bool:
    """Inserts one row unless its primary key is there; whether it was new."""
    result = session.exec(_insert(session, table).on_conflict_do_nothing(), params=row)
    return bool(result.rowcount == 1)


def replace(session: Session, table: type[Row], row: dict[str, Any]) -> None:
    """Inserts one row, or overwrites the one that has its primary key."""
    keys = [column.name for column in table.__table__.primary_key]  # type: ignore[attr-defined]
    values = {name: value for name, value in row.items() if name not in keys}
    statement = _insert(session, table).on_conflict_do_update(index_elements=keys, set_=values)
    session.exec(statement, params=row)


def _insert(session: Session, table: type[Row]) -> Any:
    """Both dialects have ON CONFLICT, each in a class of its own."""
    dialect = session.get_bind().dialect.name
    return sqlite.insert(table) if dialect == "sqlite" else postgresql.insert(table)
