"""The database as a command meets it: brought up to date, or one line that says why not."""

from collections.abc import Iterator
from contextlib import contextmanager

from pbem.settings import Settings, StartError
from pbem.store import migrate as migration
from pbem.store.engine import DBAPIError, OperationalError


class DatabaseError(StartError):
    """The database cannot be reached, brought up to date or written to."""

    exit_code = 1


def migrate(settings: Settings) -> None:
    """Bring the database up to date. Raises DatabaseError."""
    try:
        migration.migrate(settings.database_url)
    except DBAPIError as error:
        raise DatabaseError(unusable(error)) from error


@contextmanager
def in_use() -> Iterator[None]:
    """A database that goes away meanwhile, or may only be read, is a DatabaseError too."""
    try:
        yield
    except OperationalError as error:
        raise DatabaseError(unusable(error)) from error


def unusable(error: DBAPIError) -> str:
    """Why the database cannot be used, in one line with the setting to look at."""
    return f"PBEM_DATABASE_URL: the database cannot be used: {reason(error)}"


def reason(error: DBAPIError) -> str:
    """What the database said, its first line alone."""
    return next(iter(str(error.orig).strip().splitlines()), "")
