"""Group commit: mails that arrive at once are made durable by one transaction."""

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable, Sequence

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError, OperationalError

from pbem.store import inbox
from pbem.store.engine import session
from pbem.store.groups import groups
from pbem.store.inbox import Delivery

Stored = Callable[[Sequence[Delivery]], None]
"""Told in the writer's thread what has become durable, once for each transaction."""

MOST_AT_ONCE = 256
"""Arrivals in one transaction at most."""

BREATH = 0.006
"""Seconds from one transaction's begin to the next one's at least."""


class CommitterClosedError(RuntimeError):
    """The committer takes nothing more: the process is about to end."""


class _Arrival:
    """Deliveries of one mail, and who waits for their commit."""

    def __init__(self, deliveries: Sequence[Delivery]) -> None:
        self.deliveries = tuple(deliveries)
        self.loop = asyncio.get_running_loop()
        self.committed: asyncio.Future[None] = self.loop.create_future()


def _nobody_is_told(_deliveries: Sequence[Delivery]) -> None:
    pass


class GroupCommitter:
    """One writer thread for the inbox; whatever waits while it commits goes into its next commit.

    Use it as a context manager; leaving it commits what was accepted and ends the thread. `stored`
    must not raise, nor wait for long.
    """

    def __init__(self, engine: Engine, stored: Stored = _nobody_is_told) -> None:
        self._engine = engine
        self._stored = stored
        self._arrivals: queue.SimpleQueue[_Arrival | None] = queue.SimpleQueue()
        self._gate = threading.Lock()
        self._closed = False
        self._writer = threading.Thread(target=self._write, name="inbox-writer", daemon=True)
        self._writer.start()

    def __enter__(self) -> "GroupCommitter":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, deliveries: Sequence[Delivery]) -> "asyncio.Future[None]":
        """Done once the deliveries are durable; raises what the database raised.

        Cancelling it, as when the client has gone, does not cancel the insert. A future and no
        coroutine, because a task for each mail would cost as much as all commands of its session.
        """
        arrival = _Arrival(deliveries)
        self._accept(arrival)
        return arrival.committed

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
        for batch in groups(self._arrivals, BREATH, MOST_AT_ONCE):
            self._commit(batch)

    def _commit(self, batch: list[_Arrival]) -> None:
        try:
            self._store(batch)
        except OperationalError as error:
            # No database, or no room: it would fail for each of them.
            _tell(batch, error)
        except DBAPIError as error:
            if len(batch) == 1:
                _tell(batch, error)
                return
            # One of them does not fit; it must not take the others with it.
            for arrival in batch:
                self._commit([arrival])
        except Exception as error:
            _tell(batch, error)

    def _store(self, batch: list[_Arrival]) -> None:
        with session(self._engine) as opened:
            everything = [delivery for arrival in batch for delivery in arrival.deliveries]
            inbox.add(opened, everything)
        self._stored(everything)
        _tell(batch)


def _tell(batch: Sequence[_Arrival], error: Exception | None = None) -> None:
    """Wakes each event loop once, for all of its arrivals."""
    for loop in {arrival.loop for arrival in batch}:
        own = [arrival for arrival in batch if arrival.loop is loop]
        with contextlib.suppress(RuntimeError):  # a loop that was closed waits for nothing
            loop.call_soon_threadsafe(_settle, own, error)


def _settle(arrivals: Sequence[_Arrival], error: Exception | None) -> None:
    """In the event loop. Where the client has gone nobody waits any more."""
    for arrival in arrivals:
        if arrival.committed.done():
            continue
        if error is not None:
            arrival.committed.set_exception(error)
        else:
            arrival.committed.set_result(None)
