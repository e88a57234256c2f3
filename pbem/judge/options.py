"""The options of a game beside its ruleset (design.md, "Options of a game")."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from typing import Any

from pbem.judge.timetable import (
    EVERY_DAY,
    WHOLE_DAY,
    Timetable,
)
from pbem.rules import board as boards
from pbem.rules.board import CLASSIC, BoardId

WINDOW = 6
"""So many of a seat's own turns are looked at for those that it missed."""

_DAY = 24 * 3600


@dataclass(frozen=True, slots=True)
class Options:
    """How one game is run. Times are in seconds.

    `turns` open: a turn lasts until END, a fortify or the deadline; single: until the end of the
    first accepted mail. `pace`, `days`, `hours`, `at`, `gap`, `grace` and `zone` are the game's
    timetable; `setup_pace` is the time for the setup's lists (None: as for a turn), `session` for
    a turn once it has rolled (0: no limit of its own). `remind` are times before the deadline, the
    longest first. `invitation` is how long an invitation stands before it is sent again.

    `late_after` is how many of a seat's last 6 turns it may miss; `vacant` says who goes on for
    one that missed more, or that resigned. `time_bank` is the most time that a seat saves up by
    quick play, `away_days` how many days of absence a season of 90 days has for each, `away_shown`
    whether rivals are told, `pause` the longest pause that the players may agree on (0: none).
    After `stalled` without a sign of life the table is warned (0: never; None: 28 days or six
    turns, whichever is longer); after `round_limit` rounds the game ends.
    `variant` is the classic world's (None: as printed), or the id of a board of another maker.
    `press`: no messages among players, with the sender's name, or without it too.
    `spectators`: whether whoever likes may watch on a page, at once or a turn later.
    `listed`: whether the lobby shows the game to everybody. `luck`: whether players may give a word
    for the list that the dice hang on.
    `consent`: who must agree before a game master touches what was played: nobody, a second game
    master (the players where there is none), or most of the players.
    """

    pace: int = 2 * _DAY
    remind: tuple[int, ...] = (_DAY, 3 * 3600)
    turns: str = "open"
    grace: int = 0
    zone: str = "UTC"
    variant: str | None = None
    invitation: int = 7 * _DAY
    press: str = "named"
    vacant: str = "computer"
    days: tuple[int, ...] = EVERY_DAY
    hours: tuple[int, int] = WHOLE_DAY
    at: tuple[int, ...] = ()
    gap: int = 0
    setup_pace: int | None = None
    session: int = 0
    late_after: int = 2
    time_bank: int = 0
    away_days: int = 30
    away_shown: str = "no"
    pause: int = 14 * _DAY
    stalled: int | None = None
    round_limit: int | None = None
    spectators: str = "no"
    listed: str = "no"
    luck: str = "yes"
    consent: str = "none"

    def as_json(self) -> dict[str, Any]:
        """The stored form."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Options":
        """The options from their stored form."""
        lists = {name: tuple(value) for name, value in data.items() if isinstance(value, list)}
        return cls(**{**data, **lists})

    @property
    def board_id(self) -> BoardId:
        """The board, as a position names it."""
        other = self.variant is not None and boards.is_foreign(self.variant)
        return (self.variant or CLASSIC, None) if other else (CLASSIC, self.variant)

    @property
    def timetable(self) -> Timetable:
        """When a turn ends."""
        return Timetable(self.pace, self.grace, self.days, self.hours, self.at, self.gap, self.zone)

    @property
    def setup_timetable(self) -> Timetable:
        """When the setup's lists have to be there."""
        if self.setup_pace is None:
            return self.timetable
        return replace(self.timetable, pace=self.setup_pace, at=(), gap=0)

    @property
    def stale_after(self) -> timedelta | None:
        """After how long without a sign of life the table is warned; None: never."""
        seconds = max(28 * _DAY, 6 * self.pace) if self.stalled is None else self.stalled
        return timedelta(seconds=seconds) if seconds else None

    def reminders(self) -> tuple[timedelta, ...]:
        """The times before a deadline at which a letter goes out, those within the pace."""
        return self.within_a_turn(self.remind)

    def within_a_turn(self, seconds: Sequence[int]) -> tuple[timedelta, ...]:
        """Those of the times before a deadline that a turn is long enough for."""
        # With clock times a turn may be of any length: whoever sets the next reminder looks.
        return tuple(timedelta(seconds=s) for s in seconds if self.at or s < self.pace)
