"""The outbox: written once, in one worker's hands at a time, always the same bytes."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError

from pbem.store import due, inbox, outbox
from pbem.store.engine import session
from pbem.store.hints import FIRST_HINT
from pbem.store.outbox import Final
from pbem.store.tables import Game, Outbox, OutboxStatus
from tests.store import boxes
from tests.store.conftest import MakeLetter, MakeMail

SECOND = timedelta(seconds=1)
LEASE = timedelta(seconds=60)

Enqueue = Callable[..., int]


@pytest.fixture
def enqueue(engine: Engine, game: Game, letter: MakeLetter, noon: datetime) -> Enqueue:
    """Writes one letter down, by its key and what else is named; its id."""

    def written(key: str, **other: object) -> int:
        with session(engine) as opened:
            [number] = outbox.enqueue(opened, [letter(key, **other)], noon)
            return number

    return written


def claim(engine: Engine, number: int, now: datetime) -> Outbox | None:
    with session(engine) as opened:
        return next(iter(outbox.claim(opened, [number], now, LEASE)), None)


def row(engine: Engine, number: int) -> Outbox:
    with session(engine) as opened:
        found = outbox.find(opened, number)
        assert found is not None
        return found


def test_letters_are_written_with_their_recipe(
    engine: Engine, game: Game, letter: MakeLetter, mail: MakeMail, noon: datetime
) -> None:
    with session(engine) as opened:
        [answered] = inbox.add(opened, [mail("k")])
        written = letter("g1:1:A:done:1", recipe={"events": [1, 4]}, inbox_id=answered.inbox_id)
        [number] = outbox.enqueue(opened, [written], noon)
    with session(engine) as opened:
        [found] = outbox.answers_to(opened, answered.inbox_id)
        assert (found.id, found.recipe) == (number, {"events": [1, 4]})
        assert (found.status, found.created_at) == (OutboxStatus.PENDING, noon)


def test_the_bytes_of_a_letter_are_found_for_its_own_seat_alone(
    engine: Engine, enqueue: Enqueue, game: Game, letter: MakeLetter, noon: datetime
) -> None:
    with session(engine) as opened:
        for place, key in enumerate(("g1:1:A:done:1", "g1:1:B:done:1", "g1:1:A:done:2")):
            [number] = outbox.enqueue(opened, [letter(key, seat="AB"[place % 2])], noon)
            if place < 2:
                outbox.store_composed(opened, number, key.encode(), "done")
    first, other = "<g1:1:A:done:1@example.org>", "<g1:1:A:done:2@example.org>"
    with session(engine) as opened:
        assert outbox.bytes_of(opened, first, "A") == b"g1:1:A:done:1"
        assert outbox.bytes_of(opened, first, "B") is None
        assert outbox.bytes_of(opened, first, None) is None
        assert outbox.bytes_of(opened, other, "A") is None, "it is not composed"
        assert outbox.newest_bytes(opened, game.id, "A") == b"g1:1:A:done:1"
        assert outbox.newest_bytes(opened, game.id, "C") is None


def test_a_letter_that_is_there_already_is_no_error(
    engine: Engine, enqueue: Enqueue, letter: MakeLetter, noon: datetime
) -> None:
    enqueue("first", to_address="anna@example.org")
    with session(engine) as opened:
        again = [letter("first", to_address="else@example.org"), letter("second")]
        fresh = outbox.enqueue(opened, again, noon + SECOND)
        assert len(fresh) == 1
        assert [found.key for found in boxes.letters(opened)] == ["first", "second"]
        assert boxes.letters(opened)[0].to_address == "anna@example.org"
        assert outbox.enqueue(opened, again, noon) == ()
        assert outbox.enqueue(opened, [], noon) == ()


def test_two_letters_under_one_message_id_are_refused(enqueue: Enqueue) -> None:
    enqueue("one", message_id="<same@example.org>")
    with pytest.raises(IntegrityError):
        enqueue("two", message_id="<same@example.org>")


def test_of_two_workers_one_gets_the_letter(
    engine: Engine, enqueue: Enqueue, noon: datetime
) -> None:
    for n in range(5):
        number = enqueue(f"k{n}")
        start = Barrier(2)

        def worker(_: int, number: int = number, start: Barrier = start) -> Outbox | None:
            start.wait()
            return claim(engine, number, noon)

        with ThreadPoolExecutor(2) as pool:
            claims = list(pool.map(worker, range(2)))
        assert sum(claimed is not None for claimed in claims) == 1
        assert row(engine, number).attempts == 1


def test_several_letters_are_claimed_in_one_go_without_those_that_are_not_free(
    engine: Engine, enqueue: Enqueue, noon: datetime
) -> None:
    first, held, second, late = (
        enqueue(key, expires_at=noon + SECOND if key == "late" else None)
        for key in ("first", "held", "second", "late")
    )
    claim(engine, held, noon)
    with session(engine) as opened:
        asked = [second, late, held, first, 9_999]
        claimed = outbox.claim(opened, asked, noon + SECOND, LEASE)
        assert [(letter.id, letter.attempts) for letter in claimed] == [(second, 1), (first, 1)]
        assert outbox.claim(opened, [], noon, LEASE) == []
    assert row(engine, held).attempts == 1
    assert row(engine, late).status is OutboxStatus.DROPPED


def test_a_lease_that_ran_out_can_be_taken_over(
    engine: Engine, enqueue: Enqueue, noon: datetime
) -> None:
    number = enqueue("k")
    first = claim(engine, number, noon)
    assert first is not None
    assert (first.attempts, first.status, first.lease_until) == (1, "sending", noon + LEASE)
    assert claim(engine, number, noon + LEASE - SECOND) is None
    second = claim(engine, number, noon + LEASE)
    assert second is not None
    assert second.attempts == 2
    with session(engine) as opened:
        assert not outbox.mark_retry(opened, number, 1, noon, "the first is late")
        assert not outbox.mark_failed(opened, number, 1, "the first is late")
        assert not outbox.mark_unknown(opened, number, 1, noon)
        assert not outbox.prolong(opened, number, 1, noon)
    assert row(engine, number).lease_until == noon + 2 * LEASE, "the second still holds it"
    with session(engine) as opened:
        assert outbox.prolong(opened, number, 2, noon + 3 * LEASE)
    assert claim(engine, number, noon + 3 * LEASE - SECOND) is None
    assert row(engine, number).next_hint_at == noon + 3 * LEASE, "no hint before it can be claimed"


def test_a_letter_is_composed_once(engine: Engine, enqueue: Enqueue) -> None:
    number = enqueue("k")
    with session(engine) as opened:
        assert outbox.store_composed(opened, number, b"first\r\n", "Subject") == b"first\r\n"
        assert outbox.store_composed(opened, number, b"other\r\n", "Other") == b"first\r\n"
    assert row(engine, number).composed == b"first\r\n"
    assert row(engine, number).subject == "Subject"


def test_a_sent_letter_is_never_claimed_again(
    engine: Engine, enqueue: Enqueue, noon: datetime
) -> None:
    number = enqueue("k")
    claim(engine, number, noon)
    with session(engine) as opened:
        assert outbox.mark_sent(opened, number, noon + SECOND)
        assert not outbox.mark_sent(opened, number, noon + 2 * SECOND)
    assert row(engine, number).sent_at == noon + SECOND
    assert claim(engine, number, noon + 10 * LEASE) is None


def test_a_letter_that_stays_in_the_house_is_sent_with_the_first_bytes_that_were_stored(
    engine: Engine, enqueue: Enqueue, noon: datetime
) -> None:
    number, other = enqueue("k"), enqueue("l")
    claim(engine, number, noon)
    with session(engine) as opened:
        outbox.store_composed(opened, other, b"stored\r\n", "Stored")
        finals = [Final(other, "Again", b"again\r\n"), Final(number, "Subject", b"first\r\n")]
        outbox.keep_sent(opened, finals, noon + SECOND)
        outbox.keep_sent(opened, [Final(number, "Other", b"other\r\n")], noon + 2 * SECOND)
        outbox.keep_sent(opened, [], noon)
    kept = row(engine, number)
    assert (kept.composed, kept.subject, kept.sent_at) == (b"first\r\n", "Subject", noon + SECOND)
    assert kept.status is OutboxStatus.SENT
    assert row(engine, other).composed == b"stored\r\n"
    assert (row(engine, other).subject, row(engine, other).sent_at) == ("Stored", noon + SECOND)
    assert claim(engine, number, noon + 10 * LEASE) is None


def test_a_deferred_letter_waits_for_its_next_try(
    engine: Engine, enqueue: Enqueue, noon: datetime
) -> None:
    number = enqueue("k")
    later = noon + timedelta(minutes=5)
    claim(engine, number, noon)
    with session(engine) as opened:
        assert outbox.mark_retry(opened, number, 1, later, "451 busy")
        assert boxes.sendable(opened, later - SECOND) == []
        assert boxes.sendable(opened, later) == [number]
    assert row(engine, number).status is OutboxStatus.PENDING
    assert row(engine, number).last_error == "451 busy"
    assert claim(engine, number, later - SECOND) is None
    with session(engine) as opened:
        outbox.claim(opened, [number], later, LEASE)
        outbox.store_composed(opened, number, b"bytes", "Subject")
        assert outbox.mark_retry(opened, number, 2, later, "451 busy")
    assert row(engine, number).status is OutboxStatus.COMPOSED


def test_a_letter_whose_outcome_is_unknown_is_tried_again_after_its_wait(
    engine: Engine, enqueue: Enqueue, noon: datetime
) -> None:
    number = enqueue("k")
    claim(engine, number, noon)
    with session(engine) as opened:
        assert outbox.mark_unknown(opened, number, 1, noon + timedelta(minutes=15))
    assert row(engine, number).status is OutboxStatus.UNKNOWN
    assert claim(engine, number, noon + 2 * LEASE) is None
    with session(engine) as opened:
        assert outbox.mark_retry(opened, number, 1, noon, "451: the answer came after all")
    assert claim(engine, number, noon) is not None


def test_an_unknown_outcome_that_becomes_known_is_sent(
    engine: Engine, enqueue: Enqueue, noon: datetime
) -> None:
    number = enqueue("k")
    claim(engine, number, noon)
    with session(engine) as opened:
        outbox.mark_unknown(opened, number, 1, noon + LEASE)
        assert outbox.mark_sent(opened, number, noon)
    assert row(engine, number).status is OutboxStatus.SENT


def test_a_refused_letter_is_failed_for_good(
    engine: Engine, enqueue: Enqueue, noon: datetime
) -> None:
    number = enqueue("k")
    claim(engine, number, noon)
    with session(engine) as opened:
        assert outbox.mark_failed(opened, number, 1, "550 no such user")
        assert boxes.sendable(opened, noon + 10 * LEASE) == []
    assert row(engine, number).last_error == "550 no such user"


def test_a_reminder_is_dropped_after_its_deadline(
    engine: Engine, enqueue: Enqueue, noon: datetime
) -> None:
    number = enqueue("k", expires_at=noon + SECOND)
    assert claim(engine, number, noon + SECOND) is None
    assert row(engine, number).status is OutboxStatus.DROPPED


def test_urgent_letters_go_first(
    engine: Engine, game: Game, letter: MakeLetter, noon: datetime
) -> None:
    with session(engine) as opened:
        written = [letter("report", priority=5), letter("answer", priority=1)]
        numbers = outbox.enqueue(opened, written, noon)
        keys = {row.id: row.key for row in boxes.letters(opened)}
        assert [keys[number] for number in numbers] == ["answer", "report"]
        left_lying = due.unsent(opened, noon + FIRST_HINT)
        assert [row.id for row in left_lying] == list(numbers)


def test_letters_are_found_by_game_and_seat(
    engine: Engine, enqueue: Enqueue, noon: datetime
) -> None:
    first, second = enqueue("a1"), enqueue("a2")
    other = enqueue("b1", seat="B")
    enqueue("of no game", game_id=None, seat=None)
    with session(engine) as opened:
        assert [found.id for found in outbox.letters_to(opened, 1)] == [other, second, first]
        assert [found.id for found in outbox.letters_to(opened, 1, "A")] == [second, first]
        assert [found.id for found in outbox.letters_to(opened, 1, "A", limit=1)] == [second]


def test_a_letter_that_nobody_wrote_is_sent_by_nobody(engine: Engine, noon: datetime) -> None:
    assert claim(engine, 1, noon) is None
    with session(engine) as opened:
        assert not outbox.mark_sent(opened, 1, noon)
        assert outbox.find(opened, 1) is None
