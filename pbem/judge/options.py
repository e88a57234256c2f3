"""The options of a game beside its ruleset (design.md, "Options of a game")."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pbem.judge.duration import parse_duration
from pbem.judge.timetable import (
    EVERY_DAY,
    WHOLE_DAY,
    Timetable,
    parse_days,
    parse_hours,
    parse_times,
)
from pbem.rules import board as boards
from pbem.rules.board import CLASSIC, BoardId
from pbem.rules.ruleset import OPTIONS as RULE_OPTIONS
from pbem.rules.ruleset import RULESETS, Misfit, Ruleset, RulesetError, ruleset

WINDOW = 6
"""So many of a seat's own turns are looked at for those that it missed."""

_DAY = 24 * 3600


class OptionError(ValueError):
    """No such option or value; the message names it and says what is allowed.

    `misfit` is the same for whoever tells it in other words.
    """

    def __init__(self, message: str, misfit: Misfit) -> None:
        super().__init__(message)
        self.misfit = misfit


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


def choose(
    ruleset_name: str, changes: Mapping[str, str], *, pace: str | None, remind: Sequence[str]
) -> tuple[Ruleset, Options]:
    """Ruleset and options from what a GM wrote; raises OptionError or RulesetError."""
    rules = {name: value for name, value in changes.items() if name in RULE_OPTIONS}
    options = Options()
    if pace is not None:
        options = _set(options, "pace", pace)
    if remind:
        options = _set(options, "remind", ",".join(remind))
    for name, value in changes.items():
        if name not in rules:
            options = _set(options, name, value)
    chosen = ruleset(ruleset_name, rules)
    given = {"pace": pace is not None, "remind": bool(remind)}
    named = {name for name, is_given in given.items() if is_given} | _named(changes, options)
    for fault in _clashes(options, chosen, named):
        raise fault
    return chosen, options


def misfits(ruleset_name: str, changes: Mapping[str, str]) -> tuple[Misfit, ...]:
    """All that is wrong with what a GM wrote: what cannot be read, then what clashes.

    `ruleset_name` is that of a ruleset.
    """
    found: list[Misfit] = []
    rules = {name: value for name, value in changes.items() if name in RULE_OPTIONS}
    base, options = RULESETS[ruleset_name], Options()
    found += [fault.misfit for fault in base.faults(rules)]
    read = {name: value for name, value in rules.items() if value in RULE_OPTIONS[name]}
    for name, value in changes.items():
        try:
            options = options if name in rules else _set(options, name, value)
        except OptionError as error:
            found.append(error.misfit)
    wrong = {misfit.where for misfit in found}
    named = _named(changes, options)
    clashes = _clashes(options, replace(base, **read), named)  # type: ignore[arg-type]
    return (*found, *(one.misfit for one in clashes if one.misfit.where not in wrong))


def changed(options: Options, rules: Ruleset, name: str, value: str) -> Options:
    """The options with one of them as a GM wrote it; raises OptionError."""
    after = _set(options, name, value)
    for fault in _clashes(after, rules, {name}):
        raise fault
    return after


def _set(options: Options, name: str, value: str) -> Options:
    if name not in READERS:
        known = ", ".join((*RULE_OPTIONS, *READERS))
        text = f"no option is called {name!r}; there are {known}"
        raise OptionError(text, Misfit(name, "no-option", {"name": name}))
    try:
        return replace(options, **{FIELDS.get(name, name): READERS[name](value)})
    except (ValueError, ZoneInfoNotFoundError) as error:
        facts = {"name": name, "value": value, "allowed": CHOICES.get(name, ())}
        raise OptionError(f"{name}: {error}", Misfit(name, "bad-option", facts)) from error


def _named(changes: Mapping[str, str], options: Options) -> set[str]:
    """The options that somebody chose; a form says the usual reminders by itself."""
    is_usual = options.remind == Options().remind
    return {name for name in changes if not (name == "remind" and is_usual)}


def _clashes(options: Options, rules: Ruleset, named: Collection[str]) -> Iterator[OptionError]:
    """Options that contradict each other: each is named, with the one that it clashes with.

    Some are wrong only where they were `named`: the usual ones give way to a pace by themselves.
    """
    at, pace, stalled = options.at, options.pace, options.stalled
    long_ago = max(options.remind, default=0)
    first, last = options.hours[0] * 60, options.hours[1] * 60
    faults = (
        ("pace", "no-time", not pace, "a turn needs some time, write for example 48h"),
        (
            *("pace", "pace-and-times", "pace" in named and bool(at)),
            "turns of this game end at clock times (at); leave one of the two out",
        ),
        (
            *("remind", "remind-long", "remind" in named and not at and 0 < pace <= long_ago),
            "one would come before its turn begins; give times shorter than pace, or none",
        ),
        (
            *("gap", "gap-alone", bool(options.gap) and not at),
            "it is the least time before a clock time, so it needs at",
        ),
        (
            *("setup_pace", "no-time", options.setup_pace == 0),
            "the lists need some time, write for example 48h",
        ),
        (
            *("session", "session-long", not at and 0 < pace <= options.session),
            "a turn that ends after its pace anyway is not cut short by this",
        ),
        (
            *("hours", "times-outside", any(not first <= minutes <= last for minutes in at)),
            "the clock times of at lie outside of them",
        ),
        (
            *("stalled", "stalled-short", stalled is not None and 0 < stalled <= pace),
            "it is no longer than a turn, so a table that plays would be closed",
        ),
        (
            *("vacant", "vacant-two", options.vacant == "neutral" and rules.max_players == 2),
            "with two players a neutral army would end the game; take computer",
        ),
    )
    for name, code, is_there, text in faults:
        if is_there:
            yield OptionError(f"{name}: {text}", Misfit(name, code, {"name": name}))


def _choice(*allowed: str) -> Callable[[str], str]:
    def read(value: str) -> str:
        if value not in allowed:
            raise ValueError(f"can be {' or '.join(allowed)}, not {value!r}")
        return value

    return read


def _number(least: int, most: int) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not (value.isascii() and value.isdigit() and least <= int(value) <= most):
            raise ValueError(f"can be a number from {least} to {most}, not {value!r}")
        return int(value)

    return read


def _or_none(read: Callable[[str], int]) -> Callable[[str], int | None]:
    return lambda value: None if value == "none" else read(value)


def _span(text: str) -> int:
    return int(parse_duration(text).total_seconds())


def _spans(text: str) -> tuple[int, ...]:
    """`24h,3h`, the longest first; `none`."""
    if text.strip() == "none":
        return ()
    return tuple(sorted({_span(part) for part in text.split(",")}, reverse=True))


def _zone(value: str) -> str:
    try:
        return ZoneInfo(value).key
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ValueError(f"{value!r} is no time zone; write one as Europe/Rome") from error


def _board(value: str) -> str | None:
    """A variant of the classic world, or a board of another maker by its id (`atlas.named`)."""
    if value == CLASSIC:
        return None
    if value in boards.variants() or boards.is_known(value):
        return value
    known = ", ".join((CLASSIC, *boards.variants()))
    raise ValueError(
        f"no board is called {value!r}; there are {known}, and those of pbem board list"
    )


CHOICES: Mapping[str, tuple[str, ...]] = {
    "turns": ("open", "single"),
    "press": ("named", "anonymous", "none"),
    "vacant": ("computer", "neutral", "gm", "replacement"),
    "spectators": ("no", "yes", "delayed"),
    "listed": ("no", "yes"),
    "luck": ("yes", "no"),
    "away_shown": ("no", "yes"),
    "consent": ("none", "gm", "players"),
}
"""Options with a closed list of values, the default first."""

NUMBERS: Mapping[str, tuple[int, int]] = {
    "late_after": (0, WINDOW - 1),
    "away_days": (0, 90),
    "round_limit": (1, 10_000),
}
"""Options that are a number, with the least and the most of it."""

READERS: Mapping[str, Callable[[str], Any]] = {
    **{name: _choice(*values) for name, values in CHOICES.items()},
    "board": _board,
    "zone": _zone,
    "pace": _span,
    "remind": _spans,
    "grace": _span,
    "days": parse_days,
    "hours": parse_hours,
    "at": parse_times,
    "gap": _span,
    "setup_pace": _or_none(_span),
    "invitation": _span,
    "session": _span,
    "late_after": _number(*NUMBERS["late_after"]),
    "time_bank": _span,
    "away_days": _number(*NUMBERS["away_days"]),
    "pause": _span,
    "stalled": _span,
    "round_limit": _or_none(_number(*NUMBERS["round_limit"])),
}
"""How the value of each option is read; a ValueError says what is allowed."""

FIELDS: Mapping[str, str] = {"board": "variant"}
"""Options whose field has another name."""


__all__ = ["OptionError", "Options", "RulesetError", "choose"]
