"""Group commit: many arrivals, few transactions, each waiting for its own."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Engine, event
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlmodel import Session, col, func, select

from pbem.store import committer as committing
from pbem.store.committer import CommitterClosedError, GroupCommitter
from pbem.store.engine import session
from pbem.store.inbox import Arrived
from pbem.store.tables import Game, Inbox
from tests.store.conftest import MakeMail


def stored(opened: Session) -> int:
    return opened.exec(select(func.count(col(Inbox.id)))).one()


@contextmanager
def writer_held(engine: Engine) -> Iterator[threading.Event]:
    """Commits wait until the event is set, so that arrivals gather behind the first."""
    go = threading.Event()

    def wait(_connection: object) -> None:
        go.wait(10)

    event.listen(engine, "commit", wait)
    yield go
    go.set()


async def test_200_arrivals_at_once_are_all_stored_in_few_transactions(
    engine: Engine, game: Game, mail: MakeMail
) -> None:
    commits: list[object] = []
    event.listen(engine, "commit", commits.append)
    with GroupCommitter(engine) as committer:
        receipts = await asyncio.gather(*(committer.add([mail(f"k{n}")]) for n in range(200)))
    assert len({receipt.inbox_id for [receipt] in receipts}) == 200
    assert all(receipt.arrived is Arrived.NEW for [receipt] in receipts)
    assert len(commits) < 20
    with session(engine) as opened:
        assert stored(opened) == 200


async def test_what_comes_right_behind_a_transaction_gathers_for_the_next(
    engine: Engine, game: Game, mail: MakeMail, monkeypatch: pytest.MonkeyPatch
) -> None:
    commits: list[object] = []
    event.listen(engine, "commit", commits.append)
    rested = threading.Event()
    monkeypatch.setattr(committing, "BREATH", 3600.0)
    monkeypatch.setattr(committing, "sleep", lambda _seconds: rested.wait(10))
    with GroupCommitter(engine) as committer:
        await committer.add([mail("alone")])
        rest = [asyncio.ensure_future(committer.add([mail(f"k{n}")])) for n in range(5)]
        await asyncio.sleep(0.05)
        assert len(commits) == 1
        rested.set()
        await asyncio.gather(*rest)
    assert len(commits) == 2


async def test_it_answers_only_after_the_commit(engine: Engine, game: Game, mail: MakeMail) -> None:
    with GroupCommitter(engine) as committer, writer_held(engine) as go:
        adding = asyncio.ensure_future(committer.add([mail("k")]))
        done, _ = await asyncio.wait([adding], timeout=0.2)
        assert not done
        go.set()
        [receipt] = await adding
    with session(engine) as opened:
        assert opened.get(Inbox, receipt.inbox_id) is not None


async def test_one_mail_to_two_seats_gets_two_receipts_in_order(
    engine: Engine, game: Game, mail: MakeMail
) -> None:
    with GroupCommitter(engine) as committer:
        first, second = await committer.add([mail("a", seat="A"), mail("b", seat="B")])
    with session(engine) as opened:
        seats = [opened.get_one(Inbox, r.inbox_id).seat for r in (first, second)]
    assert seats == ["A", "B"]


async def test_the_same_mail_from_two_connections_at_once_is_one_row(
    engine: Engine, game: Game, mail: MakeMail
) -> None:
    with GroupCommitter(engine) as committer:
        receipts = await asyncio.gather(*(committer.add([mail("k")]) for _ in range(8)))
    arrived = [receipt.arrived for [receipt] in receipts]
    assert sorted(arrived) == ["duplicate"] * 7 + ["new"]


async def test_a_client_that_has_gone_does_not_take_its_mail_along(
    engine: Engine, game: Game, mail: MakeMail
) -> None:
    with GroupCommitter(engine) as committer:
        with writer_held(engine) as go:
            gone = asyncio.ensure_future(committer.add([mail("gone")]))
            await asyncio.sleep(0.05)
            gone.cancel()
            with pytest.raises(asyncio.CancelledError):
                await gone
            go.set()
        [receipt] = await committer.add([mail("gone")])
    assert receipt.arrived is Arrived.DUPLICATE


async def test_one_arrival_that_does_not_fit_fails_alone(
    engine: Engine, game: Game, mail: MakeMail
) -> None:
    with GroupCommitter(engine) as committer:
        with writer_held(engine) as go:
            first = asyncio.ensure_future(committer.add([mail("first")]))
            await asyncio.sleep(0.05)
            rest = [
                asyncio.ensure_future(committer.add([mail(f"k{n}", game_id=1 if n != 3 else 77)]))
                for n in range(6)
            ]
            await asyncio.sleep(0.05)
            go.set()
            outcomes = await asyncio.gather(first, *rest, return_exceptions=True)
        failed = [n for n, outcome in enumerate(outcomes) if isinstance(outcome, DBAPIError)]
    assert failed == [4]
    with session(engine) as opened:
        assert stored(opened) == 6


async def test_a_database_that_refuses_is_an_error_for_each_and_the_next_works(
    engine: Engine, game: Game, mail: MakeMail
) -> None:
    is_full = True

    def refuse(*_: object) -> None:
        if is_full:
            raise OperationalError("INSERT", {}, Exception("disk full"))

    event.listen(engine, "after_cursor_execute", refuse)
    with GroupCommitter(engine) as committer:
        outcomes = await asyncio.gather(
            *(committer.add([mail(f"k{n}")]) for n in range(3)), return_exceptions=True
        )
        assert [type(outcome) for outcome in outcomes] == [OperationalError] * 3
        is_full = False
        [receipt] = await committer.add([mail("k0")])
    assert receipt.arrived is Arrived.NEW, "the refused one was rolled back"


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
async def test_a_full_disk_takes_nothing_and_loses_nothing(
    engine: Engine, game: Game, mail: MakeMail
) -> None:
    """No simulation: the database file may not grow by a single page."""
    room = {"pages": 1}  # SQLite takes what is there already for the least

    def bound(connection: Any, *_: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {room['pages']}").close()

    event.listen(engine, "checkout", bound)
    big = mail("big", raw=bytes(100_000))
    with GroupCommitter(engine) as committer:
        with pytest.raises(OperationalError, match="full"):
            await committer.add([big])
        [small] = await committer.add([mail("small", raw=b"")])
        room["pages"] = 1_000_000
        [receipt] = await committer.add([big])
    assert (small.arrived, receipt.arrived) == (Arrived.NEW, Arrived.NEW)
    with session(engine) as opened:
        assert stored(opened) == 2


async def test_closing_commits_what_was_accepted_and_takes_nothing_more(
    engine: Engine, game: Game, mail: MakeMail
) -> None:
    committer = GroupCommitter(engine)
    adding = asyncio.ensure_future(committer.add([mail("k")]))
    await asyncio.sleep(0)
    committer.close()
    committer.close()
    [receipt] = await adding
    assert receipt.arrived is Arrived.NEW
    with pytest.raises(CommitterClosedError):
        await committer.add([mail("late")])
