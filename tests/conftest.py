"""What every test may ask for: servers of the outside, each skipped or demanded by name.

A test that needs PostgreSQL, Redis or a browser takes the fixture of that name, one that needs
Postfix or Dovecot calls `require`. On a machine without it the test is skipped;
`PBEM_TEST_REQUIRE=postgres,redis,chromium,postfix,dovecot` turns each such skip into a failure, so
that a gate which promises these servers cannot go green without them.
"""

from __future__ import annotations

import os
import shutil
import socket
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from sqlalchemy import Engine

DEFAULT_POSTGRES = "postgresql+psycopg://postgres@127.0.0.1:5432/postgres"
DEFAULT_REDIS = "redis://127.0.0.1:6379"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
REDIS_DATABASES = 16


def demanded() -> frozenset[str]:
    """The names in PBEM_TEST_REQUIRE: what this run must not skip."""
    names = os.environ.get("PBEM_TEST_REQUIRE", "").split(",")
    return frozenset(name.strip() for name in names if name.strip())


def lacking(name: str, why: str) -> NoReturn:
    """Skips the test for want of `name`, or fails it where `name` is demanded."""
    if name in demanded():
        pytest.fail(f"PBEM_TEST_REQUIRE demands {name}: {why}", pytrace=False)
    pytest.skip(f"{name}: {why}")


def find_postgres() -> str:
    """The server's URL, with the database to connect to for making others."""
    url = os.environ.get("PBEM_TEST_POSTGRES_URL", DEFAULT_POSTGRES)
    return reachable("postgres", url, 5432)


def find_redis() -> str:
    """The server's URL, without a database number."""
    url = os.environ.get("PBEM_TEST_REDIS_URL", DEFAULT_REDIS)
    return reachable("redis", url, 6379).rstrip("/")


def find_chromium() -> str:
    """The browser's path."""
    named = os.environ.get("PBEM_TEST_CHROMIUM")
    found = named or next(filter(None, map(shutil.which, BROWSERS)), None)
    return found or lacking("chromium", f"none of {', '.join(BROWSERS)} is on PATH")


def find_postfix() -> str:
    """The program of the distribution's Postfix."""
    return daemon("postfix")


def find_dovecot() -> str:
    """The program of the distribution's Dovecot."""
    return daemon("dovecot")


def daemon(name: str) -> str:
    """The path of a mail server's program; they are started as root, each for its own users."""
    if os.geteuid() != 0:
        lacking(name, "it can be started by root only")
    return shutil.which(name) or lacking(name, "it is not on PATH")


FINDERS: dict[str, Callable[[], str]] = {
    "postgres": find_postgres,
    "redis": find_redis,
    "chromium": find_chromium,
    "postfix": find_postfix,
    "dovecot": find_dovecot,
}


def require(name: str) -> str:
    """Where the outside thing called `name` is found: a URL, or a path for the browser.

    Skips the calling test if it is not there, or fails it if PBEM_TEST_REQUIRE names it.
    """
    return FINDERS[name]()


def reachable(name: str, url: str, default_port: int) -> str:
    address = urlsplit(url)
    try:
        socket.create_connection((address.hostname or "", address.port or default_port), 2).close()
    except OSError as error:
        lacking(
            name, f"nothing answers at {address.hostname}:{address.port or default_port}: {error}"
        )
    return url


def pytest_configure(config: pytest.Config) -> None:
    if unknown := demanded() - FINDERS.keys():
        raise pytest.UsageError(f"PBEM_TEST_REQUIRE knows no {', '.join(sorted(unknown))}")
    _let_examples_take_their_time()


def _let_examples_take_their_time() -> None:
    """What is said of all examples is not said of the machine, which may be busy with others."""
    from hypothesis import HealthCheck, settings

    untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("untimed", untimed)
    settings.load_profile("untimed")


@pytest.fixture(scope="session", autouse=True)
def _one_reader_of_mails() -> Iterator[None]:
    """The process in which mails are read is started once for all tests, and ends with them."""
    yield
    from pbem.mail import inbound

    inbound.close()


@pytest.fixture(scope="session", autouse=True)
def _statements_are_compiled_once() -> Iterator[None]:
    """All databases of the tests that are SQLite share what SQLAlchemy makes of a statement.

    An engine keeps that for itself, and a test with a database of its own would spend more time on
    compiling its statements than on running them.
    """
    engines = sys.modules.get("pbem.store.engine")
    if engines is None:
        yield  # no test of this run has to do with rows
        return
    create_engine = engines.create_engine
    first = create_engine("sqlite://")
    first.connect().close()  # a dialect is whole when it has met a database
    compiled: dict[Any, Any] = {}

    def sharing(url: str, **options: Any) -> Engine:
        made: Engine = create_engine(url, **options)
        if made.dialect.name == first.dialect.name:
            made.dialect = first.dialect
            made.update_execution_options(compiled_cache=compiled)
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "create_engine", sharing)
        yield
    first.dispose()


@pytest.fixture(scope="session", autouse=True)
def _nobody_waits_for_the_disk() -> Iterator[None]:
    """SQLite databases of the tests need not outlive the machine: no commit waits for the disk."""
    engines = sys.modules.get("pbem.store.engine")
    if engines is None:
        yield  # no test of this run has to do with rows
        return
    from sqlalchemy import event

    open_sqlite = engines.open_sqlite

    def hasty(url: str, **options: Any) -> Engine:
        made: Engine = open_sqlite(url, **options)
        event.listen(made, "connect", _wait_for_no_disk)
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "open_sqlite", hasty)
        yield


def _wait_for_no_disk(connection: Any, _record: object) -> None:
    connection.execute("PRAGMA synchronous = OFF").close()


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """A SQLAlchemy URL of an empty PostgreSQL database that lives as long as the test."""
    with postgres_database() as url:
        yield url


@contextmanager
def postgres_database(template: str = "template1") -> Iterator[str]:
    """The URL of a PostgreSQL database of its own, a copy of the one with that name."""
    import psycopg

    server = urlsplit(require("postgres"))
    name = f"pbem_test_{uuid.uuid4().hex}"
    admin = server._replace(scheme="postgresql").geturl()
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        try:
            yield server._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def redis_url() -> Iterator[str]:
    """A URL of an empty Redis database, flushed again after the test."""
    import redis

    server = require("redis")
    for number in range(1, REDIS_DATABASES):
        with redis.Redis.from_url(f"{server}/{number}") as client:
            if client.dbsize():
                continue
            yield f"{server}/{number}"
            client.flushdb()
            return
    pytest.fail(f"all databases of {server} hold keys of somebody else")


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The path of a Chromium for browser tests."""
    return require("chromium")
