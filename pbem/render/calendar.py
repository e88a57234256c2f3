"""The deadlines of a seat as a calendar (RFC 5545), for programs that look it up again and again.

icalendar lives here only. A deadline keeps its UID while it moves; its SEQUENCE rises, so that a
program that has it shows the new time instead of a second entry (mail.md, "Calendar").
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

import icalendar

from pbem.render.catalogue import SOURCE, languages
from pbem.render.letters import environment

LASTS = timedelta(minutes=15)
"""How long an entry stands on the page of a day; a deadline itself has no length."""

What = Literal["invitation", "setup", "turn"]


@dataclass(frozen=True, slots=True)
class Appointment:
    """One deadline of the reader. `uid` is its own for ever, `sequence` rises with each change.

    `alarms` are the times before it at which the calendar shall ring. `cancelled`: the time stood
    in the calendar once, and nobody waits for the reader any more.
    """

    uid: str
    game: str
    what: What
    turn: int
    at: datetime
    sequence: int
    alarms: tuple[timedelta, ...] = ()
    cancelled: bool = False


def calendar(
    game: str, appointments: Iterable[Appointment], now: datetime, language: str = SOURCE
) -> bytes:
    """The calendar of a seat of the game, in the reader's language; times are in UTC."""
    spoken = language if language in languages() else SOURCE
    words = environment(spoken, escaped=False).get_template("_calendar.j2").module
    made = icalendar.Calendar()
    made.add("prodid", "-//pbem//world conquest by mail//EN")
    made.add("version", "2.0")
    made.add("method", "PUBLISH")
    made.add("x-wr-calname", _said(words, "name", game))
    made.add("refresh-interval", timedelta(hours=1), parameters={"VALUE": "DURATION"})
    for appointment in appointments:
        made.add_component(_entry(appointment, words, now))
    return bytes(made.to_ical())


def _entry(one: Appointment, words: object, now: datetime) -> icalendar.Event:
    entry = icalendar.Event()
    entry.add("uid", one.uid)
    entry.add("dtstamp", now)
    entry.add("sequence", one.sequence)
    entry.add("dtstart", one.at)
    entry.add("dtend", one.at + LASTS)
    entry.add("summary", _said(words, "summary", one.game, one.what, one.turn))
    entry.add("transp", "TRANSPARENT")
    entry.add("status", "CANCELLED" if one.cancelled else "CONFIRMED")
    if not one.cancelled:
        entry.add("description", _said(words, "description", one.what))
        for before in one.alarms:
            entry.add_component(_alarm(one, before, words))
    return entry


def _alarm(one: Appointment, before: timedelta, words: object) -> icalendar.Alarm:
    alarm = icalendar.Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("trigger", -before)
    alarm.add("description", _said(words, "summary", one.game, one.what, one.turn))
    return alarm


def _said(words: object, macro: str, *facts: object) -> str:
    return " ".join(str(getattr(words, macro)(*facts)).split())
