"""Games that go on while their house is killed again and again: nothing lost, nothing twice."""

import os
import random
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

import pytest

from pbem.rules.verify import verify
from tests.fault.conftest import Opened
from tests.journey.house import House, person
from tests.journey.robot import Robot, counted

pytestmark = pytest.mark.slow
GAMES = 1
PAUSE = 2.0
"""Seconds between two kills."""
LONGEST = 180.0


def robots_at(house: House, games: int = GAMES) -> tuple[list[str], list[Robot]]:
    ids, robots = [], []
    for _ in range(games):
        anna, bob = person("anna"), person("bob")
        seats = {"red": anna, "blue": bob, "green": "computer", "black": "computer"}
        ids.append(house.new_game(seats, "--pace", "1h")["id"])
        robots += [Robot(house, anna).start(), Robot(house, bob).start()]
    return ids, robots


def play_under(house: House, robots: list[Robot], kills: Sequence[Callable[[], None]]) -> int:
    """Let the robots play to the end while the kills are made; how many were made."""
    until, made = time.monotonic() + LONGEST, 0
    next_kill = time.monotonic() + PAUSE
    try:
        while not all(robot.over.is_set() for robot in robots):
            for robot in robots:
                assert robot.failure is None, repr(robot.failure)
            assert time.monotonic() < until, f"after {made} kills: {house.said()[-3000:]}"
            if made < len(kills) and time.monotonic() >= next_kill:
                kills[made]()
                made += 1
                next_kill = time.monotonic() + PAUSE
            time.sleep(0.05)
    finally:
        for robot in robots:
            robot.stop()
    return made


def check(house: House, games: list[str], robots: list[Robot]) -> None:
    """Each mail had its one effect, each letter was the same whenever it came, no die is wrong."""
    sink = house.sink
    assert sink is not None
    # A letter that was in a killed worker's hands comes when the lease on it has run out.
    sink.wait(lambda: all(counted(robots, sink.letters).values()), LONGEST, "answer to each mail")
    assert {m: n for m, n in counted(robots, sink.letters).items() if n != 1} == {}
    assert [robot.troubles for robot in robots if robot.troubles] == []
    sent: dict[tuple[str, str], set[bytes]] = defaultdict(set)
    for letter in sink.letters:
        sent[letter.to, letter.message_id].add(letter.raw)
    assert [key for key, forms in sent.items() if len(forms) != 1] == []
    for game in games:
        report = verify(house.export(game))
        assert report.ok, report.failures
        assert house.show(game)["phase"] == "over"
    turns = [
        (letter.to, letter.state["turn"])
        for letter in {one.message_id: one for one in sink.letters}.values()
        if letter.kind == "turn-call"
    ]
    assert len(turns) == len(set(turns))


def kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def kill_one(house: House, part: str, chance: random.Random) -> None:
    """One of the processes with that name, parent or child of the pool."""
    found = sorted(pid for pid, line in house.tree().items() if part in line)
    if found:
        kill(chance.choice(found))


def test_killed_workers_lose_and_repeat_nothing(open_house: Opened) -> None:
    seed = 20
    print("seed", seed)
    chance = random.Random(seed)
    house = open_house(OUTCOME_UNKNOWN="2s", RETRY_STEPS="1s")
    games, robots = robots_at(house)
    assert play_under(house, robots, [partial(kill_one, house, "pbem worker", chance)] * 4) >= 1
    check(house, games, robots)


def test_a_killed_broker_sweep_and_front_lose_nothing(open_house: Opened) -> None:
    chance = random.Random(1)
    house = open_house(OUTCOME_UNKNOWN="2s", RETRY_STEPS="1s")
    games, robots = robots_at(house)
    parts = ("-server", "pbem front", "pbem sweep", "-server")
    kills = [partial(kill_one, house, part, chance) for part in parts]
    assert play_under(house, robots, kills) >= 1
    check(house, games, robots)


def test_a_house_that_is_killed_whole_goes_on_after_its_next_start(open_house: Opened) -> None:
    house = open_house(OUTCOME_UNKNOWN="2s", RETRY_STEPS="1s")
    games, robots = robots_at(house)

    def fall() -> None:
        house.kill()
        house.start()

    assert play_under(house, robots, [fall, fall]) >= 1
    check(house, games, robots)
