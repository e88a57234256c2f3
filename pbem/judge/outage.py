"""After a time in which the clock stood still nobody is punished: deadlines move by it.

Each game notes the newest outage that it was moved by, so that a crash in the middle or two sweeps
at once move it once.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from pbem.judge import turn_end
from pbem.judge.post import GmNote, Recipe
from pbem.judge.progress import Progress
from pbem.rules.position import TURN
from pbem.store import clock, games, tables
from pbem.store.tables import SeatStatus


def catch_up(progress: Progress) -> bool:
    """Move the game by the outages that it has not yet seen; whether its deadline moved."""
    game = progress.game
    missed = clock.outages(progress.session, game.outage)
    if not missed:
        return False
    game.outage = missed[-1].id
    # A pause moves everything by its whole length when it ends.
    if game.deadline is None or game.paused_at is not None or game.over_at is not None:
        return False
    lost = _lost(missed, _began(progress))
    if not lost:
        return False
    before = game.deadline
    game.deadline = progress.options.timetable.opened(before + lost)
    if game.warning_at is not None:
        game.warning_at += game.deadline - before
    if game.stale_at is not None:
        game.stale_at += lost
    if progress.state.phase in TURN:
        turn_end.set_reminder(progress)
    _tell(progress, missed[-1], before)
    return True


def _lost(missed: Sequence[tables.Outage], began: datetime) -> timedelta:
    """How much of the time since the turn began the clock stood still."""
    spans = (outage.ended_at - max(outage.began_at, began) for outage in missed)
    return sum((max(span, timedelta(0)) for span in spans), timedelta(0))


def _began(progress: Progress) -> datetime:
    game = progress.game
    began = games.turn_began(progress.session, game.id, game.turn) if game.turn else None
    return began or game.created_at


def _tell(progress: Progress, outage: tables.Outage, before: datetime) -> None:
    game = progress.game
    assert game.deadline is not None
    told = {
        "cause": outage.cause,
        "began": outage.began_at.isoformat(),
        "ended": outage.ended_at.isoformat(),
        "before": before.isoformat(),
        "after": game.deadline.isoformat(),
    }
    n = f"outage{outage.id}"
    for seat in progress.seats:
        if seat.status not in (SeatStatus.DECLINED, SeatStatus.ELIMINATED):
            progress.tell(Recipe("note", seat.letter, n, {"about": "outage", "told": told}))
    once = {name: told[name] for name in ("cause", "began", "ended")}
    progress.tell_gm(GmNote("clock-stood", n, once, of_house=True))
