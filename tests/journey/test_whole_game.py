"""A whole game by mail, from the invitation to the victory: two people and two computers."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.rules.verify import verify
from tests.journey import canary
from tests.journey.house import House, person
from tests.journey.robot import Robot, counted
from tests.journey.sink import Sink

pytestmark = pytest.mark.slow
LONGEST = 150.0
"""Seconds for a whole game; it takes about ten."""


@contextmanager
def house_with(folder: Path, **settings: str) -> Iterator[House]:
    sink = Sink()
    running = House(folder, sink, **settings)
    try:
        yield running.start()
    finally:
        running.stop()
        sink.close()


def play(house: House, *arguments: str) -> tuple[str, list[Robot]]:
    """A game to its end; its id and the robots, by seats A and B."""
    anna, bob = person("anna"), person("bob")
    seats = {"red": anna, "blue": f"Bob <{bob}>", "green": "computer", "black": "computer"}
    game = house.new_game(seats, "--pace", "1h", *arguments)["id"]
    robots = [Robot(house, anna).start(), Robot(house, bob).start()]
    wait_over(robots, LONGEST)
    return game, robots


def wait_over(robots: list[Robot], seconds: float) -> None:
    until = time.monotonic() + seconds
    try:
        while not all(robot.over.is_set() for robot in robots):
            for robot in robots:
                assert robot.failure is None, repr(robot.failure)
            assert time.monotonic() < until, [len(robot.sent) for robot in robots]
            time.sleep(0.1)
    finally:
        for robot in robots:
            robot.stop()


def check(house: House, game: str, robots: list[Robot]) -> None:
    """What must be true of every game when it is over."""
    sink = house.sink
    assert sink is not None
    for robot in robots:
        assert robot.troubles == []
        assert [one.kind for one in sink.to(robot.address, "game-over")] == ["game-over"]
        assert sum(one.kind == "turn-call" for one in sink.to(robot.address)) >= 1
    answers = counted(robots, sink.letters)
    assert len(answers) >= 6
    assert {mail: n for mail, n in answers.items() if n != 1} == {}
    assert any(robot.repeats for robot in robots)

    shown = house.show(game)
    assert shown["phase"] == "over"
    assert {owner for owner, _ in shown["board"].values()} == {shown["on_turn"]}
    record = house.export(game)
    report = verify(record)
    assert report.ok, report.failures
    assert (report.unproved_dice, report.unproved_cards) == (0, 0)

    cards = canary.held(record)
    assert any(cards.values())
    for seat, robot in zip("AB", robots, strict=True):
        letters = [one for one in sink.to(robot.address) if one.kind != "game-over"]
        assert canary.leaks(letters, seat, cards) == []
        own = {code for one in letters for code in canary.shown(one)}
        assert own or not any(cards.get((seat, turn)) for turn in range(shown["turn"])), seat


def test_a_game_on_sqlite_and_the_broker_of_the_house(tmp_path: Path) -> None:
    with house_with(tmp_path) as house:
        game, robots = play(house)
        check(house, game, robots)


def test_a_game_on_postgres_and_redis(tmp_path: Path, postgres_url: str, redis_url: str) -> None:
    with house_with(tmp_path, DATABASE_URL=postgres_url, BROKER_URL=redis_url) as house:
        assert not any("valkey" in line for line in house.tree().values())
        game, robots = play(house, "--setup", "deal")
        check(house, game, robots)
