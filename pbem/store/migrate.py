"""Migrations: bring a database to the tables of this version, by one process at a time."""

import contextlib
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, make_url, text

from pbem.store.engine import is_sqlite, open_engine, open_sqlite

SCRIPTS = Path(__file__).parent / "migrations"
LOCK_KEY = 0x7062656D
"""The advisory lock of migrations on PostgreSQL; any number that nobody else there uses."""


@dataclass(frozen=True, slots=True)
class Migrated:
    """The revisions before (None: an empty database) and after, and the copy made in between."""

    before: str | None
    after: str
    backup: Path | None


class BrokenReferenceError(RuntimeError):
    """A migration left rows that refer to rows which are not there; it was rolled back."""


def migrate(url: str, revision: str = "head") -> Migrated:
    """Brings the database to the newest tables (or to a revision), in one transaction.

    A second process that comes at the same time waits, then finds nothing to do. A SQLite file
    that holds tables already is copied first, to `<file>.at-<revision>` beside it.
    """
    engine = _open(url)
    try:
        with engine.begin() as connection:
            _lock(connection)
            before = _revision(connection)
            backup = _back_up(url, before) if before not in (None, head()) else None
            command.upgrade(config(connection), revision)
            _check_references(connection)
            after = _revision(connection)
            assert after is not None, "an upgrade leaves a revision"
            return Migrated(before, after, backup)
    finally:
        engine.dispose()


def is_current(engine: Engine) -> bool:
    """Whether the database has the tables of this version."""
    with engine.connect() as connection:
        return _revision(connection) == head()


def head() -> str:
    """The newest revision that this version knows."""
    newest = ScriptDirectory(str(SCRIPTS)).get_current_head()
    assert newest is not None, "the package holds its migrations"
    return newest


def config(connection: Connection) -> Config:
    """Alembic's settings for a connection whose transaction the caller holds."""
    settings = Config()
    # Alembic reads its settings with interpolation, so a percent sign in a path is doubled.
    settings.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    settings.attributes["connection"] = connection
    return settings


def _open(url: str) -> Engine:
    """SQLite rebuilds a table by dropping it, which enforced foreign keys would forbid."""
    if is_sqlite(url):
        return open_sqlite(url, foreign_keys=False)
    return open_engine(url)


def _lock(connection: Connection) -> None:
    """On SQLite the transaction has the lock since it began."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK_KEY})


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _back_up(url: str, revision: str | None) -> Path | None:
    """Copies what is committed, through a connection of its own; None if there is no file."""
    file = make_url(url).database if is_sqlite(url) else None
    if file is None or not Path(file).is_file():
        return None
    copy, part = Path(f"{file}.at-{revision}"), Path(f"{file}.part")
    part.unlink(missing_ok=True)
    with (
        contextlib.closing(sqlite3.connect(file)) as source,
        contextlib.closing(sqlite3.connect(part)) as target,
    ):
        source.backup(target)
    return part.replace(copy)


def _check_references(connection: Connection) -> None:
    """Foreign keys were not enforced on SQLite while tables were rebuilt."""
    if connection.dialect.name != "sqlite":
        return
    if broken := connection.execute(text("PRAGMA foreign_key_check")).all():
        raise BrokenReferenceError(f"{len(broken)} rows, the first in {broken[0][0]}")
