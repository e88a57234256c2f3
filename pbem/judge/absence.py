"""AWAY: days on which a player is not there, and what they do to the player's deadlines."""

import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from pbem.judge import standing
from pbem.judge.options import Options
from pbem.judge.standing import Absence
from pbem.judge.timetable import Timetable
from pbem.render.months import month
from pbem.store import tables

SEASON = timedelta(days=90)
"""Within any span of this length a seat has the days of the option `away_days`."""

_LOG = "away-log"
"""The key in a seat's settings of all its absences."""

MOST_DAYS = 21
"""The longest absence; for a longer one the seat needs another player."""

_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_WORDS = re.compile(r"(\d{1,2})\.?(?:\s+([^\W\d_]+)\.?(?:\s+(\d{4}))?)?")
_DOTS = re.compile(r"(\d{1,2})\.\s*(\d{1,2})\.?(?:\s*(\d{4}))?")


class AbsenceError(ValueError):
    """The days cannot be read or taken; `code` says why, `value` what was written."""

    def __init__(self, code: str, value: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.value = value


def read(first: str, last: str, language: str, today: date) -> Absence:
    """The days as people write them: 3 Dec, 3. 12., 2026-12-03; raises AbsenceError.

    A day without a year is the next one. Of `3 to 9 Dec` the first day takes the month of the last.
    """
    begins, ends = _parts(first, language), _parts(last, language)
    if begins[1] is None:
        begins = (ends[0], ends[1], begins[2])
    begin = _day(begins, first, today)
    end = _day(ends, last, begin)
    if end < begin or end < today:
        raise AbsenceError("away-order")
    if (end - begin).days >= MOST_DAYS or (begin - today).days > 366:
        raise AbsenceError("away-long")
    return Absence(begin, end)


def days_left(options: Options, seat: tables.Seat, wanted: Absence, today: date) -> int:
    """How many days of absence the season before the wanted one has left for the seat.

    Days that were announced and have not come yet are given back by a new absence.
    """
    begin = wanted.first - SEASON
    used = {
        day
        for past in _log(seat, today)
        for day in (past.first + timedelta(days=n) for n in range(past.length))
        if begin < day < wanted.first
    }
    return options.away_days - len(used)


def keep(seat: tables.Seat, days: Absence, today: date) -> None:
    """The absence holds from now on, in place of one that was announced before."""
    past = [a for a in _log(seat, today) if a.last > today - 2 * SEASON]
    stored = [[a.first.isoformat(), a.last.isoformat()] for a in (*past, days)]
    standing.put(seat, _LOG, stored)
    standing.put(seat, standing.AWAY, stored[-1])


def _log(seat: tables.Seat, today: date) -> list[Absence]:
    """The absences that have begun, cut where the seat is still away."""
    stored = (Absence(*map(date.fromisoformat, pair)) for pair in seat.settings.get(_LOG, ()))
    return [Absence(a.first, min(a.last, today)) for a in stored if a.first <= today]


def moved(deadline: datetime, seat: tables.Seat, timetable: Timetable) -> datetime:
    """The deadline, or if the seat's player is away then, the same hour of the day after.

    Where the game's timetable lets nothing end at that hour: the next moment at which it does.
    """
    away = standing.of(seat).away
    local = deadline.astimezone(ZoneInfo(seat.zone))
    if away is None or not away.first <= local.date() <= away.last:
        return deadline
    back = away.last + timedelta(days=1)
    return timetable.again(datetime.combine(back, local.timetz()).astimezone(UTC))


_Parts = tuple[int | None, int | None, int]


def _parts(written: str, language: str) -> _Parts:
    """Year, month and day; the first two may be left out."""
    if found := _ISO.fullmatch(written):
        return int(found[1]), int(found[2]), int(found[3])
    if found := _DOTS.fullmatch(written):
        return int(found[3]) if found[3] else None, int(found[2]), int(found[1])
    if found := _WORDS.fullmatch(written):
        named = month(found[2], language) if found[2] else None
        if named is not None or not found[2]:
            return int(found[3]) if found[3] else None, named, int(found[1])
    raise AbsenceError("away-unreadable", written)


def _day(parts: _Parts, written: str, earliest: date) -> date:
    year, month_number, number = parts
    try:
        if month_number is None:
            raise AbsenceError("away-unreadable", written)
        if year is not None:
            return date(year, month_number, number)
        this_year = date(earliest.year, month_number, number)
        return this_year if this_year >= earliest else this_year.replace(year=earliest.year + 1)
    except ValueError as error:
        raise AbsenceError("away-unreadable", written) from error


def today(now: datetime, seat: tables.Seat) -> date:
    """The day that it is where the seat's player lives."""
    return now.astimezone(ZoneInfo(seat.zone)).date()
