"""Ends that are no victory: agreed, at the limit of rounds, for want of life, by the GM."""

from collections.abc import Mapping
from enum import StrEnum

from pbem.rules.action import CloseGame
from pbem.rules.dice import Chance
from pbem.rules.event import GameClosed
from pbem.rules.position import Phase, Position, changed
from pbem.rules.refusal import Reason, Refusal, refused
from pbem.rules.seat import Seat
from pbem.rules.state import Played, State


class Ending(StrEnum):
    """How a game ended otherwise than by reaching its goal."""

    DRAW = "draw"
    ROUND_LIMIT = "round-limit"
    STALLED = "stalled"
    GM = "gm"


def leader(position: Position) -> Seat | None:
    """Who holds the most territories, of those the most armies; None where two hold as much."""
    strength = {seat: _strength(position, seat) for seat in position.standing}
    best = [seat for seat, held in strength.items() if held == max(strength.values())]
    return best[0] if len(best) == 1 else None


def _strength(position: Position, seat: Seat) -> tuple[int, int]:
    held = position.held(seat)
    return len(held), sum(position.armies[code] for code in held)


def refuse(state: State, action: CloseGame) -> Refusal | None:
    """Only the round limit and the GM name a winner, who stands; the limit's is the leader."""
    allowed: Mapping[str, tuple[Seat | None, ...]] = {
        Ending.DRAW: (None,),
        Ending.STALLED: (None,),
        Ending.ROUND_LIMIT: (leader(state),),
        Ending.GM: (None, *state.standing),
    }
    if action.winner in allowed.get(action.how, ()):
        return None
    return refused(Reason.CLOSING, how=action.how, winner=action.winner or "")


def close(state: State, action: CloseGame, _chance: Chance) -> Played:
    """Ends the game at once: board, turn and seat on turn stay as they are."""
    over = changed(state, phase=Phase.OVER, winner=action.winner, mid_turn=False)
    return Played(over, (GameClosed(action.how, action.winner),))
