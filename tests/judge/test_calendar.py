"""The calendar of a seat: its own deadlines at a secret address, and nothing of anybody else."""

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import icalendar
import pytest

from pbem.judge import calendar
from pbem.judge.house import House
from pbem.store import games
from pbem.store.engine import session
from tests.judge.desk import HOUSE, Desk

OTHER_HOUSE = House(domain="house.example", secret=b"another one's")


def token(desk: Desk, letter: str = "A", house: House = HOUSE) -> str:
    name = urlsplit(calendar.link(house, desk.seat(letter))).path.rpartition("/")[2]
    return name.removesuffix(".ics")


def looked_up(desk: Desk, letter: str = "A") -> list[Any]:
    """The entries that the seat's calendar holds now."""
    address = token(desk, letter)
    with session(desk.engine) as opened:
        seat = calendar.find(opened, HOUSE, address)
        assert seat is not None
        content = calendar.written(opened, HOUSE, seat, desk.now)
    assert all(len(line) <= 75 for line in content.splitlines())
    return list(icalendar.Calendar.from_ical(content).walk("VEVENT"))


def test_the_deadline_of_the_own_turn_stands_in_it_with_its_alarms() -> None:
    desk = Desk()
    (entry,) = looked_up(desk)
    assert entry["SUMMARY"] == f"[g{desk.id}] Turn {desk.game.turn}: your move"
    assert entry["DTSTART"].dt == desk.game.deadline == datetime(2026, 1, 7, 12, 0, tzinfo=UTC)
    assert entry["DTEND"].dt - entry["DTSTART"].dt == timedelta(minutes=15)
    assert entry["TRANSP"] == "TRANSPARENT"
    alarms = [alarm["TRIGGER"].dt for alarm in entry.walk("VALARM")]
    assert alarms == [timedelta(hours=-24), timedelta(hours=-3)]


def test_who_is_not_on_turn_has_nothing_in_it() -> None:
    assert looked_up(Desk(), "B") == []


def test_an_entry_goes_when_its_turn_is_closed_and_comes_to_the_next_seat() -> None:
    desk = Desk()
    desk.say("A", "end")
    assert looked_up(desk, "A") == []
    assert len(looked_up(desk, "B")) == 1


def test_a_deadline_that_moved_keeps_its_name_and_counts_on() -> None:
    desk = Desk()
    (before,) = looked_up(desk)
    desk.now += timedelta(hours=1)
    with session(desk.engine) as opened:
        game = games.lock(opened, desk.id)
        assert game.deadline is not None
        game.deadline += timedelta(hours=24)
    (after,) = looked_up(desk)
    assert after["UID"] == before["UID"]
    assert after["SEQUENCE"] > before["SEQUENCE"]
    assert after["DTSTAMP"].dt > before["DTSTAMP"].dt
    assert after["DTSTART"].dt - before["DTSTART"].dt == timedelta(hours=24)


def test_a_game_that_stands_still_awaits_nothing() -> None:
    desk = Desk()
    with session(desk.engine) as opened:
        games.lock(opened, desk.id).paused_at = desk.now
    assert looked_up(desk) == []


def test_the_last_entry_is_cancelled_when_the_game_is_over() -> None:
    desk = Desk("B IDA 1; A SIA 20, rest 1", dice="6661")
    (before,) = looked_up(desk)
    desk.say("A", "attack India from Siam")
    (entry,) = looked_up(desk)
    assert entry["STATUS"] == "CANCELLED"
    assert entry["UID"] == before["UID"]


def test_a_calendar_speaks_its_readers_language() -> None:
    desk = Desk()
    desk.say("A", "SET LANGUAGE it")
    (entry,) = looked_up(desk)
    assert entry["SUMMARY"].endswith("tocca a te")


def test_no_calendar_shows_a_hand() -> None:
    desk = Desk(hands={"A": "EGY PRU WILD"})
    (entry,) = looked_up(desk)
    assert not any(word in entry.to_ical() for word in (b"Egypt", b"Peru", b"EGY", b"PRU"))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text[:-1] + ("a" if text[-1] != "a" else "b"),
        lambda text: text.replace(".a.", ".b."),
        lambda text: text.replace("calendar", "news"),
        lambda text: text.rpartition(".")[2],
    ],
)
def test_no_other_address_shows_it(spoil: Any) -> None:
    desk = Desk()
    wrong, foreign = spoil(token(desk)), token(desk, house=OTHER_HOUSE)
    with session(desk.engine) as opened:
        assert calendar.find(opened, HOUSE, wrong) is None
        assert calendar.find(opened, HOUSE, foreign) is None


def test_a_new_key_gives_it_a_new_address() -> None:
    desk = Desk()
    old = token(desk)
    desk.say("A", "NEWKEY")
    new = token(desk)
    with session(desk.engine) as opened:
        assert calendar.find(opened, HOUSE, old) is None
        assert calendar.find(opened, HOUSE, new) is not None
