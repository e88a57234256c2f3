"""Two sweeps at once that are killed at random: no deadline is missed, and none is doubled.

For longer than a few seconds: SWEEP_SECONDS=60 pytest tests/fault/test_sweeps.py
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.judge import lobby, options
from pbem.judge.drain import drain
from pbem.judge.house import House
from pbem.judge.lobby import NewSeat
from pbem.store import clock, games, inbox, outbox, tables
from pbem.store.engine import Engine, open_engine, session
from pbem.store.migrate import migrate

pytestmark = pytest.mark.slow
HOUSE = House("house.example", b"a secret", outage=timedelta(minutes=10), safety_stop=50)
SECONDS = float(os.environ.get("SWEEP_SECONDS", "10"))
GAMES, PACE, REMIND = 12, 2, 1
LONGEST_LATE = timedelta(seconds=10)
"""A turn closes so long after its deadline at the latest, whoever was killed meanwhile."""


def new_game(engine: Engine) -> int:
    changes = {"vacant": "gm", "stalled": "0s"}
    rules, chosen = options.choose("classic-1993", changes, pace=f"{PACE}s", remind=[f"{REMIND}s"])
    seats = [NewSeat(c, c, f"{c}@people.example", "en") for c in ("red", "blue", "green")]
    now = datetime.now(UTC)
    with session(engine) as opened:
        game = lobby.create(
            opened, now, ruleset=rules, options=chosen, seats=seats, language="en", entropy=bytes
        )
        lobby.open_at_turn_one(opened, HOUSE, game, now)
        return game.id


class Sweepers:
    """Two processes that sweep; each that is killed is started again."""

    def __init__(self, url: str, rng: random.Random) -> None:
        self.url, self.rng = url, rng
        self.killed = 0
        self.running = [self._start(), self._start()]

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-m", "tests.fault.sweeper", self.url])

    def kill_one(self) -> None:
        place = self.rng.randrange(2)
        self.running[place].send_signal(signal.SIGKILL)
        self.running[place].wait()
        self.killed += 1
        self.running[place] = self._start()

    def end(self) -> None:
        for process in self.running:
            process.kill()
            process.wait()


@pytest.fixture
def house_of_games(tmp_path: Path) -> Iterator[tuple[str, Engine, list[int]]]:
    url = f"sqlite:///{tmp_path}/pbem.sqlite3"
    migrate(url)
    engine = open_engine(url)
    yield url, engine, [new_game(engine) for _ in range(GAMES)]
    engine.dispose()


def play(engine: Engine, numbers: list[int]) -> None:
    """What the workers do, without the hints that the broker may lose."""
    with session(engine) as opened:
        waiting = inbox.pending_games(opened, datetime.now(UTC))
    for number in waiting:
        assert number in numbers
        drain(engine, HOUSE, number, lambda: datetime.now(UTC))


def test_no_deadline_is_missed_or_doubled(
    house_of_games: tuple[str, Engine, list[int]],
) -> None:
    url, engine, numbers = house_of_games
    seed = random.randrange(2**32)
    print("seed", seed)
    rng = random.Random(seed)
    sweepers = Sweepers(url, rng)
    try:
        wait_for_a_sweep(engine)
        end = time.monotonic() + SECONDS
        next_kill = time.monotonic() + 1
        while time.monotonic() < end:
            play(engine, numbers)
            if time.monotonic() >= next_kill:
                sweepers.kill_one()
                next_kill = time.monotonic() + rng.uniform(1, 4)
            time.sleep(0.05)
    finally:
        sweepers.end()
    assert sweepers.killed >= 2
    check(engine, numbers)


def wait_for_a_sweep(engine: Engine) -> None:
    for _ in range(600):
        with session(engine) as opened:
            if clock.find(opened) is not None:
                return
        time.sleep(0.05)
    raise AssertionError("nothing sweeps")


def check(engine: Engine, numbers: list[int]) -> None:
    """Every turn that began closed once, on time, after one reminder at the most."""
    now = datetime.now(UTC)
    for number in numbers:
        with session(engine) as opened:
            game = games.find(opened, number)
            letters = outbox.letters_to(opened, number, limit=1_000_000)
            rows = inbox.resting(opened, tuple(tables.InboxStatus), number)
        assert game is not None
        broken = [row.last_error for row in rows if row.last_error]
        assert not broken, broken[0]
        assert game.turn >= 2, "turns run out"
        assert game.deadline is not None
        assert now - game.deadline < LONGEST_LATE, [row for row in rows if row.result is None]
        late = Counter(r.recipe["facts"]["turn"] for r in letters if r.kind == "late")
        assert late == Counter(range(1, game.turn))
        reminded = Counter(r.recipe["turn"] for r in letters if r.kind == "reminder")
        assert set(reminded.values()) <= {1}
        played = [r.received_at for r in rows if r.result == "deadline"]
        assert len(played) == len(set(played)) == game.turn - 1
