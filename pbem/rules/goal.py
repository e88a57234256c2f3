"""How a game is won (rule 11). Asked after everything that happens; nowhere else is a win found."""

from pbem.rules.event import Won
from pbem.rules.position import Phase, changed
from pbem.rules.seat import Seat
from pbem.rules.state import Played, State

WORLD = "world"


def winner(state: State) -> Seat | None:
    """The seat that holds every territory of the board."""
    owners = iter(state.owner.values())
    first = next(owners, None)
    for owner in owners:
        if owner != first:
            return None
    return first if len(state.owner) == len(state.board.territories) else None


def declare(state: State, seat: Seat) -> Played:
    """Ends the game: the turn and the seat on turn stay as they were at that moment."""
    over = changed(state, phase=Phase.OVER, winner=seat, mid_turn=False)
    return Played(over, (Won(seat, WORLD),))
