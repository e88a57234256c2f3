"""Every test of the store runs on both databases, on tables that the migrations made.

The cast: game 1 of Anna (A, red), Bruno (B, blue) and the computer (C, green), Anna on turn.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from sqlalchemy import Engine

from pbem.store import games
from pbem.store.engine import open_engine, session
from pbem.store.inbox import Delivery
from pbem.store.migrate import migrate
from pbem.store.outbox import NewLetter
from pbem.store.tables import Game, Seat, SeatStatus, Source
from tests.conftest import postgres_database
from tests.store import fresh

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)

NewGame = Callable[[], Game]
MakeMail = Callable[..., Delivery]
MakeLetter = Callable[..., NewLetter]


@pytest.fixture(params=["sqlite", "postgres"])
def backend(request: pytest.FixtureRequest) -> str:
    """Which of the two databases the test runs on."""
    return str(request.param)


@pytest.fixture
def empty_url(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database."""
    if backend == "sqlite":
        return f"sqlite:///{tmp_path}/pbem.sqlite3"
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def url(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database with the tables of this version, as the migrations made them."""
    if backend == "sqlite":
        yield fresh.new_file(tmp_path / "pbem.sqlite3")
        return
    with postgres_database(request.getfixturevalue("postgres_template")) as copied:
        yield copied


@pytest.fixture(scope="session")
def postgres_template() -> Iterator[str]:
    """The name of a PostgreSQL database with all tables, to be copied."""
    with postgres_database() as made:
        migrate(made)
        yield urlsplit(made).path.removeprefix("/")


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    """A database with the tables of this version."""
    opened = open_engine(url)
    yield opened
    opened.dispose()


@pytest.fixture
def noon() -> datetime:
    """The moment at which all tests begin."""
    return NOON


def new_game() -> Game:
    return Game(
        created_at=NOON,
        ruleset="classic-1993",
        state={"turn": 1, "armies": {"SIA": 4, "IDA": 3}},
        turn=1,
        on_turn="A",
        phase="attack",
        chain_last=b"\x00 the last link",
        commitment="8a3a",
        deck_seed=b"deck seed",
        deck_commitment="41c0",
    )


def cast() -> list[Seat]:
    return [
        Seat(letter="A", colour="red", name="Anna", address="anna@example.org"),
        Seat(letter="B", colour="blue", name="Bruno", address="bruno@example.org"),
        Seat(
            letter="C", colour="green", name="Computer", computer=True, status=SeatStatus.STANDING
        ),
    ]


@pytest.fixture
def deal(engine: Engine) -> NewGame:
    """Stores one more game with the cast."""

    def stored() -> Game:
        with session(engine) as opened:
            return games.create(opened, new_game(), cast())

    return stored


@pytest.fixture
def game(deal: NewGame) -> Game:
    """Game 1, as it was stored."""
    return deal()


@pytest.fixture
def mail() -> MakeMail:
    """Makes a delivery of a mail from Anna; `key` its dedupe key, anything else by name."""

    def made(key: str, **other: object) -> Delivery:
        values: dict[str, object] = {
            "source": Source.SMTP,
            "dedupe_key": key,
            "received_at": NOON,
            "game_id": 1,
            "seat": "A",
            "turn": 1,
            "step": 0,
            "raw": b"place 3 in Siam\r\n",
            "body_hash": "of the text",
        }
        return Delivery(**(values | other))  # type: ignore[arg-type]

    return made


@pytest.fixture
def letter() -> MakeLetter:
    """Makes a letter to Anna; `key` its key, anything else by name."""

    def made(key: str, **other: object) -> NewLetter:
        values: dict[str, object] = {
            "key": key,
            "kind": "done",
            "message_id": f"<{key}@example.org>",
            "to_address": "anna@example.org",
            "game_id": 1,
            "seat": "A",
        }
        return NewLetter(**(values | other))  # type: ignore[arg-type]

    return made
