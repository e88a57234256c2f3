"""Deadlines, reminders, sweeps and what fails: on the judge's desk, with a clock that is moved."""

from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from pbem.judge import choosing, deadline, dispatch, intake, reading, thinking
from pbem.judge.acts.clock import Extend
from pbem.judge.drain import drain
from pbem.judge.lobby import NewSeat, create, open_game
from pbem.judge.outcome import kind_of
from pbem.judge.sweep import APPLY, APPLY_DUE, SEND, sweep
from pbem.rules.dice import Chance
from pbem.rules.position import Phase
from pbem.store import games, inbox, outbox, tables
from pbem.store.engine import Engine, session
from pbem.store.memory import open_memory
from pbem.store.tables import InboxStatus, OutboxStatus, Source
from tests.judge.desk import BEGIN, GM, HOUSE, Desk
from tests.store import boxes

HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)
CLOSING = "place the rest in Siam\nend"
Hints = list[tuple[str, int]]


def swept(engine: Engine, now: datetime) -> Hints:
    """The hints of one sweep."""
    hints: Hints = []
    sweep(engine, HOUSE, now, lambda name, number: hints.append((name, number)))
    return hints


@pytest.fixture
def desk() -> Desk:
    """Anna is on turn with 9 armies to place; reminders are due 24 and 3 hours before the end."""
    desk = Desk(dice="6 6 6 1", to_place=9, phase=Phase.PLACE)
    with session(desk.engine) as opened:
        game = games.find(opened, desk.id)
        assert game is not None
        assert game.deadline is not None
        game.next_reminder_at = game.deadline - 24 * HOUR
        opened.add(game)
    return desk


def ends(desk: Desk) -> datetime:
    at = desk.game.deadline
    assert at is not None
    return at


def arrives(desk: Desk, text: str, at: datetime, key: str = "late mail") -> int:
    """A mail of Anna for the current step that came at that time, whenever it is stored."""
    game = desk.game
    delivery = inbox.Delivery(
        source=Source.INGEST,
        dedupe_key=key,
        received_at=at,
        game_id=desk.id,
        seat="A",
        turn=game.turn,
        step=game.step,
        reading=reading.orders_of(tuple(text.splitlines())),
    )
    with session(desk.engine) as opened:
        return inbox.add(opened, [delivery])[0].inbox_id


def row(desk: Desk, number: int) -> tables.Inbox:
    with session(desk.engine) as opened:
        found = inbox.find(opened, number)
    assert found is not None
    return found


# -- reminders -----------------------------------------------------------------------------------


def test_each_time_reminds_a_silent_seat_once(desk: Desk) -> None:
    swept(desk.engine, ends(desk) - 24 * HOUR - SECOND)
    assert desk.letters(kind="reminder") == []
    for before, so_far in ((24, 1), (3, 2)):
        at = ends(desk) - before * HOUR
        swept(desk.engine, at)
        swept(desk.engine, at)
        swept(desk.engine, at + SECOND)
        assert len(desk.letters("A", "reminder")) == so_far
    assert desk.letters("B", "reminder") == desk.letters("C", "reminder") == []
    assert desk.game.next_reminder_at is None


@pytest.mark.parametrize("text", ["place 1 in Siam", "help", "place 1 in Idnai"])
def test_only_the_first_reminder_goes_to_who_has_sent_something(desk: Desk, text: str) -> None:
    desk.say("A", text)
    swept(desk.engine, ends(desk) - 24 * HOUR)
    swept(desk.engine, ends(desk) - 3 * HOUR)
    assert len(desk.letters("A", "reminder")) == 1


def test_a_deadline_that_was_moved_is_reminded_of_anew(desk: Desk) -> None:
    swept(desk.engine, ends(desk) - 24 * HOUR)
    desk.now = ends(desk) - 23 * HOUR
    desk.perform(Extend(24 * HOUR))
    swept(desk.engine, ends(desk) - 24 * HOUR)
    assert [letter.facts["left"] for letter in desk.letters("A", "reminder")] == [86400, 86400]


def test_reminders_that_were_missed_are_one_that_tells_the_truth(desk: Desk) -> None:
    late = ends(desk) - 2 * HOUR
    swept(desk.engine, late)
    swept(desk.engine, late + SECOND)
    assert [letter.facts["left"] for letter in desk.letters("A", "reminder")] == [2 * 3600]
    assert desk.game.next_reminder_at is None


def test_a_reminder_is_no_change_of_the_game(desk: Desk) -> None:
    before = (desk.game.version, desk.state)
    swept(desk.engine, ends(desk) - 24 * HOUR)
    assert (desk.game.version, desk.state) == before


def test_a_game_whose_reminder_fails_keeps_nothing_else_from_being_swept(desk: Desk) -> None:
    arrives(desk, CLOSING, desk.now)
    with session(desk.engine) as opened:
        games.lock(opened, desk.id).options = {"broken": True}
    assert (APPLY, desk.id) in swept(desk.engine, ends(desk) - 24 * HOUR)


# -- deadlines -----------------------------------------------------------------------------------


def test_a_deadline_is_one_row_however_often_it_is_swept(desk: Desk) -> None:
    at = ends(desk)
    assert (APPLY_DUE, desk.id) not in swept(desk.engine, at)
    assert (APPLY_DUE, desk.id) in swept(desk.engine, at + deadline.SETTLING)
    with session(desk.engine) as opened:
        assert len(boxes.mails(opened, [InboxStatus.ACCEPTED], desk.id)) == 1


def test_a_deadline_waits_for_mails_that_are_still_being_stored(desk: Desk) -> None:
    at = ends(desk)
    swept(desk.engine, at)
    desk.now = at + deadline.SETTLING - SECOND
    desk.drain()
    assert desk.state.turn == 1
    desk.now = at + deadline.SETTLING
    desk.drain()
    assert (desk.state.turn, desk.state.on_turn) == (2, "B")
    assert [letter.kind for letter in desk.letters("A")] == ["late"]
    desk.drain()
    swept(desk.engine, desk.now)
    assert (desk.state.turn, len(desk.letters("A"))) == (2, 1)


@pytest.mark.parametrize("stored_first", ["mail", "deadline"])
def test_a_mail_before_the_deadline_is_played_before_it(desk: Desk, stored_first: str) -> None:
    at = ends(desk)
    if stored_first == "deadline":
        swept(desk.engine, at)
    mail = arrives(desk, CLOSING, at - timedelta(milliseconds=1))
    swept(desk.engine, at)
    desk.now = at + deadline.SETTLING
    desk.drain()
    assert row(desk, mail).result == "done"
    assert desk.letters("A", "late") == []
    assert desk.state.armies["SIA"] == 17  # type: ignore[index]
    assert desk.state.turn == 2


@pytest.mark.parametrize("swept_first", [True, False])
def test_a_mail_after_the_deadline_is_played_after_it(desk: Desk, swept_first: bool) -> None:
    at = ends(desk)
    if swept_first:
        swept(desk.engine, at)
    mail = arrives(desk, CLOSING, at + timedelta(milliseconds=1))
    desk.now = at + SECOND
    desk.drain()
    assert row(desk, mail).status == InboxStatus.ACCEPTED
    desk.now = at + deadline.SETTLING
    desk.drain()
    assert row(desk, mail).result == "mistakes"
    assert [letter.kind for letter in desk.letters("A")] == ["late", "mistakes"]


# -- what fails ----------------------------------------------------------------------------------


def test_a_mail_that_cannot_be_played_is_kept_and_set_aside_at_last(desk: Desk) -> None:
    before = desk.state
    mail = arrives(desk, "place the rest in Siam\nattack India from Siam", desk.now)

    def broken(_game: tables.Game, _link: int) -> Chance:
        raise RuntimeError("the die fell off the table")

    def attempt() -> None:
        drain(desk.engine, HOUSE, desk.id, lambda: desk.now, broken)

    for number in range(1, inbox.MOST_ATTEMPTS + 1):
        attempt()
        attempt()  # nothing is tried before its time
        found = row(desk, mail)
        assert found.attempts == number
        assert "the die fell off the table" in (found.last_error or "")
        assert desk.state == before
        assert desk.letters("A") == []
        desk.now += timedelta(minutes=3)
    assert row(desk, mail).status == InboxStatus.DEAD

    (alert,) = desk.letters(GM, "note")
    assert "set aside" in alert.words
    follows = arrives(desk, CLOSING, desk.now, key="the next mail")
    drain(desk.engine, HOUSE, desk.id, lambda: desk.now, lambda _game, _link: desk.dice)
    assert row(desk, follows).result == "done"


def test_a_mail_that_failed_once_is_played_at_its_next_try(desk: Desk) -> None:
    mail = arrives(desk, "place the rest in Siam\nattack India from Siam", desk.now)

    def broken(_game: tables.Game, _link: int) -> Chance:
        raise RuntimeError("the die fell off the table")

    drain(desk.engine, HOUSE, desk.id, lambda: desk.now, broken)
    desk.now += timedelta(minutes=1)
    drain(desk.engine, HOUSE, desk.id, lambda: desk.now, lambda _game, _link: desk.dice)
    assert row(desk, mail).result == "done"
    assert [letter.kind for letter in desk.letters("A")] == ["done"]
    assert desk.letters(GM) == []


def test_addresses_end_thirty_days_after_the_game(desk: Desk) -> None:
    address = desk.say("A", "help").mail["Reply-To"].addresses[0].addr_spec
    with session(desk.engine) as opened:
        game = games.find(opened, desk.id)
        assert game is not None
        game.over_at = BEGIN
        opened.add(game)

    def refusal(after: timedelta) -> str | None:
        with session(desk.engine) as opened:
            return intake.refuse_recipient(opened, HOUSE, address, BEGIN + after)

    assert refusal(timedelta(days=30)) is None
    assert refusal(timedelta(days=30, seconds=1)) == intake.OVER


# -- lobby and computers -------------------------------------------------------------------------


def new_game(*addresses: str | None, start: bool) -> tuple[Engine, int]:
    engine = open_memory()
    rules, chosen = choosing.choose("classic-1993", {}, pace="48h", remind=())
    seats = [
        NewSeat(colour, colour.capitalize(), who, "en")
        for colour, who in zip(("red", "blue", "green"), addresses, strict=True)
    ]
    with session(engine) as opened:
        game = create(
            opened,
            BEGIN,
            ruleset=rules,
            options=chosen,
            seats=seats,
            language="en",
            entropy=bytes,
        )
        open_game(opened, HOUSE, game, BEGIN, inviter="", start=start)
        return engine, game.id


def written(engine: Engine, game_id: int) -> list[tuple[str, str]]:
    with session(engine) as opened:
        rows = outbox.letters_to(opened, game_id)
    return sorted((letter.kind, letter.to_address) for letter in rows)


def test_who_does_not_answer_the_invitation_is_asked_again_and_the_gm_told() -> None:
    engine, game_id = new_game("a@people.example", "b@people.example", None, start=False)
    asked = [("invitation", "a@people.example"), ("invitation", "b@people.example")]
    assert written(engine, game_id) == asked
    with session(engine) as opened:
        game = games.find(opened, game_id)
        assert game is not None
        assert game.deadline is not None
        now = game.deadline + deadline.SETTLING
    for _ in range(2):
        assert (APPLY_DUE, game_id) in swept(engine, now) or written(engine, game_id) != asked
        drain(engine, HOUSE, game_id, lambda: now)
    assert written(engine, game_id) == sorted([*asked, *asked, ("note", GM)])


def test_computers_play_among_themselves_but_not_without_a_pause() -> None:
    engine, game_id = new_game(None, None, None, start=True)
    assert thinking.think(engine, game_id, BEGIN)
    assert not thinking.think(engine, game_id, BEGIN), "the same step has one text"
    assert drain(engine, HOUSE, game_id, lambda: BEGIN), "more is left than one go may do"
    with session(engine) as opened:
        game = games.find(opened, game_id)
        assert game is not None
        assert game.turn > 3
        assert game.deadline is None
        failed = boxes.mails(opened, [InboxStatus.DEAD, InboxStatus.IGNORED], game_id)
        played = boxes.mails(opened, [InboxStatus.DONE], game_id)
    assert failed == []
    assert {row.result for row in played} == {"done"}
    assert written(engine, game_id) == []


def test_letters_that_nobody_took_up_are_hinted_again_with_growing_pauses(desk: Desk) -> None:
    desk.say("A", "help")
    hinted = []
    for seconds in range(60):
        for name, _number in swept(desk.engine, desk.now + seconds * SECOND):
            hinted += [seconds] if name == SEND else []
    pauses = [later - earlier for earlier, later in pairwise(hinted)]
    assert 2 <= len(hinted) < 12
    assert pauses == sorted(pauses)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("Traceback ...:\n  File x\n    f()\nKeyError: 'a hand'\n", "KeyError"),
        (
            "Traceback ...:\n  File x\ndb.Locked: no\n[SQL: UPDATE]\n(Background: y)",
            "db.Locked",
        ),
        ("no-answer", "no-answer"),
        ("", "crashed"),
        (None, "crashed"),
    ],
)
def test_of_an_error_only_its_kind_is_told(error: str | None, kind: str) -> None:
    assert kind_of(error) == kind


def test_a_letter_that_cannot_be_composed_is_given_up_and_the_gm_told(desk: Desk) -> None:
    post = dispatch.Post(None, (HOUR,), HOUR)
    with session(desk.engine) as opened:
        ballad = outbox.NewLetter("k", "ballad", "<k@x>", "a@people.example", desk.id, "A")
        [number] = outbox.enqueue(opened, [ballad], desk.now)
    for _ in range(dispatch.MOST_COMPOSINGS + 1):
        assert not dispatch.send(desk.engine, HOUSE, post, number, lambda: desk.now)
        desk.now += 2 * HOUR
    with session(desk.engine) as opened:
        failed = outbox.find(opened, number)
    assert failed is not None
    assert (failed.status, failed.attempts) == (OutboxStatus.FAILED, dispatch.MOST_COMPOSINGS)
    [note] = desk.letters(GM)
    assert "ballad, AssertionError" in note.words
