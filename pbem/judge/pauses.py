"""A game whose clock stands still: what its orders are answered, and how it goes on."""

from pbem.judge.outcome import Outcome, done
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.store import audit, games, tables


def answer(progress: Progress, seat: tables.Seat, mail: tables.Inbox) -> Outcome:
    """The answer to orders while the clock stands still: nothing is done, and why."""
    until, act = progress.game.resume_at, _act(progress)
    told: dict[str, str | None] = {"until": None if until is None else until.isoformat()}
    facts = {"about": "paused-by-all", "told": told}
    if act is not None:
        facts = {"about": "paused", "told": {**told, "by": "", "reason": act.reason}}
    progress.tell(Recipe("note", seat.letter, mail.id, facts, answers=mail))
    return done("paused")


def is_agreed(progress: Progress) -> bool:
    """Whether the game pauses because all players agreed to it, and not by a game master."""
    return progress.game.paused_at is not None and _act(progress) is None


def end(progress: Progress) -> None:
    """The clock runs again: what was to come comes later by as long as it stood."""
    game = progress.game
    if game.paused_at is not None:
        games.put_off(progress.session, game, progress.now - game.paused_at)
    game.paused_at = game.resume_at = None


def _act(progress: Progress) -> tables.Audit | None:
    """The act of a game master that began this pause."""
    acts = audit.of_game(progress.session, progress.game.id)
    since = progress.game.paused_at
    return next((act for act in reversed(acts) if (act.what, act.at) == ("pause", since)), None)
