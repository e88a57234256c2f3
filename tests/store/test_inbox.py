"""The inbox: kept once, played in the order of arrival, given up after five attempts."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError

from pbem.store import correspondence, inbox
from pbem.store.engine import session
from pbem.store.inbox import MOST_ATTEMPTS, Arrived, Delivery
from pbem.store.tables import Game, Inbox, InboxStatus, Source
from tests.store import boxes
from tests.store.conftest import MakeMail

SECOND = timedelta(seconds=1)


def add(engine: Engine, *deliveries: Delivery) -> list[int]:
    with session(engine) as opened:
        return [receipt.inbox_id for receipt in inbox.add(opened, deliveries)]


def row(engine: Engine, number: int) -> Inbox:
    with session(engine) as opened:
        found = inbox.find(opened, number)
        assert found is not None
        return found


def test_a_mail_is_kept_as_it_came(engine: Engine, game: Game, mail: MakeMail) -> None:
    raw = b"From: a\r\n\r\n\xff\x00 not text\r\n"
    [number] = add(engine, mail("k", raw=raw, recipient="play+g1@example.org", mail_from=""))
    kept = row(engine, number)
    assert kept.raw == raw
    assert (kept.source, kept.status) == (Source.SMTP, InboxStatus.ACCEPTED)
    assert (kept.recipient, kept.mail_from, kept.seat) == ("play+g1@example.org", "", "A")


def test_no_deliveries_are_no_rows(engine: Engine) -> None:
    assert add(engine) == []


def test_the_same_mail_twice_is_one_row(engine: Engine, game: Game, mail: MakeMail) -> None:
    with session(engine) as opened:
        [first] = inbox.add(opened, [mail("id@token")])
    with session(engine) as opened:
        [second] = inbox.add(opened, [mail("id@token")])
    assert first.arrived is Arrived.NEW
    assert second.arrived is Arrived.DUPLICATE
    assert first.inbox_id == second.inbox_id


def test_the_same_mail_twice_in_one_transaction_is_one_row(
    engine: Engine, game: Game, mail: MakeMail
) -> None:
    with session(engine) as opened:
        receipts = inbox.add(opened, [mail("k"), mail("other"), mail("k")])
    assert [receipt.arrived for receipt in receipts] == ["new", "new", "duplicate"]
    assert receipts[0].inbox_id == receipts[2].inbox_id != receipts[1].inbox_id


def test_the_same_key_with_other_content_is_set_aside(
    engine: Engine, game: Game, mail: MakeMail, noon: datetime
) -> None:
    with session(engine) as opened:
        [first] = inbox.add(opened, [mail("k")])
        [other] = inbox.add(opened, [mail("k", body_hash="of another text", raw=b"other")])
        [again] = inbox.add(opened, [mail("k", body_hash="of another text", raw=b"other")])
        assert other.arrived is Arrived.SET_ASIDE
        assert (again.arrived, again.inbox_id) == (Arrived.DUPLICATE, other.inbox_id)
        assert other.inbox_id != first.inbox_id
        [aside] = boxes.mails(opened, [InboxStatus.SET_ASIDE])
        assert aside.raw == b"other"
        waiting = inbox.next_accepted(opened, 1, noon)
        assert waiting is not None
        assert waiting.id == first.inbox_id, "the first is played, the other is not"


def test_rows_go_in_the_order_of_their_arrival(
    engine: Engine, game: Game, mail: MakeMail, noon: datetime
) -> None:
    late, early, same = add(
        engine, mail("late", received_at=noon + SECOND), mail("early"), mail("same moment")
    )
    order = []
    with session(engine) as opened:
        while (following := inbox.next_accepted(opened, 1, noon + SECOND)) is not None:
            order.append(following.id)
            assert inbox.mark(opened, following.id, InboxStatus.DONE, noon, result="done")
    assert order == [early, same, late]
    assert row(engine, late).result == "done"


def test_a_row_that_waits_for_its_moment_holds_those_behind_it(
    engine: Engine, game: Game, mail: MakeMail, noon: datetime
) -> None:
    deadline, after = add(
        engine,
        mail("deadline", source=Source.DEADLINE, not_before=noon + 2 * SECOND),
        mail("after", received_at=noon + SECOND),
    )
    [before] = add(engine, mail("came late, was sent before", received_at=noon - SECOND))
    with session(engine) as opened:
        first = inbox.next_accepted(opened, 1, noon + SECOND)
        assert first is not None
        assert first.id == before
        inbox.mark(opened, before, InboxStatus.DONE, noon + SECOND)
        assert inbox.next_accepted(opened, 1, noon + SECOND) is None
        first = inbox.next_accepted(opened, 1, noon + 2 * SECOND)
        assert first is not None
        assert first.id == deadline
        inbox.mark(opened, deadline, InboxStatus.DONE, noon + 2 * SECOND)
        first = inbox.next_accepted(opened, 1, noon + 2 * SECOND)
        assert first is not None
        assert first.id == after


@pytest.mark.parametrize(
    ("other", "sent"),
    [
        ({}, True),
        ({"source": Source.LMTP, "status": InboxStatus.DONE}, True),
        ({"source": Source.DEADLINE}, False),
        ({"turn": 2}, True),
        ({"seat": "B"}, False),
        ({"status": InboxStatus.IGNORED}, False),
        ({"status": InboxStatus.HELD}, False),
        ({"status": InboxStatus.DEAD}, True),
        ({"status": InboxStatus.DONE, "turn": None, "step": None}, False),
    ],
)
def test_only_the_seats_own_mails_count_as_sent(
    engine: Engine, game: Game, mail: MakeMail, noon: datetime, other: dict[str, object], sent: bool
) -> None:
    add(engine, mail("k", **other))
    with session(engine) as opened:
        assert correspondence.sent_since(opened, 1, "A", noon) is sent
        assert not correspondence.sent_since(opened, 1, "A", noon + SECOND)


def test_what_is_at_rest_stays_at_rest(
    engine: Engine, game: Game, mail: MakeMail, noon: datetime
) -> None:
    [number] = add(engine, mail("k"))
    with session(engine) as opened:
        assert inbox.mark(opened, number, InboxStatus.DONE, noon, result="done")
        assert not inbox.mark(opened, number, InboxStatus.IGNORED, noon)
        assert not inbox.retry(opened, number, noon)
    assert inbox.count_attempt(engine, number, noon) is None
    assert row(engine, number).status is InboxStatus.DONE
    assert row(engine, number).handled_at == noon


def test_a_mark_is_seen_on_the_row_in_hand(
    engine: Engine, game: Game, mail: MakeMail, noon: datetime
) -> None:
    add(engine, mail("k"))
    with session(engine) as opened:
        in_hand = inbox.next_accepted(opened, 1, noon)
        assert in_hand is not None
        inbox.mark(opened, in_hand.id, InboxStatus.HELD, noon)
        assert in_hand.status is InboxStatus.HELD


def test_an_attempt_counts_even_if_nothing_comes_of_it(
    engine: Engine, game: Game, mail: MakeMail, noon: datetime
) -> None:
    [number] = add(engine, mail("k"))
    assert inbox.count_attempt(engine, number, noon) == 1
    assert row(engine, number).attempts == 1
    assert inbox.count_attempt(engine, number, noon + SECOND) is None, "another has it in hand"
    assert inbox.count_attempt(engine, number, noon + inbox.CLAIM) == 2


def test_a_row_that_kills_its_workers_is_dead_after_five_attempts(
    engine: Engine, game: Game, mail: MakeMail, noon: datetime
) -> None:
    [number] = add(engine, mail("k"))
    for attempt in range(1, MOST_ATTEMPTS + 1):
        assert inbox.count_attempt(engine, number, noon) == attempt
        noon += inbox.CLAIM
    assert inbox.count_attempt(engine, number, noon) is None
    assert row(engine, number).status is InboxStatus.DEAD
    with session(engine) as opened:
        assert inbox.next_accepted(opened, 1, noon) is None, "those behind it go on"


def test_a_failing_row_waits_longer_each_time_and_keeps_its_traceback(
    engine: Engine, game: Game, mail: MakeMail, noon: datetime
) -> None:
    [number] = add(engine, mail("k"))
    waits = []
    for attempt in range(1, MOST_ATTEMPTS + 1):
        assert inbox.count_attempt(engine, number, noon) == attempt
        with session(engine) as opened:
            was_last = inbox.mark_failed(opened, number, f"Traceback {attempt}", noon)
        assert was_last == (attempt == MOST_ATTEMPTS)
        kept = row(engine, number)
        assert kept.last_error == f"Traceback {attempt}"
        waits.append(kept.next_try_at - noon)
        noon = max(noon, kept.next_try_at)
    assert waits[:4] == sorted(waits[:4])
    assert waits[0] > timedelta(0)
    assert row(engine, number).status is InboxStatus.DEAD


def test_the_gm_lets_a_dead_row_try_again(
    engine: Engine, game: Game, mail: MakeMail, noon: datetime
) -> None:
    [number] = add(engine, mail("k", status=InboxStatus.DEAD))
    with session(engine) as opened:
        assert inbox.next_accepted(opened, 1, noon) is None
        assert inbox.retry(opened, number, noon)
        following = inbox.next_accepted(opened, 1, noon)
        assert following is not None
        assert (following.id, following.attempts) == (number, 0)


def test_a_row_for_no_game_at_all_is_refused(engine: Engine, mail: MakeMail) -> None:
    with pytest.raises(IntegrityError):
        add(engine, mail("k", game_id=77))


def test_a_row_that_nobody_has_is_marked_by_nobody(engine: Engine, noon: datetime) -> None:
    with session(engine) as opened:
        assert inbox.find(opened, 1) is None
        assert inbox.find_key(opened, "k") is None
        assert not inbox.mark(opened, 1, InboxStatus.DONE, noon)
    assert inbox.count_attempt(engine, 1, noon) is None
