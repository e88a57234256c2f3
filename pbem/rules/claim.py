"""Claiming free territories and filling up the own ones: the setup's two actions (rule 1)."""

from pbem.rules.action import Claim, Fill
from pbem.rules.dice import Chance
from pbem.rules.event import Claimed, Filled
from pbem.rules.position import Phase, changed
from pbem.rules.refusal import Reason, Refusal, refused
from pbem.rules.seat import NEUTRAL, Seat
from pbem.rules.state import Played, State


def refuse_claim(state: State, action: Claim) -> Refusal | None:
    """Only a free territory can be claimed."""
    owner = state.owner.get(action.territory)
    if owner is None:
        return None
    return refused(Reason.NOT_FREE, territory=action.territory, owner=owner)


def claim(state: State, action: Claim, _chance: Chance) -> Played:
    """One army of the reserve takes the territory; after the last free one the filling begins."""
    seat = acting(state)
    owner = {**state.owner, action.territory: seat}
    full = len(owner) == len(state.board.territories)
    claimed = changed(
        _spend(state, seat),
        phase=Phase.FILL if full else Phase.CLAIM,
        owner=owner,
        armies={**state.armies, action.territory: 1},
    )
    return _pass_on(claimed, Claimed(seat, action.territory))


def refuse_fill(state: State, action: Fill) -> Refusal | None:
    """Only a territory of the army whose turn it is can be filled up."""
    owner = state.owner.get(action.territory, "")
    if owner == filling(state):
        return None
    return refused(Reason.NOT_YOURS, territory=action.territory, owner=owner)


def fill(state: State, action: Fill, _chance: Chance) -> Played:
    """One army of the reserve goes on an own territory, or one of the neutral army on its own."""
    army = filling(state)
    armies = {**state.armies, action.territory: state.armies[action.territory] + 1}
    return _pass_on(changed(_spend(state, army), armies=armies), Filled(army, action.territory))


def filling(state: State) -> Seat:
    """Whose army the seat on turn puts down next: its own, or the neutral one.

    `two_player` = neutral-interleaved: two own armies, then a neutral one, so that twice its
    reserve never runs more than two ahead; neutral-sequential: when no own army is left.
    """
    neutral = state.reserve.get(NEUTRAL, 0)
    own = sum(state.reserve[seat] for seat in state.seats)
    ahead = 2 if state.ruleset.two_player == "neutral-interleaved" else 2 * neutral
    return NEUTRAL if neutral and 2 * neutral >= own + ahead else acting(state)


def acting(state: State) -> Seat:
    """The seat whose turn it is, where the phase says that there is one."""
    assert state.on_turn is not None, f"nobody is on turn in the phase {state.phase}"
    return state.on_turn


def _spend(state: State, seat: Seat) -> State:
    return changed(state, reserve={**state.reserve, seat: state.reserve[seat] - 1})


def _pass_on(state: State, event: Claimed | Filled) -> Played:
    """Round the table to the next seat that has an army to put down.

    The round goes on from the last claim to the first filling. Where the territories do not
    divide evenly, the seats that claimed one more have thus one army less to fill with (rule 1).
    With neutral-interleaved a seat's turn of filling ends with the neutral army's.
    """
    interleaved = state.ruleset.two_player == "neutral-interleaved"
    stays = interleaved and state.reserve.get(NEUTRAL) and isinstance(event, Filled)
    seat = acting(state)
    if not stays or event.seat == NEUTRAL:
        seat = state.after(seat)
    while any(state.reserve.values()) and not _has_army(state, seat):
        seat = state.after(seat)
    return Played(changed(state, on_turn=seat), (event,))


def _has_army(state: State, seat: Seat) -> bool:
    return state.reserve[filling(changed(state, on_turn=seat))] > 0
