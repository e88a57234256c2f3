"""Group commit: many arrivals, few transactions, each waiting for its own."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Engine, event
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlmodel import Session, col, func, select

from pbem.store import committer as committing
from pbem.store import groups, inbox
from pbem.store.committer import CommitterClosedError, GroupCommitter
from pbem.store.engine import session
from pbem.store.inbox import Delivery
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
        await asyncio.gather(*(committer.add([mail(f"k{n}")]) for n in range(200)))
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
    monkeypatch.setattr(groups, "sleep", lambda _seconds: rested.wait(10))
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
        await adding
    with session(engine) as opened:
        assert stored(opened) == 1


async def test_whoever_is_told_hears_of_each_transaction_once_and_of_nothing_too_early(
    engine: Engine, game: Game, mail: MakeMail
) -> None:
    told: list[list[str | None]] = []

    def hear(deliveries: Sequence[Delivery]) -> None:
        with session(engine) as opened:
            rows = [inbox.find_key(opened, each.dedupe_key) for each in deliveries]
        told.append([row.seat for row in rows if row is not None])

    with GroupCommitter(engine, hear) as committer:
        await committer.add([mail("a", seat="A"), mail("b", seat="B")])
        with writer_held(engine) as go:
            gone = asyncio.ensure_future(committer.add([mail("c", seat="C")]))
            await asyncio.sleep(0)
            gone.cancel()
            assert told == [["A", "B"]]
            go.set()
    assert told == [["A", "B"], ["C"]], "nobody waited for the last one, and yet it came"


async def test_the_same_mail_from_two_connections_at_once_is_one_row(
    engine: Engine, game: Game, mail: MakeMail
) -> None:
    with GroupCommitter(engine) as committer:
        await asyncio.gather(*(committer.add([mail("k")]) for _ in range(8)))
    with session(engine) as opened:
        assert stored(opened) == 1


async def test_a_client_that_has_gone_does_not_take_its_mail_along(
    engine: Engine, game: Game, mail: MakeMail
) -> None:
    with GroupCommitter(engine) as committer, writer_held(engine) as go:
        gone = asyncio.ensure_future(committer.add([mail("gone")]))
        await asyncio.sleep(0.05)
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        go.set()
    with session(engine) as opened:
        assert stored(opened) == 1


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
        await committer.add([mail("k0")])
    with session(engine) as opened:
        assert stored(opened) == 1, "the refused ones were rolled back"


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
        await committer.add([mail("small", raw=b"")])
        room["pages"] = 1_000_000
        await committer.add([big])
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
    await adding
    with session(engine) as opened:
        assert stored(opened) == 1
    with pytest.raises(CommitterClosedError):
        await committer.add([mail("late")])
