"""The time bank: what a seat leaves of its turns is its own for a turn that takes longer.

The option `time_bank` is the most that a seat saves. At a deadline the savings are spent at once
and whole; what is left when the turn closes goes back.
"""

from datetime import timedelta

from pbem.judge.progress import Progress
from pbem.store import tables


def save(progress: Progress, seat: tables.Seat) -> None:
    """The seat closes its turn now: the time to its deadline is saved, up to the most."""
    most, deadline = progress.options.time_bank, progress.game.deadline
    if not most or deadline is None or seat.computer:
        return
    left = max(int((deadline - progress.now).total_seconds()), 0)
    seat.time_saved = min(seat.time_saved + left, most)
    progress.session.add(seat)


def spend(progress: Progress, seat: tables.Seat) -> timedelta:
    """The seat's deadline has come: all that it has saved; nothing where there is no bank."""
    saved = timedelta(seconds=seat.time_saved if progress.options.time_bank else 0)
    seat.time_saved = 0
    progress.session.add(seat)
    return saved
