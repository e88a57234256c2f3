"""Engines and sessions. Nothing opens at import; a door opens an engine and hands it down.

On SQLite a session takes the write lock at its first statement (`BEGIN IMMEDIATE`): a transaction
that read first and writes later can then never fail half-way because somebody else wrote. What
only reads takes no lock: pages have an engine of their own (`open_reader`), others `reading`.

Errors name their statement without its values, which are hands, decks and what players write: an
error may end in a log.
"""

import os
import sqlite3
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, func, make_url, select
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlmodel import Session

# Named here for the floors above, which do not know SQLAlchemy.
__all__ = [
    "BUSY_TIMEOUT_MS",
    "DBAPIError",
    "Engine",
    "OperationalError",
    "Session",
    "database_time",
    "is_sqlite",
    "open_engine",
    "open_reader",
    "open_sqlite",
    "reading",
    "session",
]

BUSY_TIMEOUT_MS = 30_000
"""How long a SQLite writer waits for another one, in milliseconds."""

_ONLY_READS = "pbem_only_reads"
_TAKE_LOCK = "BEGIN IMMEDIATE"
_LOOK_AGAIN = 0.001  # seconds


def open_engine(url: str) -> Engine:
    """The engine for everything that may write. `url` as SQLAlchemy spells it."""
    if is_sqlite(url):
        return open_sqlite(url)
    return _forget_on_fork(_server_engine(url))


def open_reader(url: str) -> Engine:
    """A second engine for pages that only read; a write through it is an error."""
    if is_sqlite(url):
        return open_sqlite(url, query_only=True)
    return _forget_on_fork(_server_engine(url, postgresql_readonly=True))


def open_sqlite(url: str, *, query_only: bool = False, foreign_keys: bool = True) -> Engine:
    """An engine on a SQLite file; its transactions begin with the write lock, if it may write."""
    engine = create_engine(url, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        # The driver would begin transactions by its own rules; here only we do.
        connection.isolation_level = None
        _keep_a_log(connection)
        for pragma in (
            f"busy_timeout = {BUSY_TIMEOUT_MS}",
            "synchronous = FULL",
            f"foreign_keys = {int(foreign_keys)}",
            f"query_only = {int(query_only)}",
        ):
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "checkin")
    def leave_nothing_open(connection: Any, _record: object) -> None:
        # After a COMMIT that failed (disk full, say) the pool sees no transaction, SQLite still
        # has one, and its lock would stay with an idle connection.
        if connection is not None and connection.in_transaction:
            connection.rollback()

    @event.listens_for(engine, "begin")
    def begin_transaction(connection: Connection) -> None:
        if query_only or connection.get_execution_options().get(_ONLY_READS, False):
            connection.exec_driver_sql("BEGIN DEFERRED")
        else:
            _begin_to_write(connection)

    return _forget_on_fork(engine)


def _keep_a_log(connection: sqlite3.Connection) -> None:
    """Has the file keep a write-ahead log.

    Where several open a new file at once, SQLite refuses this step instead of waiting for it.
    """
    until = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").close()
        except sqlite3.OperationalError:
            if time.monotonic() >= until:
                raise
            time.sleep(0.02)
        else:
            return


def _begin_to_write(connection: Connection) -> None:
    """Takes the write lock as soon as it is free, whoever else waits for it.

    SQLite itself would look again after longer and longer pauses, up to a tenth of a second, and
    under load somebody else has always just taken the lock: the mail at the door would be last.
    """
    driver: Any = connection.connection.driver_connection
    until = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    _wait_at_most(driver, 0)
    try:
        while not _took_lock(driver):
            if time.monotonic() >= until:
                connection.exec_driver_sql(_TAKE_LOCK)  # once more, for an error of the library's
                return
            time.sleep(_LOOK_AGAIN)
    finally:
        _wait_at_most(driver, BUSY_TIMEOUT_MS)


def _took_lock(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute(_TAKE_LOCK).close()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
            return False
        raise
    return True


def _wait_at_most(connection: sqlite3.Connection, milliseconds: int) -> None:
    """How long SQLite itself waits for others."""
    connection.execute(f"PRAGMA busy_timeout = {milliseconds}").close()


@contextmanager
def session(engine: Engine) -> Iterator[Session]:
    """A session that commits at the end of the block and rolls back if the block raises.

    Rows stay readable after the commit. `session.commit()` inside the block ends one transaction,
    and the next statement begins another.
    """
    with Session(engine, expire_on_commit=False) as opened:
        yield opened
        opened.commit()


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """A session to read in; on SQLite it waits for no writer, and no writer for it."""
    with Session(engine, expire_on_commit=False, autoflush=False) as opened:
        opened.connection(execution_options={_ONLY_READS: True})
        yield opened


def database_time(engine: Engine) -> datetime:
    """The moment that it is where the database runs, which for SQLite is here."""
    with engine.connect() as connection:
        now: datetime = connection.execute(select(func.current_timestamp())).scalar_one()
    return now.replace(tzinfo=UTC) if now.tzinfo is None else now.astimezone(UTC)


def is_sqlite(url: str) -> bool:
    """Whether the URL names a SQLite file; its lock is then one for the whole database."""
    return make_url(url).get_backend_name() == "sqlite"


def _server_engine(url: str, **execution_options: Any) -> Engine:
    return create_engine(
        _with_driver(url),
        pool_pre_ping=True,
        hide_parameters=True,
        execution_options=execution_options,
    )


def _with_driver(url: str) -> str:
    """`postgresql://` means psycopg 3 here, the one driver that we install."""
    parsed = make_url(url)
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    return parsed.render_as_string(hide_password=False)


def _forget_on_fork(engine: Engine) -> Engine:
    """A child process must not talk through its parent's connections, nor close them."""
    reference = weakref.ref(engine)

    def forget() -> None:
        if (inherited := reference()) is not None:
            inherited.dispose(close=False)

    os.register_at_fork(after_in_child=forget)
    return engine
