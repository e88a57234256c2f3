"""Spans of time as people write them."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.judge.duration import duration_text, parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("5m", 300), ("48h", 172_800), ("2d", 172_800), ("1d12h", 129_600), ("0s", 0)],
)
def test_it_reads_seconds_minutes_hours_and_days(text: str, seconds: int) -> None:
    assert parse_duration(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["", "5", "h", "5 weeks", "-5m", "1.5h", "3651d", "5mm"])
def test_it_reads_nothing_else(text: str) -> None:
    with pytest.raises(ValueError, match="span of time"):
        parse_duration(text)


@given(st.integers(min_value=0, max_value=3_650 * 86_400))
def test_what_is_written_reads_back(seconds: int) -> None:
    span = timedelta(seconds=seconds)
    assert parse_duration(duration_text(span)) == span
