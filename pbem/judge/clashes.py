"""Options that contradict each other: each clash names one of them, and what to do about it."""

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from pbem.judge.options import Options
from pbem.rules.ruleset import Ruleset


class Chosen(NamedTuple):
    """How a game is to be run; `named` are the options that somebody wrote.

    Some clashes are there only where an option was named: the usual ones give way to others by
    themselves.
    """

    options: Options
    rules: Ruleset
    named: Collection[str]


class Clash(NamedTuple):
    """What is wrong with `option`; `code` is for whoever tells it in other words."""

    option: str
    code: str
    text: str
    is_there: Callable[[Chosen], bool]


def clashes(chosen: Chosen) -> Iterator[Clash]:
    """All that contradict each other."""
    return (clash for clash in _CLASHES if clash.is_there(chosen))


def _turn_without_time(chosen: Chosen) -> bool:
    return chosen.options.pace == 0


def _pace_beside_clock_times(chosen: Chosen) -> bool:
    return "pace" in chosen.named and bool(chosen.options.at)


def _reminder_before_the_turn(chosen: Chosen) -> bool:
    longest = max(chosen.options.remind, default=0)
    return "remind" in chosen.named and _is_no_shorter_than_a_turn(longest, chosen.options)


def _gap_without_clock_times(chosen: Chosen) -> bool:
    return bool(chosen.options.gap) and not chosen.options.at


def _lists_without_time(chosen: Chosen) -> bool:
    return chosen.options.setup_pace == 0


def _session_beyond_the_turn(chosen: Chosen) -> bool:
    return _is_no_shorter_than_a_turn(chosen.options.session, chosen.options)


def _clock_times_outside_of_hours(chosen: Chosen) -> bool:
    first, last = (60 * hour for hour in chosen.options.hours)
    return any(not first <= minutes <= last for minutes in chosen.options.at)


def _stalled_within_a_turn(chosen: Chosen) -> bool:
    stalled = chosen.options.stalled
    return stalled is not None and 0 < stalled <= chosen.options.pace


def _neutral_army_against_one(chosen: Chosen) -> bool:
    return chosen.options.vacant == "neutral" and chosen.rules.max_players == 2


def _is_no_shorter_than_a_turn(seconds: int, options: Options) -> bool:
    """Turns that end at clock times have no length to compare with."""
    return not options.at and 0 < options.pace <= seconds


_CLASHES = (
    Clash(
        "pace",
        "no-time",
        "a turn needs some time, write for example 48h",
        _turn_without_time,
    ),
    Clash(
        "pace",
        "pace-and-times",
        "turns of this game end at clock times (at); leave one of the two out",
        _pace_beside_clock_times,
    ),
    Clash(
        "remind",
        "remind-long",
        "one would come before its turn begins; give times shorter than pace, or none",
        _reminder_before_the_turn,
    ),
    Clash(
        "gap",
        "gap-alone",
        "it is the least time before a clock time, so it needs at",
        _gap_without_clock_times,
    ),
    Clash(
        "setup_pace",
        "no-time",
        "the lists need some time, write for example 48h",
        _lists_without_time,
    ),
    Clash(
        "session",
        "session-long",
        "a turn that ends after its pace anyway is not cut short by this",
        _session_beyond_the_turn,
    ),
    Clash(
        "hours",
        "times-outside",
        "the clock times of at lie outside of them",
        _clock_times_outside_of_hours,
    ),
    Clash(
        "stalled",
        "stalled-short",
        "it is no longer than a turn, so a table that plays would be closed",
        _stalled_within_a_turn,
    ),
    Clash(
        "vacant",
        "vacant-two",
        "with two players a neutral army would end the game; take computer",
        _neutral_army_against_one,
    ),
)
