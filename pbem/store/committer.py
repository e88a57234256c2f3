"""Group commit: mails that arrive at once are made durable by one transaction."""

import asyncio
import contextlib
import queue
import threading
from collections.abc import Iterator, Sequence
from time import monotonic, sleep

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError, OperationalError

from pbem.store import inbox
from pbem.store.engine import session
from pbem.store.inbox import Delivery, Receipt

Outcome = tuple[Receipt, ...] | Exception

MOST_AT_ONCE = 256
"""Arrivals in one transaction at most."""

BREATH = 0.006
"""Seconds from one transaction's begin to the next one's at least, so that under load more mails
share each; a mail that comes alone waits for nothing."""


class CommitterClosedError(RuntimeError):
    """The committer takes nothing more: the process is about to end."""


class _Arrival:
    """Deliveries of one mail, and who waits for their commit."""

    def __init__(self, deliveries: Sequence[Delivery]) -> None:
        self.deliveries = tuple(deliveries)
        self.loop = asyncio.get_running_loop()
        self.committed: asyncio.Future[tuple[Receipt, ...]] = self.loop.create_future()


class GroupCommitter:
    """One writer thread for the inbox; whatever waits while it commits goes into its next commit.

    Use it as a context manager; leaving it commits what was accepted and ends the thread.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._arrivals: queue.SimpleQueue[_Arrival | None] = queue.SimpleQueue()
        self._gate = threading.Lock()
        self._closed = False
        self._writer = threading.Thread(target=self._write, name="inbox-writer", daemon=True)
        self._writer.start()

    def __enter__(self) -> "GroupCommitter":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def add(self, deliveries: Sequence[Delivery]) -> tuple[Receipt, ...]:
        """Returns once the deliveries are durable; raises what the database raised.

        Cancelling the wait, as when the client has gone, does not cancel the insert.
        """
        arrival = _Arrival(deliveries)
        self._accept(arrival)
        return await arrival.committed

    def close(self) -> None:
        """Commits what was accepted, then ends the thread. Safe to call twice."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._arrivals.put(None)
        self._writer.join()

    def _accept(self, arrival: _Arrival) -> None:
        with self._gate:
            if self._closed:
                raise CommitterClosedError
            self._arrivals.put(arrival)

    def _write(self) -> None:
        for batch in self._batches():
            self._commit(batch)

    def _batches(self) -> Iterator[list[_Arrival]]:
        """What has arrived, `BREATH` behind the batch before at the soonest. Ends at the None."""
        next_at = 0.0
        while (first := self._arrivals.get()) is not None:
            if (pause := next_at - monotonic()) > 0:
                sleep(pause)
            next_at = monotonic() + BREATH
            batch = [first]
            with contextlib.suppress(queue.Empty):
                while len(batch) < MOST_AT_ONCE:
                    following = self._arrivals.get_nowait()
                    if following is None:
                        yield batch
                        return
                    batch.append(following)
            yield batch

    def _commit(self, batch: list[_Arrival]) -> None:
        try:
            self._store(batch)
        except OperationalError as error:
            # No database, or no room: it would fail for each of them.
            _refuse(batch, error)
        except DBAPIError as error:
            if len(batch) == 1:
                _refuse(batch, error)
                return
            # One of them does not fit; it must not take the others with it.
            for arrival in batch:
                self._commit([arrival])
        except Exception as error:
            _refuse(batch, error)

    def _store(self, batch: list[_Arrival]) -> None:
        with session(self._engine) as opened:
            everything = [delivery for arrival in batch for delivery in arrival.deliveries]
            receipts = iter(inbox.add(opened, everything))
        _tell([(arrival, tuple(next(receipts) for _ in arrival.deliveries)) for arrival in batch])


def _refuse(batch: list[_Arrival], error: Exception) -> None:
    _tell([(arrival, error) for arrival in batch])


def _tell(outcomes: Sequence[tuple[_Arrival, Outcome]]) -> None:
    """Wakes each event loop once, for all of its arrivals."""
    for loop in {arrival.loop for arrival, _ in outcomes}:
        own = [outcome for outcome in outcomes if outcome[0].loop is loop]
        with contextlib.suppress(RuntimeError):  # a loop that was closed waits for nothing
            loop.call_soon_threadsafe(_settle, own)


def _settle(outcomes: Sequence[tuple[_Arrival, Outcome]]) -> None:
    """In the event loop. Where the client has gone nobody waits any more."""
    for arrival, outcome in outcomes:
        if arrival.committed.done():
            continue
        if isinstance(outcome, Exception):
            arrival.committed.set_exception(outcome)
        else:
            arrival.committed.set_result(outcome)
