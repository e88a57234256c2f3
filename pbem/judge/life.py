"""Signs of life: a table that nobody plays at is warned, and in the end closed."""

from pbem.judge import closing
from pbem.judge.post import GmNote, Recipe
from pbem.judge.progress import Progress
from pbem.rules.closing import Ending
from pbem.rules.position import Phase


def sign(progress: Progress) -> None:
    """A person has written: the time without life begins anew."""
    after, game = progress.options.stale_after, progress.game
    game.stale_at = None if after is None else progress.now + after
    game.stale_warned = False


def look(progress: Progress) -> None:
    """Warn the table if it has been without life for too long; close it if it was warned before."""
    game, after = progress.game, progress.options.stale_after
    if game.stale_at is None or game.stale_at > progress.now or game.paused_at is not None:
        return
    people = any(seat.address is not None for seat in progress.seats)
    # A game of computers alone comes to its end by itself.
    if after is None or not people or progress.state.phase is Phase.OVER:
        game.stale_at = None
    elif not game.stale_warned:
        game.stale_warned = True
        game.stale_at = progress.now + after / 4
        _warn(progress, game.stale_at.isoformat())
    else:
        game.stale_at = None
        closing.close(progress, Ending.STALLED)
        progress.tell_gm(GmNote("stale-closed", f"{progress.now:%Y%m%d%H%M%S}"))


def _warn(progress: Progress, closes: str) -> None:
    n = f"{progress.now:%Y%m%d%H%M%S}"
    facts = {"about": "stale", "told": {"closes": closes}}
    for seat in progress.seats:
        progress.tell(Recipe("note", seat.letter, f"stale{n}", facts))
    progress.tell_gm(GmNote("stale", n, {"closes": closes}))
