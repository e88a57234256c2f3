"""Missed turns: those of a seat's last six that nothing came in for (option `late_after`).

The first is played by the clock, with the last one allowed the game master is told, and the one
after that gives the seat away.
"""

from datetime import datetime, timedelta

from pbem.judge.options import WINDOW
from pbem.judge.progress import Progress
from pbem.store import correspondence, games, tables

EARLIEST = timedelta(hours=24)
"""The warning before a seat is taken comes that long before the deadline, or when a quarter of the
turn is left."""


def has_sent(progress: Progress, seat: tables.Seat) -> bool:
    """Whether the seat has sent anything in this turn."""
    session, game = progress.session, progress.game
    began = games.turn_began(session, game.id, game.turn)
    return began is not None and correspondence.sent_since(session, game.id, seat.letter, began)


def missed(progress: Progress, seat: tables.Seat) -> int:
    """How many of the seat's last turns were missed, the one that is open not counted."""
    return len(_within(progress, seat))


def miss(progress: Progress, seat: tables.Seat) -> int:
    """The open turn of the seat is missed; how many are by now."""
    seat.misses = [*_within(progress, seat), progress.state.turn]
    progress.session.add(seat)
    return len(seat.misses)


def _within(progress: Progress, seat: tables.Seat) -> list[int]:
    """The missed turns that still count: six rounds of the seats that stand."""
    first = progress.state.turn - WINDOW * len(progress.state.standing)
    return [turn for turn in seat.misses if turn > first]


def is_last_chance(progress: Progress, seat: tables.Seat) -> bool:
    """Whether the seat is given away if this turn is missed too."""
    takes = progress.options.vacant != "gm" and not seat.computer
    return takes and missed(progress, seat) >= progress.options.late_after


def warning_at(now: datetime, deadline: datetime) -> datetime:
    """When the seat is told so."""
    return deadline - min(EARLIEST, (deadline - now) / 4)
