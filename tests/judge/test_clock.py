"""The clock of the house: outages, the safety stop, heartbeats, and sweeps that collide."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from threading import Thread

import pytest

from pbem.judge import choosing, clock, lobby, reading
from pbem.judge.clock import ClockError
from pbem.judge.drain import drain
from pbem.judge.house import House
from pbem.judge.lobby import NewSeat
from pbem.judge.sweep import sweep
from pbem.store import clock as clocks
from pbem.store import games, inbox, outbox, tables
from pbem.store.engine import Engine, open_engine, session
from pbem.store.memory import open_memory
from pbem.store.tables import Source
from tests.judge.year import HOUR, MINUTE, SECOND, at
from tests.store import boxes, fresh

BEGIN = at("2026-01-05 12:00")
GM = "dora@house.example"
HOUSE = House("house.example", b"a secret", gm=(GM,), outage=timedelta(minutes=10), safety_stop=50)


def new_game(engine: Engine, now: datetime = BEGIN, pace: str = "4h", remind: str = "1h") -> int:
    rules, chosen = choosing.choose("classic-1993", {}, pace=pace, remind=[remind])
    seats = [
        NewSeat(colour, colour.capitalize(), f"{colour}@people.example", "en")
        for colour in ("red", "blue", "green")
    ]
    with session(engine) as opened:
        game = lobby.create(
            opened, now, ruleset=rules, options=chosen, seats=seats, language="en", entropy=bytes
        )
        lobby.open_at_turn_one(opened, HOUSE, game, now)
        return game.id


def swept(engine: Engine, now: datetime, house: House = HOUSE) -> None:
    """One round, and all that it hints at."""
    sweep(engine, house, now, lambda _name, _id: None)
    with session(engine) as opened:
        waiting = boxes.waiting_games(opened, now)
    for game_id in waiting:
        drain(engine, house, game_id, lambda: now)


def every(engine: Engine, begin: datetime, end: datetime, step: timedelta = 9 * MINUTE) -> None:
    now = begin
    while now <= end:
        swept(engine, now)
        now += step


def game_of(engine: Engine, number: int) -> tables.Game:
    with session(engine) as opened:
        found = games.find(opened, number)
    assert found is not None
    return found


def notes(engine: Engine, game_id: int, about: str) -> list[tables.Outbox]:
    with session(engine) as opened:
        rows = outbox.letters_to(opened, game_id, limit=1000)
    return [r for r in rows if r.kind == "note" and r.recipe["facts"]["about"] == about]


# -- outages ---------------------------------------------------------------------------------------


def test_nobody_loses_a_turn_by_a_service_that_stood_still_over_three_deadlines() -> None:
    """It stops after half an hour, for thirteen hours: three turns of four hours would be over."""
    engine = open_memory()
    numbers = [new_game(engine), new_game(engine, BEGIN + 20 * MINUTE)]
    before = [game_of(engine, n).deadline for n in numbers]
    every(engine, BEGIN, BEGIN + 30 * MINUTE, 10 * MINUTE)
    again = BEGIN + timedelta(hours=13, minutes=30)
    for _ in range(3):
        swept(engine, again)
    for number, ends in zip(numbers, before, strict=True):
        game = game_of(engine, number)
        assert ends is not None
        assert (game.turn, game.deadline) == (1, ends + 13 * HOUR)
        told = notes(engine, number, "outage")
        assert sorted(filter(None, (r.seat for r in told))) == ["A", "B", "C"]
    assert len(notes(engine, 1, "clock-stood")) + len(notes(engine, 2, "clock-stood")) == 1


def test_the_moved_turn_is_reminded_of_and_runs_out_once() -> None:
    engine = open_memory()
    number = new_game(engine)
    every(engine, BEGIN, BEGIN + 30 * MINUTE, 10 * MINUTE)
    again = BEGIN + timedelta(hours=10, minutes=30)
    every(engine, again, again + 4 * HOUR, 3 * MINUTE)
    with session(engine) as opened:
        kinds = [(r.kind, r.seat) for r in outbox.letters_to(opened, number, limit=1000)]
    assert kinds.count(("reminder", "A")) == 1
    assert kinds.count(("late", "A")) == 1
    assert game_of(engine, number).turn == 2


def test_a_worker_that_is_up_before_the_sweep_lets_nothing_run_out() -> None:
    engine = open_memory()
    number = new_game(engine)
    swept(engine, BEGIN)
    again = BEGIN + 5 * HOUR
    late = inbox.Delivery(
        source=Source.INGEST,
        dedupe_key="help",
        received_at=again,
        game_id=number,
        seat="A",
        turn=1,
        step=1,
        reading={**_help(), "text": ["help"]},
    )
    with session(engine) as opened:
        inbox.add(opened, [late])
    drain(engine, HOUSE, number, lambda: again)
    assert game_of(engine, number).turn == 1
    swept(engine, again + SECOND)
    game = game_of(engine, number)
    assert (game.turn, game.deadline) == (1, BEGIN + 9 * HOUR)


def _help() -> dict[str, object]:
    return reading.orders_of(("help",))


def test_a_short_stop_is_no_outage() -> None:
    engine = open_memory()
    number = new_game(engine)
    every(engine, BEGIN, BEGIN + timedelta(hours=3, minutes=58))
    swept(engine, BEGIN + timedelta(hours=4, minutes=4))
    swept(engine, BEGIN + timedelta(hours=4, minutes=4, seconds=3))
    assert game_of(engine, number).turn == 2
    assert notes(engine, number, "outage") == []


def test_a_paused_game_is_not_moved_twice() -> None:
    engine = open_memory()
    number = new_game(engine)
    swept(engine, BEGIN)
    with session(engine) as opened:
        games.lock(opened, number).paused_at = BEGIN
    swept(engine, BEGIN + 5 * HOUR)
    game = game_of(engine, number)
    assert (game.deadline, game.outage) == (BEGIN + 4 * HOUR, 1)


# -- the safety stop -------------------------------------------------------------------------------


def crowd(many: int = 24) -> tuple[Engine, list[int]]:
    engine = open_memory()
    numbers = [new_game(engine) for _ in range(many)]
    every(engine, BEGIN, BEGIN + timedelta(hours=3, minutes=59))
    return engine, numbers


def turns(engine: Engine, numbers: list[int]) -> set[int]:
    return {game_of(engine, number).turn for number in numbers}


def held(engine: Engine) -> bool:
    with session(engine) as opened:
        return clock.is_held(opened)


def test_the_clock_is_held_when_most_seats_would_miss_at_once() -> None:
    engine, numbers = crowd()
    due = BEGIN + 4 * HOUR
    every(engine, due, due + 5 * MINUTE, MINUTE)
    assert held(engine)
    assert turns(engine, numbers) == {1}
    told = [note for n in numbers for note in notes(engine, n, "clock-held")]
    assert [(n.to_address, n.recipe["facts"]["told"]) for n in told] == [
        (GM, {"missing": 24, "waiting": 24})
    ]
    with session(engine) as opened:
        clock.release(opened, due + 2 * HOUR)
        with pytest.raises(ClockError):
            clock.release(opened, due + 2 * HOUR)
    swept(engine, due + 2 * HOUR)
    assert {game_of(engine, n).deadline for n in numbers} == {due + 2 * HOUR}
    assert len(notes(engine, 1, "outage")) == 3


def test_a_release_as_things_are_plays_what_is_due() -> None:
    engine, numbers = crowd()
    due = BEGIN + 4 * HOUR
    every(engine, due, due + 5 * MINUTE, MINUTE)
    with session(engine) as opened:
        clock.release(opened, due + 5 * MINUTE, as_they_are=True)
    swept(engine, due + 6 * MINUTE)
    assert (held(engine), turns(engine, numbers)) == (False, {2})


@pytest.mark.parametrize("house", [replace(HOUSE, safety_stop=None), HOUSE])
def test_few_seats_or_a_house_that_does_not_want_it_are_not_held(house: House) -> None:
    many = 24 if house.safety_stop is None else 19
    engine, numbers = crowd(many)
    due = BEGIN + 4 * HOUR
    for moment in (due, due + 3 * SECOND):
        swept(engine, moment, house)
    assert (held(engine), turns(engine, numbers)) == (False, {2})


def test_seats_that_were_there_or_had_little_time_are_no_sign_of_a_fault() -> None:
    engine = open_memory()
    numbers = [new_game(engine, pace="30m", remind="none") for _ in range(24)]
    due = BEGIN + 30 * MINUTE
    for moment in (BEGIN, BEGIN + 9 * MINUTE, BEGIN + 18 * MINUTE, BEGIN + 27 * MINUTE, due):
        swept(engine, moment)
    swept(engine, due + 3 * SECOND)
    assert (held(engine), turns(engine, numbers)) == (False, {2})


# -- sweeps that collide ---------------------------------------------------------------------------


def test_two_sweeps_at_once_double_nothing(tmp_path: Path) -> None:
    url = fresh.new_file(tmp_path / "pbem.sqlite3")
    engine = open_engine(url)
    house = replace(HOUSE, safety_stop=None, outage=None)
    numbers = [new_game(engine) for _ in range(12)]
    due = BEGIN + 4 * HOUR

    def rounds() -> None:
        own = open_engine(url)
        for moment in (due - HOUR, due, due + 3 * SECOND, due + 4 * SECOND):
            sweep(own, house, moment, lambda _name, _id: None)
        own.dispose()

    with session(engine) as opened:
        clocks.start(opened, due - HOUR)
    threads = [Thread(target=rounds) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in numbers:
        drain(engine, house, number, lambda: due + 5 * SECOND)
    with session(engine) as opened:
        for number in numbers:
            rows = outbox.letters_to(opened, number, limit=1000)
            first = [r.kind for r in rows if r.recipe.get("turn") == 1]
            assert first.count("reminder") == 1
            assert [r.kind for r in rows].count("late") == 1
    assert turns(engine, numbers) == {2}
    engine.dispose()


def test_a_deadline_that_could_not_be_played_is_not_offered_again_and_again() -> None:
    engine = open_memory()
    number = new_game(engine)
    every(engine, BEGIN, BEGIN + timedelta(hours=3, minutes=59))
    due = BEGIN + 4 * HOUR
    counted = [
        sweep(engine, HOUSE, moment, lambda _name, _id: None).deadlines
        for moment in (due, due + SECOND, due + 2 * SECOND)
    ]
    assert counted == [1, 0, 0]
    assert game_of(engine, number).fallen_due == due


def test_the_overview_shows_what_comes_next_and_no_secret() -> None:
    engine = open_memory()
    new_game(engine)
    swept(engine, BEGIN)
    with session(engine) as opened:
        shown = clock.overview(opened, BEGIN + MINUTE)
    assert shown["since_sweep"] == 60.0
    assert [(thing["what"], thing["at"]) for thing in shown["next"]] == [
        ("reminder", (BEGIN + 3 * HOUR).isoformat()),
        ("deadline", (BEGIN + 4 * HOUR).isoformat()),
    ]
    assert shown["overdue"]["deadline"] == 0
