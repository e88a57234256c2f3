"""How often somebody may ask for work, in one process: kept in memory and forgotten with it."""

from collections import deque
from collections.abc import Hashable
from datetime import datetime, timedelta
from threading import Lock


class Allowance:
    """So many times in a span of time, for each who asks. Threads may share it."""

    def __init__(self, most: int, span: timedelta) -> None:
        self._most = most
        self._span = span
        self._taken: dict[Hashable, deque[datetime]] = {}
        self._lock = Lock()

    def take(self, whose: Hashable, now: datetime) -> bool:
        """Whether they may once more; counts it if so."""
        with self._lock:
            self._forget(now - self._span)
            taken = self._taken.setdefault(whose, deque())
            if len(taken) >= self._most:
                return False
            taken.append(now)
            return True

    def _forget(self, before: datetime) -> None:
        for taken in self._taken.values():
            while taken and taken[0] <= before:
                taken.popleft()
        self._taken = {whose: taken for whose, taken in self._taken.items() if taken}
