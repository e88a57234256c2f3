"""Deadlines and reminders, in seconds where people have days. All games here run side by side."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

import pytest

from tests.journey.house import PATIENCE, House
from tests.journey.letter import Letter
from tests.journey.table import GameTable, open_table

pytestmark = pytest.mark.slow
PACE, FIRST, SECOND = 30, 15, 6
"""Seconds for a turn, and the times of the two reminders before its end."""
SLACK = 5.0
"""A reminder comes so many seconds after its time at the latest."""


@dataclass
class Story:
    """A game with its first deadline, and the mails that were sent in it."""

    table: GameTable
    who: str = ""
    deadline: float = 0.0
    mails: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.who = self.table.on_turn
        self.deadline = datetime.fromisoformat(self.table.show()["deadline"]).timestamp()

    def send(self, text: str) -> None:
        self.mails.append(self.table.house.reply(self.table.call, text))

    def letters(self, kind: str) -> list[Letter]:
        """What the first seat got in its first turn and at its end."""
        sink = self.table.house.sink
        assert sink is not None
        return [one for one in sink.to(self.who, kind) if one.game == self.table.game]


def whole_turn(table: GameTable) -> str:
    return f"place the rest in {table.own()[0]}\nend\n"


@pytest.fixture(scope="module")
def stories(house: House) -> Iterator[dict[str, Story]]:
    """Four games, opened together and watched until each is in its second turn.

    They are paused at the end: nobody answers them, and they would play on beside all other tests.
    """
    times = ("--pace", f"{PACE}s", "--remind", f"{FIRST}s,{SECOND}s")
    told = {
        name: Story(open_table(house, *times)) for name in ("silent", "busy", "timely", "tardy")
    }
    busy, timely, tardy = told["busy"], told["timely"], told["tardy"]
    busy.send(f"place 1 in {busy.table.own()[0]}\n")
    plan: list[tuple[float, Callable[[], None]]] = [
        (timely.deadline - 0.7, lambda: timely.send(whole_turn(timely.table))),
        (tardy.deadline + 0.4, lambda: tardy.send(whole_turn(tardy.table))),
    ]
    for moment, act in sorted(plan, key=lambda step: step[0]):
        left = moment - time.time()
        assert left > 0, "the machine is too slow for this test"
        time.sleep(left)
        act()
    for story in told.values():
        story.table.wait_call(2)
        for mail in story.mails:
            house.answer(mail)
    yield told
    for story in told.values():
        house.run("game", "pause", story.table.game)


def test_reminders_come_on_time_to_a_silent_seat(stories: dict[str, Story]) -> None:
    story = stories["silent"]
    reminders = story.letters("reminder")
    assert len(reminders) == 2
    for letter, before in zip(reminders, (FIRST, SECOND), strict=True):
        assert 0 <= letter.at - (story.deadline - before) < SLACK
        assert letter.in_reply_to is None
        assert story.table.call.state["turn"] == "2"
        assert (letter.state["turn"], letter.state["open"]) == ("1", "yes")


def test_who_has_sent_something_is_reminded_once(stories: dict[str, Story]) -> None:
    (letter,) = stories["busy"].letters("reminder")
    assert abs(letter.at - (stories["busy"].deadline - FIRST)) < SLACK


def test_a_turn_that_ran_out_is_closed(house: House, stories: dict[str, Story]) -> None:
    story = stories["silent"]
    late = house.letter(story.who, "late", PATIENCE)
    assert late.in_reply_to is None
    assert story.deadline <= late.at
    assert late.state["turn"] == "2"
    assert "attack" not in house.export(story.table.game)
    assert story.table.on_turn != story.who


def test_a_mail_before_the_deadline_counts(house: House, stories: dict[str, Story]) -> None:
    story = stories["timely"]
    answer = house.answer(story.mails[0])
    assert answer.kind == "done"
    assert answer.state["open"] == "no"
    assert story.letters("late") == []


def test_a_mail_after_the_deadline_does_not_count(house: House, stories: dict[str, Story]) -> None:
    story = stories["tardy"]
    assert house.answer(story.mails[0]).kind == "mistakes"
    house.letter(story.who, "late", PATIENCE)
    assert len(house.answers(story.mails[0])) == 1
