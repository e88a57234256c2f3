"""Engines, sessions, and columns that read back the same from both databases."""

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, StatementError
from sqlmodel import Session, select

from pbem.store import audit, games
from pbem.store import engine as engines
from pbem.store.engine import open_engine, open_reader, open_sqlite, session
from pbem.store.tables import Audit, Game, Seat


def look_in(opened: Session, at: datetime) -> None:
    audit.record(opened, at, who="dora", what="look")


def looks(opened: Session) -> list[datetime]:
    return [line.at for line in opened.exec(select(Audit))]


def test_a_moment_comes_back_in_utc_whatever_its_zone_was(engine: Engine) -> None:
    ljubljana = timezone(timedelta(hours=1))
    with session(engine) as opened:
        look_in(opened, datetime(2026, 12, 1, 13, 30, 0, 250, ljubljana))
    with session(engine) as opened:
        [at] = looks(opened)
    assert at == datetime(2026, 12, 1, 12, 30, 0, 250, UTC)
    assert at.tzinfo is UTC


def test_a_moment_without_a_zone_is_refused(engine: Engine) -> None:
    with pytest.raises(StatementError, match="without a zone"), session(engine) as opened:
        look_in(opened, datetime(2026, 12, 1))  # noqa: DTZ001  # the fault itself


def test_json_keeps_the_order_of_its_keys(engine: Engine, game: Game) -> None:
    with session(engine) as opened:
        stored = games.lock(opened, game.id)
        games.save(opened, stored, {"zz": 1, "a": None, "m": "\0"}, phase="x", turn=1, on_turn=None)
    with session(engine) as opened:
        again = games.lock(opened, game.id)
        assert list(again.state.items()) == [("zz", 1), ("a", None), ("m", "\0")]


def test_secrets_stay_out_of_what_a_log_would_show(game: Game) -> None:
    shown = repr(game)
    assert "last link" not in shown
    assert "deck seed" not in shown
    assert "armies" not in shown


def test_secrets_stay_out_of_the_errors_that_a_log_would_show(engine: Engine) -> None:
    with pytest.raises(IntegrityError) as raised, session(engine) as opened:
        opened.add(Seat(game_id=99, letter="A", colour="red", name="Anna"))
    assert "Anna" not in str(raised.value)


def test_a_block_that_raises_changes_nothing(engine: Engine, noon: datetime) -> None:
    def half_way() -> None:
        with session(engine) as opened:
            look_in(opened, noon)
            raise RuntimeError("half-way")

    with pytest.raises(RuntimeError, match="half-way"):
        half_way()
    with session(engine) as opened:
        assert looks(opened) == []


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_a_commit_that_fails_leaves_no_open_transaction_behind(
    engine: Engine, noon: datetime
) -> None:
    def fail_at_the_commit() -> None:
        with session(engine) as opened:
            opened.connection().exec_driver_sql("PRAGMA defer_foreign_keys = ON")
            opened.add(Seat(game_id=99, letter="A", colour="red", name="Anna"))

    with pytest.raises(IntegrityError):
        fail_at_the_commit()
    with session(engine) as opened:
        assert games.seats(opened, 99) == []
        look_in(opened, noon)


def test_a_seat_without_its_game_is_refused(engine: Engine) -> None:
    with pytest.raises(IntegrityError), session(engine) as opened:
        opened.add(Seat(game_id=99, letter="A", colour="red", name="Anna"))


def test_a_reader_cannot_write(url: str, engine: Engine, noon: datetime) -> None:
    reader = open_reader(url)
    with pytest.raises(DBAPIError), session(reader) as opened:
        look_in(opened, noon)
    reader.dispose()


def test_a_reader_does_not_wait_for_a_writer(url: str, engine: Engine, game: Game) -> None:
    reader = open_reader(url)
    with session(engine) as writing, session(reader) as reading:
        games.save(writing, games.lock(writing, game.id), {}, phase="over", turn=1, on_turn=None)
        seen = games.find(reading, game.id)
        assert seen is not None
        assert seen.phase == "attack"
    reader.dispose()


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_sqlite_is_durable_and_takes_its_lock_at_once(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "open_sqlite", open_sqlite)  # as the house opens it, not its tests
    engine = open_engine(url)
    with engine.connect() as connection:
        pragmas = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
        assert pragmas == {
            "journal_mode": "wal",
            "synchronous": 2,
            "foreign_keys": 1,
            "busy_timeout": 30_000,
        }
        other = sqlite3.connect(url.removeprefix("sqlite:///"), timeout=0, isolation_level=None)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        other.close()
    engine.dispose()


@contextmanager
def lock_held(url: str) -> Iterator[sqlite3.Connection]:
    """Somebody else writes, until they commit."""
    other = sqlite3.connect(url.removeprefix("sqlite:///"), timeout=0, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield other
    other.close()


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_whoever_waits_for_the_lock_looks_again_soon_however_long_it_takes(
    url: str, engine: Engine, noon: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    with lock_held(url) as other:

        def pause(seconds: float) -> None:
            pauses.append(seconds)
            if len(pauses) == 200:
                other.execute("COMMIT")

        monkeypatch.setattr(engines, "time", SimpleNamespace(monotonic=time.monotonic, sleep=pause))
        with session(engine) as opened:
            look_in(opened, noon)
    assert pauses == [0.001] * 200


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_a_lock_that_never_comes_free_is_an_error_of_the_database(
    url: str, engine: Engine, noon: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks_at_the_clock = count(step=engines.BUSY_TIMEOUT_MS / 3000)
    with lock_held(url), monkeypatch.context() as patched:
        patched.setattr(
            engines,
            "time",
            SimpleNamespace(monotonic=lambda: next(looks_at_the_clock), sleep=lambda _seconds: 0),
        )
        with pytest.raises(OperationalError, match="locked"), session(engine) as opened:
            look_in(opened, noon)
    with session(engine) as opened:
        look_in(opened, noon)
        timeout = opened.connection().exec_driver_sql("PRAGMA busy_timeout").scalar_one()
    assert timeout == engines.BUSY_TIMEOUT_MS


def test_a_forked_child_opens_connections_of_its_own(engine: Engine) -> None:
    with engine.connect() as connection:
        connection.execute(text("SELECT 1"))
    parents_pool = engine.pool
    child = os.fork()
    if child == 0:
        os._exit(0 if engine.pool is not parents_pool else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    with engine.connect() as connection:
        assert connection.execute(text("SELECT 1")).scalar_one() == 1


def test_a_bare_postgresql_url_means_the_driver_that_is_installed() -> None:
    assert open_engine("postgresql://someone:word@localhost/pbem").driver == "psycopg"


def test_a_new_file_is_opened_while_somebody_writes_its_first_tables(tmp_path: Path) -> None:
    file = tmp_path / "new.sqlite3"
    first = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    first.execute("BEGIN IMMEDIATE")
    first.execute("CREATE TABLE early (id)")
    threading.Timer(0.3, lambda: first.execute("COMMIT")).start()
    engine = open_engine(f"sqlite:///{file}")
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
    engine.dispose()
    first.close()
