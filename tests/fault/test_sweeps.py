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

from pbem.judge import choosing, lobby
from pbem.judge.drain import drain
from pbem.judge.house import House
from pbem.judge.lobby import NewSeat
from pbem.store import games, outbox, tables
from pbem.store.engine import Engine, open_engine, session
from tests.store import boxes, fresh

pytestmark = pytest.mark.slow
HOUSE = House("house.example", b"a secret", outage=timedelta(minutes=10), safety_stop=50)
SECONDS = float(os.environ.get("SWEEP_SECONDS", "10"))
GAMES, PACE, REMIND = 12, 2, 1


def new_game(engine: Engine) -> int:
    changes = {"vacant": "gm", "stalled": "0s"}
    rules, chosen = choosing.choose("classic-1993", changes, pace=f"{PACE}s", remind=[f"{REMIND}s"])
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

    def __init__(self, url: str, rng: random.Random, folder: Path) -> None:
        self.url, self.rng, self.folder = url, rng, folder
        self.killed = 0
        self.up = [folder / "up-0", folder / "up-1"]
        self.running = [self._start(0), self._start(1)]

    def _start(self, place: int) -> subprocess.Popen[bytes]:
        self.up[place].unlink(missing_ok=True)
        command = [sys.executable, "-m", "tests.fault.sweeper", self.url, str(self.up[place])]
        return subprocess.Popen(command)

    def both_are_up(self) -> bool:
        return all(file.exists() for file in self.up)

    def kill_one(self) -> None:
        """One that sweeps: a process that only starts is not worth it."""
        place = self.rng.randrange(2)
        self.running[place].send_signal(signal.SIGKILL)
        self.running[place].wait()
        self.killed += 1
        self.running[place] = self._start(place)

    def end(self) -> None:
        for process in self.running:
            process.kill()
            process.wait()


@pytest.fixture
def house_of_games(tmp_path: Path) -> Iterator[tuple[str, Engine, list[int]]]:
    url = fresh.new_file(tmp_path / "pbem.sqlite3")
    engine = open_engine(url)
    yield url, engine, [new_game(engine) for _ in range(GAMES)]
    engine.dispose()


def play(engine: Engine, numbers: list[int]) -> None:
    """What the workers do, without the hints that the broker may lose."""
    with session(engine) as opened:
        waiting = boxes.waiting_games(opened, datetime.now(UTC))
    for number in waiting:
        assert number in numbers
        drain(engine, HOUSE, number, lambda: datetime.now(UTC))


def test_no_deadline_is_missed_or_doubled(
    house_of_games: tuple[str, Engine, list[int]], tmp_path: Path
) -> None:
    url, engine, numbers = house_of_games
    seed = random.randrange(2**32)
    print("seed", seed)
    rng = random.Random(seed)
    sweepers = Sweepers(url, rng, tmp_path)
    end = time.monotonic() + SECONDS
    next_kill = 0.0
    try:
        while time.monotonic() < end or sweepers.killed < 3:
            play(engine, numbers)
            if time.monotonic() >= next_kill and sweepers.both_are_up():
                sweepers.kill_one()
                next_kill = time.monotonic() + rng.uniform(0.1, 2)
            time.sleep(0.05)
        catch_up(engine, numbers)
    finally:
        sweepers.end()
    check(engine, numbers)


def catch_up(engine: Engine, numbers: list[int]) -> None:
    """What is overdue when the killing ends is made up for."""
    began = datetime.now(UTC)
    for _ in range(600):
        play(engine, numbers)
        with session(engine) as opened:
            found = [games.find(opened, number) for number in numbers]
        if all(game is not None and game.deadline and game.deadline > began for game in found):
            return
        time.sleep(0.05)
    raise AssertionError("a deadline is missed")


def check(engine: Engine, numbers: list[int]) -> None:
    """Every turn that began has closed once, after one reminder at the most."""
    for number in numbers:
        with session(engine) as opened:
            game = games.find(opened, number)
            letters = outbox.letters_to(opened, number, limit=1_000_000)
            rows = boxes.mails(opened, tuple(tables.InboxStatus), number)
        assert game is not None
        broken = [row.last_error for row in rows if row.last_error]
        assert not broken, broken[0]
        assert game.turn >= 2, "turns run out"
        late = Counter(r.recipe["facts"]["turn"] for r in letters if r.kind == "late")
        assert late == Counter(range(1, game.turn))
        reminded = Counter(r.recipe["turn"] for r in letters if r.kind == "reminder")
        assert set(reminded.values()) <= {1}
        played = [r.received_at for r in rows if r.result == "deadline"]
        assert len(played) == len(set(played)) == game.turn - 1
