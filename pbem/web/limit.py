"""How often one client may ask for something: counted in this process, forgotten with it."""

import threading
from collections import OrderedDict, deque
from datetime import datetime, timedelta

_MOST_CLIENTS = 10_000


class Limit:
    """At most `most` times within a span of time, for each client by itself."""

    def __init__(self, most: int, within: timedelta) -> None:
        self._most = most
        self._within = within
        self._asked: OrderedDict[str, deque[datetime]] = OrderedDict()
        self._lock = threading.Lock()

    def allows(self, client: str, now: datetime) -> bool:
        """Whether the client may ask now; if so, it has asked."""
        with self._lock:
            times = self._asked.setdefault(client, deque())
            self._asked.move_to_end(client)
            while times and times[0] <= now - self._within:
                times.popleft()
            while len(self._asked) > _MOST_CLIENTS:
                self._asked.popitem(last=False)
            if len(times) >= self._most:
                return False
            times.append(now)
            return True
