"""The panic switch: mails come in, and nothing else happens until the house runs again."""

from datetime import timedelta

import pytest

from pbem.judge import dispatch, standstill
from pbem.judge.gm import ActError, Why
from pbem.judge.sweep import Swept, sweep
from pbem.store import audit, outbox
from pbem.store.engine import session
from tests.judge.desk import HOUSE, Desk

WHY = Why("dora@house.example", "a flood of mails")
HOUR = timedelta(hours=1)


def test_while_the_house_stands_still_nothing_is_played_sent_or_due() -> None:
    desk = Desk()
    with session(desk.engine) as opened:
        standstill.stop(opened, WHY, desk.now)
    desk.send("A", "end")
    before = desk.game
    assert before.version == 0
    hints: list[str] = []
    late = before.deadline
    assert late is not None
    swept = sweep(desk.engine, HOUSE, late + HOUR, lambda name, _: hints.append(name))
    assert (swept, hints) == (Swept(), [])
    post = dispatch.Post(None, (HOUR,), HOUR)
    with session(desk.engine) as opened:
        note = outbox.NewLetter("a", "note", "<a@house.example>", "anna@people.example", desk.id)
        (letter,) = outbox.enqueue(opened, [note], desk.now)
    assert not dispatch.send(desk.engine, HOUSE, post, letter, lambda: desk.now)


def test_when_it_goes_on_what_waited_is_played_and_deadlines_are_later() -> None:
    desk = Desk()
    with session(desk.engine) as opened:
        standstill.stop(opened, WHY, desk.now)
    number = desk.send("A", "place the rest in Siam")
    before = desk.game.deadline
    assert before is not None
    with session(desk.engine) as opened:
        lost = standstill.go_on(opened, WHY, desk.now + 5 * HOUR)
        said = [line.what for line in audit.of_game(opened, None)]
    assert desk.game.deadline == before + lost
    desk.drain()
    with session(desk.engine) as opened:
        assert len(outbox.answers_to(opened, number)) == 1
    assert said == ["stop", "go-on"]


def test_the_switch_is_thrown_once() -> None:
    desk = Desk()
    with session(desk.engine) as opened:
        with pytest.raises(ActError, match="runs"):
            standstill.go_on(opened, WHY, desk.now)
        standstill.stop(opened, WHY, desk.now)
        with pytest.raises(ActError, match="stands-still"):
            standstill.stop(opened, WHY, desk.now)
