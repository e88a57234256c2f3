"""How a game is won (rule 11). Asked after everything that happens; nowhere else is a win found.

`GOALS` says for each value of the option `goal` what a seat has reached. Who holds the whole board
has won under every one of them.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pbem.rules import capitals, missions
from pbem.rules.event import Won
from pbem.rules.position import TURN, Phase, changed
from pbem.rules.seat import NEUTRAL, Seat
from pbem.rules.state import Played, State

WORLD = "world"


class Victory(NamedTuple):
    """Who has won, and by what: ``world``, ``capitals`` or a mission's id."""

    seat: Seat
    goal: str


GOALS: Mapping[str, Callable[[State, Seat], str | None]] = {
    "world": lambda _state, _seat: None,
    "missions": missions.accomplished,
    "capitals": capitals.reached,
}
"""What a seat has reached beside the whole board, by the option's value; None: nothing yet."""


def victory(state: State) -> Victory | None:
    """The winner at this moment: of two at once the seat on turn, then the seats in their order."""
    alone = _alone(state)
    if alone is not None:
        return Victory(alone, WORLD)
    reached = GOALS[state.ruleset.goal]
    if state.phase not in TURN:
        return None
    first = (state.on_turn,) if state.on_turn is not None else ()
    for seat in (*first, *state.standing):
        by = reached(state, seat)
        if by is not None:
            return Victory(seat, by)
    return None


def _alone(state: State) -> Seat | None:
    """The seat that holds every territory of the board; of two all but those of the neutral army.

    An empty board, or one not yet claimed whole, is nobody's.
    """
    if state.ruleset.has_neutral(len(state.seats)):
        left = set(state.owner.values()) - {NEUTRAL}
        return left.pop() if len(left) == 1 and _is_full(state) else None
    owners = iter(state.owner.values())
    first = next(owners, None)
    for owner in owners:
        if owner != first:
            return None
    return first if _is_full(state) else None


def _is_full(state: State) -> bool:
    return len(state.owner) == len(state.board.territories)


def declare(state: State, won: Victory) -> Played:
    """Ends the game: the turn and the seat on turn stay as they were at that moment."""
    over = changed(state, phase=Phase.OVER, winner=won.seat, mid_turn=False)
    return Played(over, (Won(won.seat, won.goal),))
