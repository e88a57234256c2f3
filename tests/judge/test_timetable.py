"""When a turn ends: paces, clock times, weekends, open hours and changes to summer time."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from pbem.judge.choosing import OptionError, choose
from pbem.judge.options import Options
from pbem.judge.timetable import Timetable, parse_days, parse_hours, parse_times

H = 3600
ROME = "Europe/Rome"
WEEK = parse_days("mon-fri")


def rome(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(ROME)).astimezone(UTC)


# 2026-03-29 is the Sunday on which Rome skips 02:00-03:00, 2026-10-25 the one that has it twice.
@pytest.mark.parametrize(
    ("table", "now", "end"),
    [
        # a pace counts real hours, over a change to summer time too
        (Timetable(48 * H), "2026-01-05 12:00", "2026-01-07 12:00"),
        (Timetable(24 * H), "2026-03-28 12:00", "2026-03-29 13:00"),
        (Timetable(24 * H), "2026-10-24 12:00", "2026-10-25 11:00"),
        (Timetable(24 * H, grace=H), "2026-01-05 12:00", "2026-01-06 13:00"),
        # hours of a weekend do not count
        (Timetable(24 * H, days=WEEK), "2026-01-08 20:00", "2026-01-09 20:00"),
        (Timetable(24 * H, days=WEEK), "2026-01-09 20:00", "2026-01-12 20:00"),
        (Timetable(4 * H, days=WEEK), "2026-01-09 20:00", "2026-01-10 00:00"),
        (Timetable(24 * H, days=WEEK), "2026-01-10 20:00", "2026-01-13 00:00"),
        (Timetable(48 * H, days=WEEK), "2026-03-27 20:00", "2026-03-31 20:00"),
        # an end outside of the hours moves to the next open moment
        (Timetable(48 * H, hours=(8, 22)), "2026-01-05 12:00", "2026-01-07 12:00"),
        (Timetable(48 * H, hours=(8, 22)), "2026-01-05 22:00", "2026-01-07 22:00"),
        (Timetable(48 * H, hours=(8, 22)), "2026-01-05 23:00", "2026-01-08 08:00"),
        (Timetable(48 * H, hours=(8, 22)), "2026-01-05 06:00", "2026-01-07 08:00"),
        (Timetable(24 * H, hours=(8, 22), days=WEEK), "2026-01-08 23:00", "2026-01-12 08:00"),
        # clock times, the least gap after the call, and days
        (Timetable(0, at=(20 * 60,)), "2026-01-05 12:00", "2026-01-05 20:00"),
        (Timetable(0, at=(20 * 60,)), "2026-01-05 20:00", "2026-01-05 20:00"),
        (Timetable(0, at=(20 * 60,), gap=12 * H), "2026-01-05 12:00", "2026-01-06 20:00"),
        (Timetable(0, at=(8 * 60, 20 * 60), gap=H), "2026-01-05 19:30", "2026-01-06 08:00"),
        (Timetable(0, at=(20 * 60,), gap=H, days=WEEK), "2026-01-09 19:30", "2026-01-12 20:00"),
        (Timetable(0, at=(20 * 60,), gap=H), "2026-03-28 19:30", "2026-03-29 20:00"),
        # a clock time that is skipped is after the skip, of one that comes twice the second counts
        (Timetable(0, at=(150,)), "2026-03-28 12:00", "2026-03-29 03:30"),
        (Timetable(0, at=(150,)), "2026-03-29 12:00", "2026-03-30 02:30"),
    ],
)
def test_the_end_of_a_turn(table: Timetable, now: str, end: str) -> None:
    there = Timetable(
        table.pace, table.grace, table.days, table.hours, table.at, table.gap, zone=ROME
    )
    assert there.ends(rome(now)) == rome(end)


def test_of_a_time_that_comes_twice_the_second_is_meant() -> None:
    table = Timetable(0, at=(150,), zone=ROME)
    assert table.ends(rome("2026-10-24 12:00")) == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


def test_a_turn_never_ends_where_it_may_not() -> None:
    """Every hour of a year, with both changes to summer time in it."""
    table = Timetable(31 * H, days=WEEK, hours=(9, 21), zone=ROME)
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    before = begin
    for hours in range(365 * 24):
        now = begin + timedelta(hours=hours)
        end = table.ends(now)
        local = end.astimezone(ZoneInfo(ROME))
        assert local.weekday() in WEEK
        assert 9 <= local.hour + local.minute / 60 <= 21
        assert end >= max(before, now + timedelta(hours=31))
        before = end


@pytest.mark.parametrize(
    ("text", "days"),
    [("mon-sun", range(7)), ("mon-fri", range(5)), ("Sat, Sun", (5, 6)), ("fri-mon", (0, 4, 5, 6))],
)
def test_days_are_read(text: str, days: range) -> None:
    assert parse_days(text) == tuple(days)


def test_hours_and_times_are_read() -> None:
    assert (parse_hours("8-22"), parse_hours("0 - 24")) == ((8, 22), (0, 24))
    assert parse_times("20:00, 8.30") == (510, 1200)


@pytest.mark.parametrize(
    ("changes", "pace", "says"),
    [
        ({"days": "mon-xyz"}, None, "days: not days of the week: 'mon-xyz'"),
        ({"hours": "22-8"}, None, "hours: not hours of a day, the earlier first"),
        ({"at": "25:00"}, None, "at: not times of a day"),
        ({"at": "20:00"}, "24h", "pace: turns of this game end at clock times"),
        ({"at": "20:00", "hours": "8-18"}, None, "hours: the clock times of at lie outside"),
        ({"gap": "6h"}, None, "gap: it is the least time before a clock time"),
        ({"session": "48h"}, None, "session: a turn that ends after its pace anyway"),
        ({"stalled": "24h"}, "48h", "stalled: it is no longer than a turn"),
        ({"setup_pace": "0s"}, None, "setup_pace: the lists need some time"),
        ({"pace": "0s"}, None, "pace: a turn needs some time"),
        ({"late_after": "9"}, None, "late_after: can be a number from 0 to 5"),
        ({"round_limit": "0"}, None, "round_limit: can be a number from 1"),
        ({"vacant": "nobody"}, None, "vacant: can be computer or neutral or gm or replacement"),
        ({"zone": "Rome"}, None, "zone: 'Rome' is no time zone"),
        ({"away_shown": "maybe"}, None, "away_shown: can be no or yes"),
        ({"nonsense": "1"}, None, "no option is called 'nonsense'"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused_by_name(
    changes: dict[str, str], pace: str | None, says: str
) -> None:
    with pytest.raises(OptionError) as refused:
        choose("classic-1993", changes, pace=pace, remind=())
    assert str(refused.value).startswith(says)


def test_a_neutral_seat_would_end_a_game_of_two() -> None:
    with pytest.raises(OptionError, match="vacant: with two players"):
        choose("two-player-2015", {"vacant": "neutral"}, pace=None, remind=())


def test_options_read_back_from_the_store() -> None:
    changes = {
        "days": "mon-fri",
        "hours": "8-22",
        "at": "20:00",
        "gap": "12h",
        "setup_pace": "72h",
        "late_after": "1",
        "vacant": "neutral",
        "time_bank": "24h",
        "round_limit": "12",
        "stalled": "0s",
        "session": "3h",
    }
    _, options = choose("classic-1993", changes, pace=None, remind=["24h", "3h"])
    assert Options.from_json(options.as_json()) == options
    assert Options.from_json({"pace": 60, "remind": [30]}).timetable.pace == 60
    assert options.stale_after is None
    assert Options().stale_after == timedelta(days=28)
