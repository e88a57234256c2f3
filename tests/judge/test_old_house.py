"""A house of the first version goes on with today's: its games are played on and proved.

`tests/data/house-of-0001.jsonl` holds its rows as that version wrote them, a table and a row a
line: game 1 in turn 8, game 2 invited, game 3 in the setup with one list, game 4 paused.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.judge.acts.clock import Resume
from pbem.rules.position import TURN, Phase
from pbem.store.engine import Engine, open_engine
from pbem.store.migrate import migrate
from tests.conftest import postgres_database
from tests.judge.desk import HOUSE
from tests.judge.rewind import Rewind

ROWS = Path(__file__).parents[1] / "data" / "house-of-0001.jsonl"
NOW = datetime(2026, 1, 5, 12, 30, tzinfo=UTC)


class OldGame(Rewind):
    """A game of that house."""

    def __init__(self, engine: Engine, number: int) -> None:
        self.engine, self.house, self.now, self.id = engine, HOUSE, NOW, number
        self._mails = count(1000 * number)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def engine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engine]:
    """The old house after its migration to today's tables."""
    if request.param == "sqlite":
        yield from moved(f"sqlite:///{tmp_path_factory.mktemp('old')}/pbem.sqlite3")
    else:
        with postgres_database() as url:
            yield from moved(url)


def moved(url: str) -> Iterator[Engine]:
    """The house at that URL, from the first version to this one."""
    migrate(url, "0001")
    opened = open_engine(url)
    fill(opened)
    migrate(url)
    yield opened
    opened.dispose()


def fill(engine: Engine) -> None:
    """Put the rows in, and let new ones be counted from there."""
    old = sa.MetaData()
    old.reflect(engine)
    with engine.begin() as connection:
        for line in ROWS.read_text(encoding="utf-8").splitlines():
            name, row = json.loads(line)
            table = old.tables[name]
            values = {key: value(table.columns[key].type, told) for key, told in row.items()}
            connection.execute(table.insert().values(values))
        if connection.dialect.name == "postgresql":
            for name in ("game", "inbox", "outbox"):
                connection.execute(
                    sa.text(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), 1000)")
                )


def value(kind: object, told: object) -> object:
    """A value of a row, as the column takes it."""
    if isinstance(kind, sa.DateTime):
        return datetime.fromisoformat(str(told)).replace(tzinfo=UTC)
    return bytes.fromhex(str(told)) if isinstance(kind, sa.LargeBinary) else told


def test_a_game_in_its_middle_is_played_on_and_proved(engine: Engine) -> None:
    game = OldGame(engine, 1)
    assert (game.state.turn, game.seat("B").settings["FILE"]) == (8, "JSON")
    for _ in range(7):
        game.play_turn()
    assert game.state.turn == 15
    for public in (True, False):
        game.record(public=public)  # proves itself


def test_a_deadline_of_before_still_falls(engine: Engine) -> None:
    game = OldGame(engine, 1)
    turn = game.state.turn
    game.run_out()
    assert game.state.turn == turn + 1


def test_who_was_invited_joins(engine: Engine) -> None:
    game = OldGame(engine, 2)
    for letter in "BC":
        assert game.say(letter, "yes").kind == "joined"
    assert game.state.phase is not Phase.INVITED


def test_a_list_for_the_setup_counts(engine: Engine) -> None:
    game = OldGame(engine, 3)
    game.run_out()
    assert game.state.phase in TURN
    assert game.state.owner["EAU"] == "A"  # type: ignore[index]  # a code


def test_a_paused_game_goes_on(engine: Engine) -> None:
    game = OldGame(engine, 4)
    ends = game.game.deadline
    game.perform(Resume())
    assert ends is not None
    assert game.game.deadline is not None
    assert game.game.deadline > ends
    game.play_turn()
    game.record()
