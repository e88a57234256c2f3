"""The options of a game beside its ruleset (design.md, "Options of a game")."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pbem.judge.duration import parse_duration
from pbem.rules import board as boards
from pbem.rules.ruleset import OPTIONS as RULE_OPTIONS
from pbem.rules.ruleset import Ruleset, RulesetError, ruleset

BOARD = "classic-world"
CHOICES: Mapping[str, tuple[str, ...]] = {
    "turns": ("open", "single"),
    "press": ("none", "named", "anonymous"),
    "vacant": ("computer", "gm"),
}


class OptionError(ValueError):
    """No such option or value; the message names it and says what is allowed."""


@dataclass(frozen=True, slots=True)
class Options:
    """How one game is run. Times are in seconds.

    `turns` open: a turn lasts until END, a fortify or the deadline; single: until the end of the
    first accepted mail. `remind` are times before the deadline, the longest first. `invitation`
    is how long an invitation stands before it is sent again. `press`: no messages among players,
    with the sender's name, or without it too. `vacant`: who plays on for a seat that resigned.
    """

    pace: int = 48 * 3600
    remind: tuple[int, ...] = (24 * 3600, 3 * 3600)
    turns: str = "open"
    grace: int = 0
    zone: str = "UTC"
    variant: str | None = None
    invitation: int = 7 * 24 * 3600
    press: str = "named"
    vacant: str = "computer"

    def as_json(self) -> dict[str, Any]:
        """The stored form."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Options":
        """The options from their stored form."""
        return cls(**{**data, "remind": tuple(data["remind"])})

    @property
    def time_for_turn(self) -> timedelta:
        """From the turn call to the deadline, the grace included."""
        return timedelta(seconds=self.pace + self.grace)

    def reminders(self) -> tuple[timedelta, ...]:
        """The times before a deadline at which a letter goes out, those within the pace."""
        return tuple(timedelta(seconds=s) for s in self.remind if s < self.pace)


def choose(
    ruleset_name: str, changes: Mapping[str, str], *, pace: str | None, remind: Sequence[str]
) -> tuple[Ruleset, Options]:
    """Ruleset and options from what a GM wrote; raises OptionError or RulesetError."""
    rules = {name: value for name, value in changes.items() if name in RULE_OPTIONS}
    options = Options()
    if pace is not None:
        options = replace(options, pace=_seconds("pace", pace))
        if not options.pace:
            raise OptionError("pace: a turn needs some time, write for example 48h")
    if remind:
        times = sorted({_seconds("remind", text) for text in remind}, reverse=True)
        options = replace(options, remind=tuple(times))
    for name, value in changes.items():
        if name not in rules:
            options = _set(options, name, value)
    return ruleset(ruleset_name, rules), options


def _set(options: Options, name: str, value: str) -> Options:
    match name:
        case "turns" | "press" | "vacant":
            return replace(options, **{name: _choice(name, value)})  # type: ignore[arg-type]  # texts
        case "grace":
            return replace(options, grace=_seconds(name, value))
        case "invitation":
            return replace(options, invitation=_seconds(name, value))
        case "zone":
            return replace(options, zone=_zone(value))
        case "board":
            return replace(options, variant=_variant(value))
        case _:
            known = ", ".join((*RULE_OPTIONS, *CHOICES, "grace", "zone", "board", "invitation"))
            raise OptionError(f"no option is called {name!r}; there are {known}")


def _choice(name: str, value: str) -> str:
    if value not in CHOICES[name]:
        raise OptionError(f"{name} can be {' or '.join(CHOICES[name])}, not {value!r}")
    return value


def _seconds(name: str, text: str) -> int:
    try:
        return int(parse_duration(text).total_seconds())
    except ValueError as error:
        raise OptionError(f"{name}: {error}") from error


def _zone(value: str) -> str:
    try:
        return ZoneInfo(value).key
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise OptionError(f"zone: {value!r} is no time zone; write one as Europe/Rome") from error


def _variant(value: str) -> str | None:
    if value == BOARD:
        return None
    try:
        boards.load(BOARD, value)
    except boards.BoardError as error:
        raise OptionError(f"board: {error}") from error
    return value


__all__ = ["OptionError", "Options", "RulesetError", "choose"]
