"""Whether the parts of the service are up: what `/readyz` asks.

Worker and sweep leave a heartbeat in the broker, a key that expires by itself; the rest is asked
directly. Every check is cheap and answers within about a second.
"""

import socket
from collections.abc import Callable
from contextlib import suppress

import redis

from pbem.embedded.broker import answers, connect
from pbem.settings import Listen

BEAT_EVERY = 2.0  # seconds
_OUTLIVES = 4  # missed beats until a role counts as gone

Check = Callable[[], bool]


def beat(broker_url: str, role: str, every: float = BEAT_EVERY) -> None:
    """Leave the heartbeat of a role that beats every `every` seconds. A broker that is away is no
    reason to fail: then there is no heartbeat, which is the truth."""
    with suppress(redis.RedisError, OSError), connect(broker_url) as client:
        client.set(_key(role), "up", px=int(max(every, BEAT_EVERY) * _OUTLIVES * 1000))


def beats(broker_url: str, role: str) -> bool:
    """Whether a role has left a heartbeat of late."""
    try:
        with connect(broker_url) as client:
            return bool(client.exists(_key(role)))
    except (redis.RedisError, OSError):
        return False


def _key(role: str) -> str:
    return f"pbem:alive:{role}"


def accepts(listen: Listen, timeout: float = 1.0) -> bool:
    """Whether something accepts connections at an address; an open one is asked on loopback."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(listen.host, listen.host)  # noqa: S104
    try:
        with socket.create_connection((host, listen.port), timeout):
            return True
    except OSError:
        return False


def service_checks(
    broker_url: str | None, smtp_accepts: Check | None, migrated: Check
) -> dict[str, Check]:
    """The checks of readiness, by the reason to give when one fails.

    `smtp_accepts` is None where SMTP is another process, which then leaves a heartbeat, too.
    `migrated` tells whether the database has this version's tables.
    """
    url = broker_url or ""

    def beating(role: str) -> Check:
        return lambda: bool(url) and beats(url, role)

    return {
        "SMTP does not accept": smtp_accepts or beating("smtp"),
        "the database is not migrated": migrated,
        "the broker does not answer": lambda: bool(url) and answers(url),
        "no worker is up": beating("worker"),
        "no sweep is up": beating("sweep"),
    }
