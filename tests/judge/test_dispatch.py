"""Letters of one act in one go: what holds for one of them touches none of the others."""

from collections.abc import Callable
from datetime import timedelta
from typing import cast

import pytest

from pbem.judge import dispatch
from pbem.mail.outbound import Outcome, Sender, Sent
from pbem.rules.position import Phase
from pbem.store import outbox, tables
from pbem.store.engine import session
from pbem.store.tables import OutboxStatus
from tests.judge.desk import Desk

SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)


class Relay:
    """Takes everything, and calls `meanwhile` before it says so."""

    def __init__(self, meanwhile: Callable[[], None] = lambda: None) -> None:
        self.taken: list[str] = []
        self._meanwhile = meanwhile

    def send_sync(
        self, _sender: str, to: str, _raw: bytes, may_be_taken: Callable[[], None]
    ) -> Outcome:
        may_be_taken()
        self.taken.append(to)
        self._meanwhile()
        return Sent()


def through(relay: Relay | None) -> dispatch.Post:
    return dispatch.Post(cast(Sender | None, relay), (HOUR,), HOUR)


@pytest.fixture
def desk() -> Desk:
    """A turn was closed: an answer, a call and a report wait."""
    desk = Desk(phase=Phase.PLACE, to_place=3)
    desk.say("A", "place 3 in Siam\nend")
    return desk


def waiting(desk: Desk) -> list[tables.Outbox]:
    """All letters, the most urgent first."""
    with session(desk.engine) as opened:
        return sorted(outbox.letters_to(opened, desk.id), key=lambda row: (row.priority, row.id))


def send(desk: Desk, relay: Relay | None, rows: list[tables.Outbox]) -> list[str]:
    """The kinds of the letters that were sent."""
    numbers = [row.id for row in rows]
    sent = dispatch.send_all(desk.engine, desk.house, through(relay), numbers, lambda: desk.now)
    return [row.kind for row in rows if row.id in sent]


@pytest.mark.parametrize("relay", [None, Relay()], ids=["mailbox", "relay"])
def test_all_letters_of_an_act_are_sent_once(desk: Desk, relay: Relay | None) -> None:
    rows = waiting(desk)
    assert send(desk, relay, rows) == ["done", "turn-call", "report"]
    stored = waiting(desk)
    assert {row.status for row in stored} == {OutboxStatus.SENT}
    assert all(row.composed is not None and row.attempts == 1 for row in stored)
    if relay is not None:
        assert relay.taken == [row.to_address for row in rows]
    assert send(desk, relay, rows) == []
    assert waiting(desk) == stored


def test_one_that_cannot_be_composed_does_not_keep_the_others(desk: Desk) -> None:
    with session(desk.engine) as opened:
        ballad = outbox.NewLetter("k", "ballad", "<k@x>", "a@people.example", desk.id, "A")
        outbox.enqueue(opened, [ballad], desk.now)
    assert set(send(desk, None, waiting(desk))) == {"done", "turn-call", "report"}
    (left,) = [row for row in waiting(desk) if row.status != OutboxStatus.SENT]
    assert (left.kind, left.status, left.attempts) == ("ballad", OutboxStatus.PENDING, 1)
    assert "AssertionError" in (left.last_error or "")


def test_what_a_slow_relay_keeps_waiting_is_free_for_another_worker(desk: Desk) -> None:
    first, second, third = waiting(desk)

    def another_worker_comes() -> None:
        desk.now += dispatch.COMPOSING
        if relay.taken == [first.to_address]:
            with session(desk.engine) as opened:
                assert outbox.claim(opened, [second.id], desk.now, HOUR)

    relay = Relay(another_worker_comes)
    assert send(desk, relay, [first, second, third]) == ["done", "report"]
    assert relay.taken == [first.to_address, third.to_address]
    held = waiting(desk)[1]
    assert (held.status, held.attempts) == (OutboxStatus.SENDING, 2)
