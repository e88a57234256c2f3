"""The door's answers at RCPT: one look at the books for many, and never a stale refusal."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event

from pbem.judge import doorkeeper, intake
from pbem.judge.doorkeeper import FRESH, Doorkeeper
from pbem.judge.throttle import TOO_MANY, Throttle
from pbem.mail.door import Asked
from pbem.store.engine import open_reader
from tests.judge.conftest import OpenParlour
from tests.judge.parlour import ANNA, Parlour, mail

STRANGER, PEER = "x@example.net", "198.51.100.66"


@dataclass
class Door:
    """A doorkeeper of a house, and how often it has looked at the books."""

    house: Parlour
    throttle: Throttle | None = None
    looks: list[object] = field(default_factory=list)

    def __post_init__(self) -> None:
        url = self.house.engine.url.render_as_string(hide_password=False)
        self.reader = open_reader(url)
        event.listen(self.reader, "checkout", lambda *facts: self.looks.append(facts))
        clock: Any = lambda: self.house.now  # noqa: E731
        self.keeper = Doorkeeper(self.house.house, self.reader, clock, self.throttle)

    def ask(self, *recipients: str, sender: str = ANNA) -> list[str | None]:
        async def all_at_once() -> list[str | None]:
            asked = [Asked(recipient, sender, PEER) for recipient in recipients]
            return list(await asyncio.gather(*map(self.keeper.refuse, asked)))

        return asyncio.run(all_at_once())


@pytest.fixture
def door(parlour: OpenParlour) -> Iterator[Door]:
    opened = Door(parlour(proofs=False))
    yield opened
    opened.reader.dispose()


def test_a_recipient_that_was_let_in_is_let_in_again_without_a_look(door: Door) -> None:
    anna, berta = door.house.address("A"), door.house.address("B")
    assert door.ask(anna, berta) == [None, None]
    assert len(door.looks) == 1
    door.house.now += FRESH / 2
    assert door.ask(berta, anna, anna) == [None] * 3
    assert len(door.looks) == 1
    door.house.now += FRESH
    assert door.ask(anna) == [None]
    assert len(door.looks) == 2


def test_a_refusal_is_never_remembered(door: Door) -> None:
    old = door.house.address()
    turn, step = old.split(".")[2:4]
    elsewhere = old.replace(f".{turn}.{step}.", f".{turn}.{int(step) + 7}.")
    assert door.ask(elsewhere, elsewhere) == [intake.UNKNOWN] * 2
    assert door.ask(elsewhere) == [intake.UNKNOWN]
    assert len(door.looks) == 2


def test_a_new_key_is_good_at_once_and_an_old_one_not_for_long(door: Door) -> None:
    old = door.house.address()
    assert door.ask(old) == [None]
    door.house.let_in(mail("NEWKEY"), old)
    door.house.play()
    assert door.ask(door.house.address()) == [None]
    door.house.now += FRESH + timedelta(seconds=1)
    assert door.ask(old) == [intake.UNKNOWN]


def test_limits_count_what_is_remembered(parlour: OpenParlour) -> None:
    door = Door(parlour(), Throttle(2, 0, direct=True))
    to = door.house.address()
    told = [door.ask(to, sender=STRANGER)[0] for _ in range(4)]
    door.reader.dispose()
    assert told == [None, None, TOO_MANY, TOO_MANY]
    assert len(door.looks) == 1


def test_what_is_remembered_has_an_end(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doorkeeper, "MOST_FRESH", 2)
    spellings = [door.house.address().replace("play+", box) for box in ("", "a+", "b+", "c+")]
    assert door.ask(*spellings) == [None] * 4
    assert len(door.keeper._fresh) <= 2
