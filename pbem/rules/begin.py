"""Who begins: the die roll for the first claim and for turn 1 (rule 2)."""

from pbem.rules.action import ChooseCapital, Fill
from pbem.rules.dice import Chance
from pbem.rules.event import OrderRolled
from pbem.rules.position import Phase, changed
from pbem.rules.reinforce import start
from pbem.rules.seat import Seat
from pbem.rules.state import Played, State


def roll_for_first(state: State, chance: Chance) -> Played:
    """Every seat throws one die; those who tie for the highest throw again, as one more roll."""
    rounds: list[tuple[tuple[Seat, int], ...]] = []
    contenders = state.seats
    while len(contenders) > 1:
        faces, _ = chance.roll(state.next_roll + len(rounds), len(contenders), 0)
        rounds.append(tuple(zip(contenders, faces, strict=True)))
        contenders = tuple(seat for seat, face in rounds[-1] if face == max(faces))
    rolled = changed(state, first=contenders[0], next_roll=state.next_roll + len(rounds))
    return Played(rolled, (OrderRolled(tuple(rounds), contenders[0]),))


def first_turn(state: State, _action: Fill | ChooseCapital, chance: Chance) -> Played:
    """Starts turn 1 once every reserve is placed; before that nothing happens.

    In a game for capitals these are chosen first.

    It belongs to the seat that claimed first, or with `first_turn` = fresh-roll to the winner of
    another roll. That roll is still the setup's: the turn's own dice link comes after it.
    """
    if any(state.reserve.values()):
        return Played(state, ())
    if state.ruleset.goal == "capitals" and not state.capitals:
        if state.phase is Phase.CAPITAL:
            return Played(state, ())
        return Played(changed(state, phase=Phase.CAPITAL, on_turn=state.first), ())
    if state.ruleset.first_turn == "first-claimer":
        return start(state, state.first or state.seats[0])
    rolled = roll_for_first(state, chance)
    begun = start(rolled.state, rolled.state.first or state.seats[0])
    return Played(begun.state, rolled.events + begun.events)
