"""Hints to the workers: "look at this row". A hint may be lost, the sweep finds its row anyway."""

import logging
from collections.abc import Callable
from typing import Any

from kombu.exceptions import KombuError
from redis.exceptions import RedisError

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
