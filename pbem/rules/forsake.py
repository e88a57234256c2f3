"""A seat that nobody plays any more becomes neutral: its armies stay where they stand.

Its cards go to the discards and its mission leaves the game unseen, as with an elimination; but
nobody has destroyed it, so whoever had to do that gets the mission that stands in for it, under
every value of `kill_credit`.
"""

from collections.abc import Mapping

from pbem.rules.action import Forsake
from pbem.rules.dice import Chance
from pbem.rules.event import Forsaken
from pbem.rules.mission import MissionId
from pbem.rules.missions import missions_of
from pbem.rules.position import TURN, Position, changed
from pbem.rules.refusal import Reason, Refusal, refused
from pbem.rules.seat import NEUTRAL, Seat
from pbem.rules.state import Played, State

LEAST_LEFT = 2
"""So many seats have to be left, or the game would have nobody to be won against."""


def can_be_forsaken(position: Position, seat: Seat) -> bool:
    """Whether the seat may become neutral now: it stands, is not on turn, and two others stand.

    Where two play with a neutral army of their own there is no room for another.
    """
    return (
        position.phase in TURN
        and seat in position.standing
        and seat != position.on_turn
        and len(position.standing) > LEAST_LEFT
        and not position.ruleset.has_neutral(len(position.seats))
    )


def refuse(state: State, action: Forsake) -> Refusal | None:
    """See `can_be_forsaken`."""
    if can_be_forsaken(state, action.seat):
        return None
    return refused(Reason.FORSAKING, seat=action.seat)


def forsake(state: State, action: Forsake, _chance: Chance) -> Played:
    """All territories of the seat are the neutral army's, and it is out of the game."""
    seat = action.seat
    cards = state.hands.get(seat, ())
    neutral = changed(
        state,
        owner={c: NEUTRAL if owner == seat else owner for c, owner in state.owner.items()},
        hands={**state.hands, seat: ()},
        discards=(*state.discards, *cards),
        eliminated=(*state.eliminated, seat),
        missions=_missions(state, seat),
    )
    return Played(neutral, (Forsaken(seat, cards),))


def _missions(state: State, gone: Seat) -> Mapping[Seat, str]:
    known = missions_of(state.board)
    left = {s: known[MissionId(name)] for s, name in state.missions.items() if s != gone}
    return {
        seat: own.fallback if own.target == gone and own.fallback else own.id
        for seat, own in left.items()
    }
