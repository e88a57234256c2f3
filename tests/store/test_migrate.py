"""Migrations: one history for both databases."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import Engine, inspect, text

from pbem.store.engine import open_engine
from pbem.store.migrate import Migrated, config, head, is_current, migrate
from pbem.store.tables import Row


def test_migrations_lead_to_exactly_the_tables_of_the_code(engine: Engine) -> None:
    with engine.begin() as connection:
        command.check(config(connection))


def test_the_check_of_the_tables_can_fail(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE seat ADD COLUMN stray INTEGER"))
    with engine.begin() as connection, pytest.raises(Exception, match="stray"):
        command.check(config(connection))


def test_every_table_is_made(engine: Engine) -> None:
    assert set(Row.metadata.tables) | {"alembic_version"} == set(inspect(engine).get_table_names())


def test_a_migrated_database_is_current_and_an_empty_one_is_not(empty_url: str) -> None:
    engine = open_engine(empty_url)
    assert not is_current(engine)
    assert migrate(empty_url) == Migrated(before=None, after=head(), backup=None)
    assert is_current(engine)
    engine.dispose()


def test_a_second_migration_finds_nothing_to_do(empty_url: str) -> None:
    migrate(empty_url)
    assert migrate(empty_url) == Migrated(before=head(), after=head(), backup=None)


def test_two_migrations_at_once_do_not_collide(empty_url: str) -> None:
    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(migrate, [empty_url, empty_url]))
    assert sorted(str(outcome.before) for outcome in outcomes) == sorted(["None", head()])


def test_the_way_back_leads_to_an_empty_database(engine: Engine) -> None:
    with engine.begin() as connection:
        command.downgrade(config(connection), "base")
    assert inspect(engine).get_table_names() == ["alembic_version"]


def test_a_sqlite_file_with_tables_is_copied_before_it_is_migrated(tmp_path: Path) -> None:
    file = tmp_path / "pbem.sqlite3"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        connection.execute("INSERT INTO alembic_version VALUES ('0000')")
        connection.execute("CREATE TABLE treasure (what TEXT)")
        connection.execute("INSERT INTO treasure VALUES ('a game of last year')")
    connection.close()
    # Nobody knows revision 0000, so the migration fails: the copy was made before.
    with pytest.raises(Exception, match="0000"):
        migrate(f"sqlite:///{file}")
    copy = sqlite3.connect(tmp_path / "pbem.sqlite3.at-0000")
    assert copy.execute("SELECT what FROM treasure").fetchall() == [("a game of last year",)]
    copy.close()
