"""A database in memory for what is thrown away: cases, tests. One thread only."""

from pbem.store.engine import Engine, open_engine
from pbem.store.tables import Row


def open_memory() -> Engine:
    """An empty database with all tables; it is gone with its engine."""
    engine = open_engine("sqlite://")
    Row.metadata.create_all(engine)
    return engine
