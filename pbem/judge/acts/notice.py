"""What an act leaves behind: letters to those whom it concerns, and its mark in the record."""

from collections.abc import Mapping
from typing import Any

from pbem.judge.gm import ActError, Why
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.rules import overrule
from pbem.rules.adjudicate import Played
from pbem.rules.event import Overruled
from pbem.rules.position import Phase
from pbem.store import tables


def running(progress: Progress) -> tables.Game:
    """The game, if it is not over; ActError."""
    if progress.state.phase is Phase.OVER:
        raise ActError("over")
    return progress.game


def named(progress: Progress, letter: str) -> tables.Seat:
    """The seat of that letter; ActError where there is none."""
    seat = next((seat for seat in progress.seats if seat.letter == letter), None)
    if seat is None:
        raise ActError("no-seat", seat=letter)
    return seat


def mark(progress: Progress, why: Why, act: str, *words: str) -> None:
    """Write into the record that the game master did this, for ever."""
    event = Overruled(act, words, overrule.signature(why.who), overrule.one_line(why.reason))
    progress.happened(Played(progress.state, (event,)))


def tell_all(
    progress: Progress, about: str, why: Why, told: Mapping[str, Any], but: str | None = None
) -> None:
    """A note to every seat, but to one."""
    for seat in progress.seats:
        if seat.letter != but:
            tell(progress, seat.letter, about, why, told)


def tell(progress: Progress, letter: str, about: str, why: Why, told: Mapping[str, Any]) -> None:
    """A note to one seat."""
    facts = {"by": "", "reason": why.reason, "agreed": why.agreed, **told}
    progress.tell(Recipe("note", letter, of_now(progress, about), {"about": about, "told": facts}))


def of_now(progress: Progress, about: str) -> str:
    """Tells letters apart that are about the same at different moments."""
    return f"{about}{progress.now:%Y%m%d%H%M%S%f}"


def moment(game: tables.Game) -> str | None:
    """The game's deadline as recipes hold it."""
    return None if game.deadline is None else game.deadline.isoformat()
