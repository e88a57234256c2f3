"""Acts on the clock: pause and resume, an earlier or later deadline, a reminder now."""

from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar

from pbem.judge import branches, pauses, turn_end
from pbem.judge.acts.act import Act, Grade, Moment, Span
from pbem.judge.acts.notice import mark, moment, of_now, running, tell_all
from pbem.judge.gm import ActError, Why
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.rules.position import TURN
from pbem.store import tables


@dataclass(frozen=True, slots=True)
class Pause(Act):
    """Stop the clock: no deadline and no reminder comes, and orders are answered with the news.

    With `until` it runs again by itself then.
    """

    name: ClassVar[str] = "pause"
    grade: ClassVar[Grade] = Grade.SAFE
    until: Moment | None = None

    def play(self, progress: Progress, why: Why) -> None:
        game = running(progress)
        if game.paused_at is not None:
            raise ActError("paused-already")
        if self.until is not None and self.until <= progress.now:
            raise ActError("past")
        game.paused_at, game.resume_at = progress.now, self.until
        until = None if self.until is None else self.until.isoformat()
        mark(progress, why, self.name, *(() if until is None else (until,)))
        tell_all(progress, "paused", why, {"until": until})

    def undo(self, progress: Progress) -> Act | None:
        del progress  # whatever it waited for
        return Resume()


@dataclass(frozen=True, slots=True)
class Resume(Act):
    """Go on: what was to come comes later by as long as the pause was."""

    name: ClassVar[str] = "resume"
    grade: ClassVar[Grade] = Grade.SAFE

    def play(self, progress: Progress, why: Why) -> None:
        game = running(progress)
        if game.paused_at is None:
            raise ActError("not-paused")
        pauses.end(progress)
        mark(progress, why, self.name)
        tell_all(progress, "resumed", why, {"deadline": moment(game)})

    def undo(self, progress: Progress) -> Act | None:
        return Pause(progress.game.resume_at)


class _OfDeadline(Act):
    """An act that moves the deadline; undone, it is where it was."""

    grade: ClassVar[Grade] = Grade.SAFE

    def undo(self, progress: Progress) -> Act | None:
        at = progress.game.deadline
        return None if at is None else MoveDeadline(at)


@dataclass(frozen=True, slots=True)
class Extend(_OfDeadline):
    """Move the deadline to later by so much."""

    name: ClassVar[str] = "extend"
    by: Span

    def play(self, progress: Progress, why: Why) -> None:
        game = _timed(progress)
        assert game.deadline is not None
        hours = self.by / timedelta(hours=1)
        _move(progress, why, game.deadline + self.by, f"+{hours:g}h")


@dataclass(frozen=True, slots=True)
class MoveDeadline(_OfDeadline):
    """Move the deadline to a moment, earlier or later."""

    name: ClassVar[str] = "deadline"
    to: Moment

    def play(self, progress: Progress, why: Why) -> None:
        _timed(progress)
        if self.to <= progress.now:
            raise ActError("past")
        _move(progress, why, self.to, f"{self.to:%Y-%m-%dT%H:%MZ}")


@dataclass(frozen=True, slots=True)
class Remind(Act):
    """Remind the seat on turn now, whatever its own reminders are."""

    name: ClassVar[str] = "remind"
    grade: ClassVar[Grade] = Grade.SAFE

    def play(self, progress: Progress, why: Why) -> None:
        del why  # a reminder says why itself
        game, on_turn = _timed(progress), progress.state.on_turn
        if progress.state.phase not in TURN or on_turn is None:
            raise ActError("nobody-on-turn")
        assert game.deadline is not None
        left = int((game.deadline - progress.now).total_seconds())
        facts = {
            "deadline": moment(game),
            "left": max(left, 0),
            "sent": game.step > branches.first_step(game, game.turn),
        }
        n = of_now(progress, "now")
        progress.tell(Recipe("reminder", on_turn, n, facts, expires_at=game.deadline))


def _timed(progress: Progress) -> tables.Game:
    """The game, if it waits for somebody; ActError."""
    game = running(progress)
    if game.deadline is None:
        raise ActError("no-deadline")
    return game


def _move(progress: Progress, why: Why, to: Moment, words: str) -> None:
    game = progress.game
    before = moment(game)
    game.deadline = to
    if progress.state.phase in TURN:
        turn_end.set_reminder(progress)
    mark(progress, why, "deadline", words)
    tell_all(progress, "deadline-moved", why, {"before": before, "after": moment(game)})
