"""Bulk inserts in SQLAlchemy Core, where a row that is already there is no error."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import Table, inspect
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session

from pbem.store.tables import Inbox, Outbox, Row, WebhookCall


def insert_missing(
    session: Session,
    table: type[Inbox | Outbox | WebhookCall],
    key: str,
    rows: Sequence[dict[str, Any]],
) -> dict[str, int]:
    """Inserts the rows whose unique column `key` is new; the ids of those, by that column."""
    if not rows:
        return {}
    statement = _missing(_dialect(session), table, key)
    # Each mail at the door asks this: past the session it takes less time.
    return dict(session.connection().execute(statement, list(rows)).all())


def keep_first(session: Session, table: type[Row], row: dict[str, Any]) -> bool:
    """Inserts one row unless its primary key is there; whether it was new."""
    return session.exec(_first(_dialect(session), table), params=row).first() is not None


def replace(session: Session, table: type[Row], row: dict[str, Any]) -> None:
    """Inserts one row, or overwrites the one that has its primary key."""
    keys = [column.name for column in core(table).primary_key]
    values = {name: value for name, value in row.items() if name not in keys}
    statement = _insert(_dialect(session), table).on_conflict_do_update(
        index_elements=keys, set_=values
    )
    session.exec(statement, params=row)


def core(table: type[Row]) -> Table:
    """The table itself, for statements that make no objects; give them every column."""
    found = inspect(table).local_table
    assert isinstance(found, Table), "no row of ours is mapped to a query"
    return found


@cache
def _missing(dialect: str, table: type[Inbox | Outbox | WebhookCall], key: str) -> Any:
    columns = core(table).c
    statement = _insert(dialect, table).on_conflict_do_nothing(index_elements=[key])
    return statement.returning(columns[key], columns.id)


@cache
def _first(dialect: str, table: type[Row]) -> Any:
    statement = _insert(dialect, table).on_conflict_do_nothing()
    return statement.returning(*core(table).primary_key)


def _dialect(session: Session) -> str:
    return session.get_bind().dialect.name


def _insert(dialect: str, table: type[Row]) -> Any:
    """Both dialects have ON CONFLICT, each in a class of its own."""
    return sqlite.insert(core(table)) if dialect == "sqlite" else postgresql.insert(core(table))
