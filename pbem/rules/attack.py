"""Attacking: one roll, and what a capture brings with it (rules 4, 5 and 9)."""

from pbem.rules import missions
from pbem.rules.action import Attack
from pbem.rules.claim import acting
from pbem.rules.dice import Chance, losses
from pbem.rules.event import Captured, Eliminated, Event, Occupied, Rolled
from pbem.rules.goal import victory
from pbem.rules.position import Occupation, Phase, changed
from pbem.rules.refusal import Reason, Refusal, refused
from pbem.rules.seat import Seat
from pbem.rules.state import Played, State
from pbem.rules.trade import trades_at_once


def most_attack_dice(armies: int) -> int:
    """The most dice that so many armies may attack with; 0 where they may not (rule 4)."""
    return max(0, min(3, armies - 1))


def most_defence_dice(armies: int) -> int:
    """The most dice that so many armies may defend with (rule 4)."""
    return min(2, armies)


def refuse(state: State, action: Attack) -> Refusal | None:
    """From an own territory with two armies or more, to a neighbour of another seat."""
    source, target = action.source, action.target
    owner = state.owner.get(source, "")
    if owner != state.on_turn:
        return refused(Reason.NOT_YOURS, territory=source, owner=owner)
    if state.owner.get(target) == state.on_turn:
        return refused(Reason.OWN_TERRITORY, source=source, target=target)
    if target not in state.owner or not state.board.adjacent(source, target):
        near = tuple(code for code in state.enemies(source) if code in state.owner)
        return refused(Reason.NOT_NEIGHBOURS, source=source, target=target, neighbours=near)
    armies = state.armies[source]
    if armies < 2:
        return refused(Reason.TOO_FEW_ARMIES, territory=source, armies=armies, least=2)
    return _refuse_dice(state, action, most_attack_dice(armies))


def _refuse_dice(state: State, action: Attack, most: int) -> Refusal | None:
    least = most if state.ruleset.attack_dice == "max" else 1
    if least <= action.dice <= most:
        return None
    return refused(
        Reason.DICE,
        territory=action.source,
        armies=state.armies[action.source],
        dice=action.dice,
        least=least,
        most=most,
    )


def roll(state: State, action: Attack, chance: Chance) -> Played:
    """One roll: the lower die of each pair loses an army, the defender wins ties."""
    source, target, number = action.source, action.target, state.next_roll
    armies = state.armies
    attacker, defender = chance.roll(number, action.dice, _defence_dice(state, action))
    lost, won = losses(attacker, defender)
    after = changed(
        state,
        phase=Phase.ATTACK,
        armies={**armies, source: armies[source] - lost, target: armies[target] - won},
        mid_turn=False,
        rolled=True,
        next_roll=number + 1,
    )
    event = Rolled(number, acting(state), source, target, attacker, defender, lost, won)
    return Played(after, (event,))


def _defence_dice(state: State, action: Attack) -> int:
    """As the defender wishes, within the rules: no wish of the defender stops an attack."""
    most = most_defence_dice(state.armies[action.target])
    if action.defence is None or state.ruleset.defence_dice == "max":
        return most
    return max(1, min(action.defence, most))


def capture(state: State, action: Attack, _chance: Chance) -> Played:
    """After the last army the territory changes hands with the least armies that must move in.

    How many move in is the attacker's choice and awaited, unless there is none to make: the least
    is the most, or the game is won. A loser without territories is out.
    """
    if state.armies[action.target]:
        return Played(state, ())
    loser = state.owner[action.target]
    taken = _take(state, action)
    seat, occupation = acting(state), taken.occupation
    assert occupation is not None  # for the type checker: _take has set it
    events: list[Event] = [Captured(seat, action.source, action.target, loser)]
    if loser in taken.seats and loser not in taken.owner.values():
        events.append(Eliminated(loser, seat, taken.hands[loser]))
        taken = _eliminate(taken, loser)
    if occupation.least == occupation.most or victory(taken) is not None:
        taken = changed(taken, occupation=None)
        events.append(Occupied(seat, action.source, action.target, occupation.least))
    return Played(go_on(taken), tuple(events))


def _take(state: State, action: Attack) -> State:
    source, target = action.source, action.target
    most = state.armies[source] - 1
    least = 1 if state.ruleset.occupation_min == "one" else min(action.dice, most)
    return changed(
        state,
        owner={**state.owner, target: acting(state)},
        armies={**state.armies, source: most + 1 - least, target: least},
        captured=True,
        occupation=Occupation(source, target, least, most),
    )


def _eliminate(state: State, loser: Seat) -> State:
    """The conqueror takes all cards; enough of them must, or may, be traded at once (rule 9)."""
    hand = state.hand + state.hands[loser]
    return changed(
        state,
        hands={**state.hands, acting(state): hand, loser: ()},
        eliminated=(*state.eliminated, loser),
        missions=missions.after_elimination(state, loser, acting(state)),
        mid_turn=trades_at_once(state, hand),
    )


def go_on(state: State) -> State:
    """What follows on a capture, once nobody waits for armies to move in: trading or attacking."""
    trading = state.mid_turn and state.occupation is None
    return changed(state, phase=Phase.TRADE if trading else Phase.ATTACK)
