"""SET NEWS DAILY: the turns of others in one letter a day, at an hour of the player's own zone."""

from datetime import datetime

from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.judge.timetable import Timetable
from pbem.store import games, tables

HOUR = 8
"""The hour of the day at which daily news go out."""


def begin(progress: Progress, seat: tables.Seat) -> None:
    """From now on the seat's news come once a day."""
    seat.news_at = _next(progress.now, seat)
    seat.news_from = progress.last_seq + 1


def end(seat: tables.Seat) -> None:
    """No daily news any more."""
    seat.news_at = seat.news_from = None


def told(progress: Progress, seat: tables.Seat) -> None:
    """Another letter, the turn call, has told the seat everything up to now."""
    if seat.news_from is not None:
        seat.news_from = progress.last_seq + 1
        progress.session.add(seat)


def tell(progress: Progress) -> None:
    """The day's news to every seat of the game whose hour has come; a day without any is silent."""
    for seat in progress.seats:
        if seat.news_at is None or seat.news_at > progress.now:
            continue
        _tell(progress, seat)
        seat.news_at = None if progress.game.over_at is not None else _next(progress.now, seat)
        progress.session.add(seat)


def _tell(progress: Progress, seat: tables.Seat) -> None:
    """The turns that have closed since; an open one is still its player's affair."""
    ended = games.last_events(progress.session, progress.game.id, "turn-ended", 1)
    last = ended[0].seq if ended else 0
    first = seat.news_from or 1
    if last < first or progress.game.over_at is not None:
        return
    state, at = progress.state, progress.game.deadline
    facts = {
        "daily": True,
        "next_seat": state.on_turn,
        "deadline": None if at is None else at.isoformat(),
    }
    n = f"daily{progress.now:%Y%m%d}"
    progress.tell(Recipe("report", seat.letter, n, facts, events=(first, last)))
    seat.news_from = last + 1


def _next(now: datetime, seat: tables.Seat) -> datetime:
    return Timetable(0, at=(HOUR * 60,), gap=60, zone=seat.zone).ends(now)
