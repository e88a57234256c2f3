"""What a paused game answers."""

from pbem.judge.outcome import Outcome, done
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.store import audit, tables


def answer(progress: Progress, seat: tables.Seat, mail: tables.Inbox) -> Outcome:
    """The answer to orders while the clock stands still: nothing is done, and why."""
    until = progress.game.resume_at
    told = {
        "by": "",
        "until": None if until is None else until.isoformat(),
        "reason": _reason(progress),
    }
    facts = {"about": "paused", "told": told}
    progress.tell(Recipe("note", seat.letter, mail.id, facts, answers=mail))
    return done("paused")


def _reason(progress: Progress) -> str:
    acts = audit.of_game(progress.session, progress.game.id)
    return next((act.reason for act in reversed(acts) if act.what == "pause"), "")
