"""What real replies of a mail server lead to, from the outbox to the game master."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from email import message_from_bytes
from email.message import Message

import pytest
from sqlmodel import select

from pbem.judge import deadline, dispatch, moving, sweep
from pbem.judge.drain import drain
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.mail.outbound import Relay, Sender
from pbem.store import domains, games, tables
from pbem.store.engine import session
from pbem.store.tables import ChangeStatus, OutboxStatus
from tests.judge.conftest import OpenParlour
from tests.judge.parlour import ANNA, BERTA, Parlour, words_of
from tests.judge.server import Server, listening
from tests.store import boxes

STEPS = (timedelta(minutes=1), timedelta(minutes=5))


@contextmanager
def relay(house: Parlour, server: Server) -> Iterator[dispatch.Post]:
    """The house's way out is that server."""
    with listening(server):
        sender = Sender(Relay("127.0.0.1", server.port), timeout=5)
        yield dispatch.Post(sender, STEPS, timedelta(minutes=15))
        sender.close_sync()


def send_due(house: Parlour, post: dispatch.Post) -> None:
    with session(house.engine) as opened:
        ready = boxes.sendable(opened, house.now)
    dispatch.send_all(house.engine, house.house, post, ready, lambda: house.now)


def rows(house: Parlour, to: str | None = None) -> list[tables.Outbox]:
    with session(house.engine) as opened:
        found = boxes.letters(opened)
    return [row for row in found if to in (None, row.to_address)]


def notes_to_gm(house: Parlour) -> list[str]:
    """What the game master has been told, once all that waits is composed."""
    house.play()
    return [words_of(one) for one in house.letters(kind="note", to="gm@example.org")]


def has_picture(raw: bytes) -> bool:
    return any(part.get_content_type() == "image/png" for part in parts(raw))


def parts(raw: bytes) -> list[Message]:
    return list(message_from_bytes(raw).walk())


@pytest.fixture
def house(parlour: OpenParlour) -> Parlour:
    return parlour(proofs=False)


def begin(house: Parlour) -> None:
    """The setup is played by the clock: letters with pictures wait to be sent."""
    with session(house.engine) as opened:
        game = games.find(opened, house.game_id)
        assert game is not None
        assert game.deadline is not None
        deadline.fall_due(opened, game)
        house.now = game.deadline + deadline.SETTLING
    drain(house.engine, house.house, house.game_id, lambda: house.now)


@pytest.mark.parametrize("announced", [False, True], ids=["after-the-dot", "by-its-size"])
def test_a_letter_that_is_too_large_goes_again_without_its_picture(
    house: Parlour, announced: bool
) -> None:
    limit = 40_000
    server = Server(size_limit=limit if announced else 0)
    if not announced:
        server.at_data = lambda _to, raw: "552 5.3.4 too big" if len(raw) > limit else None
    begin(house)
    pictured = {row.id for row in rows(house, ANNA) if _holds_picture(house, row)}
    assert pictured
    with relay(house, server) as post:
        send_due(house, post)
        again = [row for row in rows(house) if row.id in pictured]
        assert {row.status for row in again} == {OutboxStatus.PENDING}
        send_due(house, post)
    sent = [row for row in rows(house) if row.id in pictured]
    assert {row.status for row in sent} == {OutboxStatus.SENT}
    for row in sent:
        raw = next(raw for _, raw in server.taken if row.message_id.encode() in raw)
        assert not has_picture(raw)
        assert "cid:" not in raw.decode()
    with session(house.engine) as opened:
        seat = games.seat(opened, house.game_id, "A")
    assert seat is not None
    assert seat.unreachable_at is None


def _holds_picture(house: Parlour, row: tables.Outbox) -> bool:
    [(_, final)] = dispatch._written(house.engine, house.house, [row], house.now)
    return has_picture(final.composed)


def test_one_that_is_still_too_large_is_given_up_and_the_gm_told(house: Parlour) -> None:
    server = Server(at_data=lambda to, _raw: "552 5.3.4 too big" if to == ANNA else None)
    with relay(house, server) as post:
        for _ in range(3):
            send_due(house, post)
    assert {row.status for row in rows(house, ANNA)} == {OutboxStatus.FAILED}
    (told,) = notes_to_gm(house)
    assert "example.com refuses" in told.replace("The mail server for example.com", "example.com")
    assert "552 5.3.4 too big" in told


def test_a_refusal_of_policy_is_the_operators_and_told_once_a_day(house: Parlour) -> None:
    house.new_game()
    policy = "550 5.7.26 this mail is unauthenticated"
    server = Server(at_data=lambda to, _raw: policy if to == ANNA else None)
    with relay(house, server) as post:
        send_due(house, post)
    failed = rows(house, ANNA)
    assert len(failed) == 2
    assert {row.status for row in failed} == {OutboxStatus.FAILED}
    (told,) = notes_to_gm(house)
    assert policy in told
    with session(house.engine) as opened:
        assert not opened.exec(select(tables.Bounce)).all()


def test_an_unknown_user_counts_against_the_seat(house: Parlour) -> None:
    server = Server(at_rcpt=lambda to: "550 5.1.1 no such user" if to == ANNA else None)
    with relay(house, server) as post:
        send_due(house, post)
    with session(house.engine) as opened:
        (found,) = opened.exec(select(tables.Bounce)).all()
    assert (found.seat, found.hard) == ("A", True)


@pytest.mark.parametrize("reply", ["421 4.7.0 slow down", "450 4.7.1 too many of you"])
def test_a_slow_domain_gets_nothing_new_meanwhile_and_others_do(house: Parlour, reply: str) -> None:
    busy = [reply]
    server = Server(at_rcpt=lambda to: busy[0] if to == ANNA and busy else None)
    with relay(house, server) as post:
        send_due(house, post)
        (first,) = rows(house, ANNA)
        assert first.status == OutboxStatus.COMPOSED
        with session(house.engine) as opened:
            until = domains.slow_until(opened, "EXAMPLE.com", house.now)
        assert until == first.next_try_at
        assert STEPS[0] <= until - house.now <= STEPS[0] * 1.1
        house.new_game()
        busy.clear()
        send_due(house, post)
        second = rows(house, ANNA)[-1]
        assert (second.status, second.attempts) == (OutboxStatus.COMPOSED, 0)
        assert second.next_try_at == until
        assert all(row.status == OutboxStatus.SENT for row in rows(house, BERTA))
        house.now = until
        send_due(house, post)
    assert {row.status for row in rows(house, ANNA)} == {OutboxStatus.SENT}
    assert server.sessions <= 2


def test_greylisting_waits_and_slows_nobody_else(house: Parlour) -> None:
    busy = ["450 4.2.0 greylisted"]
    server = Server(at_rcpt=lambda to: busy[0] if to == ANNA and busy else None)
    with relay(house, server) as post:
        send_due(house, post)
        with session(house.engine) as opened:
            assert domains.slow_until(opened, "example.com", house.now) is None
        busy.clear()
        house.now += timedelta(minutes=2)
        send_due(house, post)
    (row,) = rows(house, ANNA)
    assert (row.status, row.attempts) == (OutboxStatus.SENT, 2)


def test_every_attempt_sends_the_same_bytes(house: Parlour) -> None:
    seen: list[bytes] = []

    def busy(to: str, raw: bytes) -> str | None:
        if to == ANNA:
            seen.append(raw)
        return "451 4.3.0 disk full" if len(seen) == 1 and to == ANNA else None

    with relay(house, Server(at_data=busy)) as post:
        send_due(house, post)
        house.now += timedelta(minutes=2)
        send_due(house, post)
    assert len(seen) == 2
    assert seen[0] == seen[1]


def test_all_letters_of_a_round_share_a_connection(house: Parlour) -> None:
    server = Server()
    with relay(house, server) as post:
        send_due(house, post)
    assert len(server.taken) >= 3
    assert server.sessions == 1


def test_a_reminder_is_dropped_after_its_deadline(house: Parlour) -> None:
    with session(house.engine) as opened:
        game = games.lock(opened, house.game_id)
        progress = Progress(opened, house.house, game, house.now, None)
        facts = {"deadline": house.now.isoformat(), "left": 60, "sent": False}
        over = house.now + timedelta(seconds=30)
        progress.tell(Recipe("reminder", "A", 1, facts, expires_at=over))
        (number,) = progress.close()
    server = Server(at_rcpt=lambda to: "450 4.2.0 later" if to == ANNA else None)
    with relay(house, server) as post:
        send_due(house, post)
        house.now += timedelta(minutes=2)
        server.at_rcpt = lambda _: None
        send_due(house, post)
    (row,) = [row for row in rows(house) if row.id == number]
    assert row.status == OutboxStatus.DROPPED
    assert not [raw for _, raw in server.taken if re.search(rb"X-PBEM-Kind: reminder", raw)]


def test_a_new_address_that_is_refused_ends_the_move(house: Parlour) -> None:
    with session(house.engine) as opened:
        game = games.lock(opened, house.game_id)
        progress = Progress(opened, house.house, game, house.now, None)
        assert moving.ask(progress, progress.seat("A"), "anna@nowhere.example") is None
        progress.close()
    nobody = "550 5.1.1 no such user"
    server = Server(at_rcpt=lambda to: nobody if to.endswith("nowhere.example") else None)
    with relay(house, server) as post:
        send_due(house, post)
    with session(house.engine) as opened:
        change = opened.get(tables.AddressChange, 1)
        assert not opened.exec(select(tables.Bounce)).all()
    assert change is not None
    assert change.status is ChangeStatus.DECLINED


def test_the_gm_hears_of_a_call_that_does_not_leave_before_the_deadline_and_after(
    house: Parlour,
) -> None:
    begin(house)
    game = games_row(house)
    assert game.deadline is not None
    assert game.on_turn is not None
    on_turn = game.on_turn
    server = Server(at_rcpt=lambda _: "450 4.2.0 later")
    with relay(house, server) as post:
        send_due(house, post)
    reminded_at = game.next_reminder_at
    assert reminded_at is not None
    house.now = reminded_at
    sweep.remind(house.engine, house.house, house.game_id, house.now)
    assert _about(house, "unreached") == [{"seat": on_turn, "late": False}]
    with session(house.engine) as opened:
        deadline.fall_due(opened, game)
    house.now = game.deadline + deadline.SETTLING
    drain(house.engine, house.house, house.game_id, lambda: house.now)
    assert _about(house, "unreached") == [
        {"seat": on_turn, "late": False},
        {"seat": on_turn, "late": True},
    ]


def test_the_gm_hears_nothing_of_a_call_that_left(house: Parlour) -> None:
    begin(house)
    house.play()
    game = games_row(house)
    assert game.next_reminder_at is not None
    house.now = game.next_reminder_at
    assert sweep.remind(house.engine, house.house, house.game_id, house.now)
    assert not _about(house, "unreached")


def games_row(house: Parlour) -> tables.Game:
    with session(house.engine) as opened:
        game = games.find(opened, house.game_id)
    assert game is not None
    return game


def _about(house: Parlour, about: str) -> list[object]:
    """What the game master is told of one thing."""
    facts = [row.recipe["facts"] for row in rows(house, "gm@example.org")]
    return [found["told"] for found in facts if found["about"] == about]
