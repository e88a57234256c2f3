"""A database in memory for what is thrown away: cases, tests. One thread only."""

import sqlite3
from functools import cache

from pbem.store.engine import Engine, open_engine
from pbem.store.tables import Row


def open_memory() -> Engine:
    """An empty database with all tables; it is gone with its engine."""
    engine = open_engine("sqlite://")
    _driver(engine).executescript(_script())
    return engine


@cache
def _script() -> str:
    """What makes all tables: always the same, and longer to put together than to run."""
    engine = open_engine("sqlite://")
    Row.metadata.create_all(engine)
    script = "\n".join(_driver(engine).iterdump())
    engine.dispose()
    return script


def _driver(engine: Engine) -> sqlite3.Connection:
    """The one connection that a database in memory has."""
    with engine.connect() as connection:
        driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver
