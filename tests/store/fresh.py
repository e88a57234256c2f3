"""Databases with the tables of this version: migrated once in a run, then copied."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.store.migrate import migrate


def new_file(file: Path) -> str:
    """Lays a SQLite database with all tables and no rows at `file`; its URL."""
    file.write_bytes(_content())
    return f"sqlite:///{file}"


@cache
def _content() -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "pbem.sqlite3"
        migrate(f"sqlite:///{file}")
        assert [left.name for left in Path(folder).iterdir()] == [file.name], "all is in one file"
        return file.read_bytes()
