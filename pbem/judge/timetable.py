"""When a turn ends: after its pace, or at the next clock time, on the days that count.

A pace counts real hours, so a change to summer time neither gives nor takes any; hours of days that
do not count are passed over. A clock time is one on the wall of the game's zone: one that the wall
skips is the same time after the skip, and of one that comes twice the second is meant, so that
nobody ever has less time than was said. Outside of the game's hours nothing ends: an end that would
fall there moves to the next open moment.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
EVERY_DAY = tuple(range(7))
WHOLE_DAY = (0, 24)
_DAY = timedelta(days=1)
_TIME = re.compile(r"([01]?\d|2[0-3])[:.]([0-5]\d)")
_HOURS = re.compile(r"(\d{1,2})-(\d{1,2})")


@dataclass(frozen=True, slots=True)
class Timetable:
    """`pace`, `gap` and `grace` are seconds; `days` weekdays from 0, Monday; `hours` the first and
    the last; `at` clock times as minutes of the day: with any, `gap` counts and `pace` does not.
    """

    pace: int
    grace: int = 0
    days: tuple[int, ...] = EVERY_DAY
    hours: tuple[int, int] = WHOLE_DAY
    at: tuple[int, ...] = ()
    gap: int = 0
    zone: str = "UTC"

    def ends(self, now: datetime) -> datetime:
        """The end of what begins now, the grace included (UTC)."""
        if self.at:
            end = self._next_clock_time(now + timedelta(seconds=self.gap))
        else:
            end = self.opened(self._after(now, timedelta(seconds=self.pace)))
        return end + timedelta(seconds=self.grace)

    def again(self, moment: datetime) -> datetime:
        """The first moment from this one on at which something of this timetable may end."""
        return self._next_clock_time(moment) if self.at else self.opened(moment)

    def opened(self, moment: datetime) -> datetime:
        """The moment itself if something may end then, else the next one at which it may."""
        local = moment.astimezone(ZoneInfo(self.zone))
        first, last = self.hours
        if self.hours == WHOLE_DAY and local.time() == time(0):
            return moment  # the end of the day before
        day = local.date()
        if day.weekday() in self.days:
            opens, closes = self._wall(day, first * 60), self._wall(day, last * 60)
            if moment <= closes:
                return max(moment, opens)
        return self._wall(self._next_day(day), first * 60)

    def _after(self, now: datetime, left: timedelta) -> datetime:
        """So much time of the days that count later."""
        if len(self.days) == len(EVERY_DAY):
            return now + left
        moment, day = now, now.astimezone(ZoneInfo(self.zone)).date()
        while True:
            midnight = self._wall(day, 24 * 60)
            if day.weekday() in self.days:
                if left <= midnight - moment:
                    return moment + left
                left -= midnight - moment
            moment, day = midnight, day + _DAY

    def _next_clock_time(self, earliest: datetime) -> datetime:
        day = earliest.astimezone(ZoneInfo(self.zone)).date()
        while True:
            if day.weekday() in self.days:
                for minutes in sorted(self.at):
                    moment = self._wall(day, minutes)
                    if moment >= earliest:
                        return moment
            day += _DAY

    def _next_day(self, day: date) -> date:
        """The next day after it that counts."""
        later = (day + n * _DAY for n in range(1, 8))
        return next(d for d in later if d.weekday() in self.days)

    def _wall(self, day: date, minutes: int) -> datetime:
        """When the wall clock shows so many minutes after midnight (24 * 60: of the next day)."""
        days, minutes = divmod(minutes, 24 * 60)
        shown = datetime.combine(day + days * _DAY, time(*divmod(minutes, 60)))
        zone = ZoneInfo(self.zone)
        return max(shown.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))


def parse_days(text: str) -> tuple[int, ...]:
    """`mon-fri`, `sat,sun`, `fri-mon`; raises ValueError."""
    found: set[int] = set()
    for part in text.lower().replace(" ", "").split(","):
        first, _, last = part.partition("-")
        if first not in DAYS or (last or first) not in DAYS:
            raise ValueError(f"not days of the week: {text!r} (write mon-fri or tue,sat)")
        begin, end = DAYS.index(first), DAYS.index(last or first)
        found |= {(begin + n) % 7 for n in range((end - begin) % 7 + 1)}
    return tuple(sorted(found))


def parse_hours(text: str) -> tuple[int, int]:
    """`8-22`: the hours of the day between which a turn may end; raises ValueError."""
    match = _HOURS.fullmatch(text.replace(" ", ""))
    first, last = map(int, match.groups()) if match else (0, 0)
    if not 0 <= first < last <= 24:
        raise ValueError(f"not hours of a day, the earlier first: {text!r} (write 8-22 or 0-24)")
    return first, last


def parse_times(text: str) -> tuple[int, ...]:
    """`20:00` or `8:00,20:00` as minutes of the day; raises ValueError."""
    found = [_TIME.fullmatch(part) for part in text.replace(" ", "").split(",")]
    if None in found:
        raise ValueError(f"not times of a day: {text!r} (write 20:00 or 8:00,20:00)")
    return tuple(sorted({int(m[1]) * 60 + int(m[2]) for m in found if m is not None}))


def times_text(times: tuple[int, ...]) -> tuple[str, ...]:
    """Clock times as people write them."""
    return tuple(f"{minutes // 60:02}:{minutes % 60:02}" for minutes in times)
