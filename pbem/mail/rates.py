"""How many mails an hour: counts by name, in the memory of one process.

A restart forgets them, which is no harm: whoever sends too much is over the limit again at once.
"""

from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime, timedelta

WINDOW = timedelta(hours=1)
MOST_NAMES = 50_000
"""So many names are remembered; beyond that the one that was quiet for longest is forgotten."""


class Rates:
    """Counts that run out slowly: each name may do `most` an hour, in a burst or spread."""

    def __init__(self, most: int) -> None:
        self._most = most
        # What stands against a name, and when that was reckoned; it melts by `most` an hour.
        self._levels: OrderedDict[str, tuple[float, datetime]] = OrderedDict()

    def take(self, names: Sequence[str], now: datetime) -> bool:
        """Count one against each name; False, and nothing is counted, if one of them is full."""
        if self._most <= 0:
            return True
        levels = [self._level(name, now) for name in names]
        if any(level + 1 > self._most for level in levels):
            return False
        for name, level in zip(names, levels, strict=True):
            self._levels[name] = (level + 1, now)
            self._levels.move_to_end(name)
        while len(self._levels) > MOST_NAMES:
            self._levels.popitem(last=False)
        return True

    def _level(self, name: str, now: datetime) -> float:
        level, reckoned = self._levels.get(name, (0.0, now))
        return max(0.0, level - self._most * ((now - reckoned) / WINDOW))
