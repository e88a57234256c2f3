"""When the sweep hints at a row that waits: the broker may have lost the hint of the door."""

from datetime import datetime, timedelta

FIRST_HINT = timedelta(seconds=5)
"""How long a row may wait for the worker that its door called, before the sweep calls again."""

STEPS = tuple(timedelta(seconds=seconds) for seconds in (5, 15, 60, 300))
"""The waits between the sweep's hints at one row; the last one repeats."""


def next_hint(hints: int, now: datetime) -> datetime:
    """When to hint again at a row that was hinted at so often, this time included."""
    return now + STEPS[min(hints, len(STEPS)) - 1]
