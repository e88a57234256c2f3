"""What the sweep finds, and that it does not call for the same row without a pause."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlalchemy import Engine

from pbem.store import due, games, inbox, outbox
from pbem.store.due import IdleComputer
from pbem.store.engine import session
from pbem.store.hints import FIRST_HINT, STEPS
from pbem.store.tables import Game, Inbox, InboxStatus, Source
from tests.store.conftest import MakeLetter, MakeMail, NewGame

SECOND = timedelta(seconds=1)


def change(engine: Engine, number: int, **values: object) -> None:
    with session(engine) as opened:
        locked = games.lock(opened, number)
        for name, value in values.items():
            setattr(locked, name, value)


@pytest.mark.parametrize(
    ("column", "find"), [("deadline", due.deadlines), ("next_reminder_at", due.reminders)]
)
def test_running_games_are_due_from_their_moment_on(
    engine: Engine,
    deal: NewGame,
    noon: datetime,
    column: str,
    find: Callable[..., list[due.DueGame]],
) -> None:
    for _ in range(5):
        deal()
    change(engine, 1, **{column: noon})
    change(engine, 2, **{column: noon - SECOND})
    change(engine, 3, **{column: noon, "paused_at": noon})
    change(engine, 4, **{column: noon, "over_at": noon})
    with session(engine) as opened:
        assert [found.game_id for found in find(opened, noon - SECOND)] == [2]
        found = find(opened, noon)
        assert [game.game_id for game in found] == [2, 1], "5 has no such moment"
        assert found[1] == due.DueGame(1, turn=1, step=0, on_turn="A", phase="attack", at=noon)
        assert len(find(opened, noon, limit=1)) == 1


def test_a_computer_on_turn_without_orders_is_idle(
    engine: Engine, game: Game, mail: MakeMail, noon: datetime
) -> None:
    with session(engine) as opened:
        assert due.computers(opened) == [], "Anna is on turn"
    change(engine, 1, on_turn="C", turn=3, step=2)
    with session(engine) as opened:
        assert due.computers(opened) == [IdleComputer(1, "C", turn=3, step=2)]
        written = mail("computer", source=Source.COMPUTER, seat="C", turn=3, step=2)
        [receipt] = inbox.add(opened, [written])
        assert due.computers(opened) == []
        inbox.mark(opened, receipt.inbox_id, InboxStatus.DONE, noon)
        assert due.computers(opened) == [], "the step would have risen"
    change(engine, 1, step=3)
    with session(engine) as opened:
        assert due.computers(opened) == [IdleComputer(1, "C", turn=3, step=3)]


def test_a_computer_without_a_list_is_idle_in_the_setup(
    engine: Engine, game: Game, mail: MakeMail, noon: datetime
) -> None:
    change(engine, 1, on_turn=None, turn=0, step=1, phase="invited")
    with session(engine) as opened:
        assert due.computers(opened) == [], "nobody may write a list before all are there"
    change(engine, 1, phase="claim")
    with session(engine) as opened:
        assert due.computers(opened) == [IdleComputer(1, "C", turn=0, step=1)]
        inbox.add(opened, [mail("list", source=Source.COMPUTER, seat="C", turn=0, step=1)])
        assert due.computers(opened) == []


@pytest.mark.parametrize("column", ["paused_at", "over_at"])
def test_a_computer_of_a_resting_game_is_not_idle(
    engine: Engine, game: Game, noon: datetime, column: str
) -> None:
    change(engine, 1, on_turn="C", **{column: noon})
    with session(engine) as opened:
        assert due.computers(opened) == []


def test_a_row_that_nobody_plays_is_hinted_at_with_growing_pauses(
    engine: Engine, game: Game, mail: MakeMail, noon: datetime
) -> None:
    with session(engine) as opened:
        inbox.add(opened, [mail("k"), mail("held", status=InboxStatus.HELD)])
    pauses = []
    now = noon
    for _ in range(len(STEPS) + 2):
        begun = now
        while not hint(engine, now):
            now += SECOND
        pauses.append(now - begun)
    assert pauses == [FIRST_HINT, *STEPS, STEPS[-1]]


def hint(engine: Engine, now: datetime) -> bool:
    """Whether the sweep calls for the one row that waits, at this moment."""
    with session(engine) as opened:
        rows = due.unplayed(opened, now)
        due.hinted(opened, rows, now)
    assert [(row.box, row.id, row.game_id) for row in rows] in ([], [(Inbox, 1, 1)])
    return bool(rows)


def test_a_claimed_row_is_left_alone_until_its_claim_ends(
    engine: Engine, game: Game, mail: MakeMail, noon: datetime
) -> None:
    with session(engine) as opened:
        [receipt] = inbox.add(opened, [mail("k")])
    claimed_at = noon + FIRST_HINT
    inbox.count_attempt(engine, receipt.inbox_id, claimed_at)
    with session(engine) as opened:
        assert due.unplayed(opened, claimed_at + inbox.CLAIM - SECOND) == []
        assert len(due.unplayed(opened, claimed_at + inbox.CLAIM)) == 1


def test_letters_that_wait_or_were_left_in_the_middle_are_unsent(
    engine: Engine, game: Game, letter: MakeLetter, noon: datetime
) -> None:
    lease = timedelta(minutes=1)
    with session(engine) as opened:
        waiting, left, sent = outbox.enqueue(
            opened, [letter("waiting"), letter("left"), letter("sent")], noon
        )
        outbox.claim(opened, [left], noon, lease)
        outbox.mark_sent(opened, sent, noon)
        assert due.unsent(opened, noon) == [], "their doors have just called for them"
        rows = due.unsent(opened, noon + FIRST_HINT)
        assert [row.id for row in rows] == [waiting]
        due.hinted(opened, rows, noon + FIRST_HINT)
        assert due.unsent(opened, noon + FIRST_HINT) == []
        assert {row.id for row in due.unsent(opened, noon + lease)} == {waiting, left}


def test_a_hint_does_not_hold_back_the_attempt_that_it_calls_for(
    engine: Engine, game: Game, letter: MakeLetter, mail: MakeMail, noon: datetime
) -> None:
    now = noon + FIRST_HINT
    with session(engine) as opened:
        [written] = outbox.enqueue(opened, [letter("k")], noon)
        [receipt] = inbox.add(opened, [mail("k")])
        due.hinted(opened, [*due.unsent(opened, now), *due.unplayed(opened, now)], now)
    with session(engine) as opened:
        assert outbox.claim(opened, [written], now, SECOND)
    assert inbox.count_attempt(engine, receipt.inbox_id, now) == 1
