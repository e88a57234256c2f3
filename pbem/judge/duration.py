"""Spans of time as people write them: `48h`, `1d12h`, `90s`, `0s`."""

import re
from datetime import timedelta

_UNITS = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
_PART = re.compile(r"(\d{1,9})([dhms])")
_LONGEST = 3_650 * 86_400
_WHOLE = re.compile(r"(?:\d{1,9}[dhms])+")


def parse_duration(text: str) -> timedelta:
    """Read whole numbers with the units s, m, h and d, one or several in a row.

    Raises ValueError when a number has no unit, a unit is unknown, or the span is longer than ten
    years: adding it to a date must never fail.
    """
    squeezed = text.strip().lower().replace(" ", "")
    if not _WHOLE.fullmatch(squeezed):
        raise ValueError(f"not a span of time: {text!r} (write 90s, 5m, 48h, 2d or 1d12h)")
    seconds = sum(int(number) * _UNITS[unit] for number, unit in _PART.findall(squeezed))
    if seconds > _LONGEST:
        raise ValueError(f"too long a span of time: {text!r}")
    return timedelta(seconds=seconds)


def duration_text(span: timedelta) -> str:
    """Write a span of whole seconds in the form that `parse_duration` reads: `1d12h`, `0s`."""
    left = int(span.total_seconds())
    parts: list[str] = []
    for unit, size in _UNITS.items():
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"
