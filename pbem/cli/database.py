"""The database as a command meets it: brought up to date, or one line that says why not."""

from pbem.settings import Settings, StartError
from pbem.store import migrate as migration
from pbem.store.engine import DBAPIError


class DatabaseError(StartError):
    """The database cannot be reached or brought up to date."""

    exit_code = 1


def migrate(settings: Settings) -> None:
    """Bring the database up to date. Raises DatabaseError."""
    try:
        migration.migrate(settings.database_url)
    except DBAPIError as error:
        why = str(error.orig).strip().splitlines()[0]
        raise DatabaseError(f"PBEM_DATABASE_URL: the database cannot be used: {why}") from error
