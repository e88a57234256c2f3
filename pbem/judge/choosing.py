"""Options and rules of a game as a GM writes them (design.md, "Options of a game")."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pbem.judge.clashes import Chosen, clashes
from pbem.judge.duration import parse_duration
from pbem.judge.options import WINDOW, Options
from pbem.judge.timetable import parse_days, parse_hours, parse_times
from pbem.rules import board as boards
from pbem.rules.board import CLASSIC
from pbem.rules.ruleset import OPTIONS as RULE_OPTIONS
from pbem.rules.ruleset import RULESETS, Misfit, Ruleset, ruleset


class OptionError(ValueError):
    """No such option or value; the message names it and says what is allowed.

    `misfit` is the same for whoever tells it in other words.
    """

    def __init__(self, message: str, misfit: Misfit) -> None:
        super().__init__(message)
        self.misfit = misfit


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
    for fault in _faults(options, chosen, named):
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
    faults = _faults(options, replace(base, **read), named)  # type: ignore[arg-type]
    return (*found, *(one.misfit for one in faults if one.misfit.where not in wrong))


def changed(options: Options, rules: Ruleset, name: str, value: str) -> Options:
    """The options with one of them as a GM wrote it; raises OptionError."""
    after = _set(options, name, value)
    for fault in _faults(after, rules, {name}):
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


def _faults(options: Options, rules: Ruleset, named: Collection[str]) -> Iterator[OptionError]:
    """Each clash among the options as what a GM is told."""
    for clash in clashes(Chosen(options, rules, named)):
        misfit = Misfit(clash.option, clash.code, {"name": clash.option})
        yield OptionError(f"{clash.option}: {clash.text}", misfit)


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
