"""Ending a game otherwise than by its goal: the draw, the round limit, the dead table, the GM."""

from pbem.judge import turn_end
from pbem.judge.progress import Progress
from pbem.rules.action import CloseGame
from pbem.rules.adjudicate import play
from pbem.rules.closing import Ending, leader
from pbem.rules.refusal import Reason, Refusal
from pbem.rules.seat import Seat


class ClosingError(ValueError):
    """The game cannot end like this; the message says why."""


def close(progress: Progress, how: str, *, winner: str | None = None, reason: str = "") -> None:
    """End the game now; all are told how, with `reason`, and dice and deck are shown.

    `how` is one of `rules.closing.Ending`: ``draw``, ``round-limit``, ``stalled`` or ``gm``. Only
    the GM names a `winner`, the letter of a seat that stands; the round limit's is found here.
    Works in every phase, before the game has begun too. Raises ClosingError.
    """
    before = progress.state
    named = leader(before) if how == Ending.ROUND_LIMIT else winner
    action = CloseGame(how, None if named is None else Seat(named))
    played = play(before, action, progress.chance)
    if isinstance(played, Refusal):
        raise ClosingError(_why(played, action))
    span = progress.happened(played)
    assert span is not None
    turn_end.finish(progress, before, span, how=how, reason=reason)


def _why(refusal: Refusal, action: CloseGame) -> str:
    if refusal.reason is Reason.GAME_OVER:
        return "the game is over"
    if action.how not in tuple(Ending):
        return f"a game ends by {', '.join(Ending)}, not by {action.how!r}"
    return f"{action.winner} cannot be named the winner of a game that ends by {action.how}"
