"""Hints to the workers: "look at this row". A hint may be lost, the sweep finds its row anyway."""

import logging
import queue
import threading
from collections.abc import Callable
from typing import Any

from kombu.exceptions import KombuError
from redis.exceptions import RedisError

from pbem.store.groups import groups
from workers.app import TRANSPORT_OPTIONS, make_app

log = logging.getLogger(__name__)

Hint = Callable[..., None]

# Nobody waits for a hint: without these a publisher tries for ever to reach its broker.
HINT_OPTIONS: dict[str, Any] = {
    **TRANSPORT_OPTIONS,
    "socket_timeout": 2,
    "max_retries": 0,
    "interval_start": 0,
    "interval_step": 0,
    "interval_max": 0,
    "connect_retries_timeout": 1,
}


def hints(broker_url: str | None) -> Hint:
    """The publisher `hint(name, *ids)`: a task by its name with row ids as arguments.

    It never raises and waits two seconds at the longest. Without a broker it does nothing.
    """
    if broker_url is None:
        return _no_hint
    app = make_app(broker_url, tasks=(), transport_options=HINT_OPTIONS)

    def hint(name: str, *ids: object) -> None:
        try:
            app.send_task(name, args=ids, retry=False, ignore_result=True)
        except (KombuError, RedisError, OSError) as error:
            log.warning("no hint for %s %s: %s", name, ids, error)

    return hint


def _no_hint(name: str, *ids: object) -> None:
    log.debug("no broker for the hint %s %s", name, ids)


class BackgroundHints:
    """A publisher for an event loop, which must not wait: a thread hands the hints on.

    A hint that waits already says all that a second one would. What comes while `MOST_WAITING`
    hints wait for a slow broker is dropped.
    """

    MOST_WAITING = 1000
    BREATH = 0.1
    """Seconds from one round of hints to the next at least. Publishing one costs as much as taking
    a mail in, and whoever is called comes for all that has arrived by then."""

    def __init__(self, hint: Hint) -> None:
        self._hint = hint
        self._waiting: queue.Queue[tuple[object, ...] | None] = queue.Queue(self.MOST_WAITING)
        self._thread = threading.Thread(target=self._publish, name="hints", daemon=True)
        self._thread.start()

    def __call__(self, name: str, *ids: object) -> None:
        """Take a hint; returns at once."""
        try:
            self._waiting.put_nowait((name, *ids))
        except queue.Full:
            log.warning("no hint for %s %s: too many wait", name, ids)

    def close(self, patience: float = 3.0) -> None:
        """Publish what waits, for `patience` seconds at the longest."""
        try:
            self._waiting.put(None, timeout=patience)
        except queue.Full:
            return
        self._thread.join(patience)

    def _publish(self) -> None:
        for together in groups(self._waiting, self.BREATH, self.MOST_WAITING):
            for name, *ids in dict.fromkeys(together):
                self._hint(str(name), *ids)
