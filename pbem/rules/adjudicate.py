"""The judge of single actions: what may be done now, and the steps that it sets off.

`RULES` is the whole game as a table: for each action the phases in which it may come, the rule that
says no, and its steps in order. A win is looked for after every step and ends the game there.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pbem.rules import (
    attack,
    begin,
    capitals,
    claim,
    closing,
    forsake,
    fortify,
    goal,
    missions,
    occupy,
    overrule,
    reinforce,
    trade,
)
from pbem.rules.action import (
    Action,
    Attack,
    ChooseCapital,
    Claim,
    CloseGame,
    EndTurn,
    Fill,
    Forsake,
    Fortify,
    Occupy,
    Place,
    RenewDice,
    SetHand,
    SetRule,
    SetTerritory,
    TakeBack,
    Trade,
)
from pbem.rules.dice import Chance
from pbem.rules.event import Event
from pbem.rules.position import SETUP, TURN, Phase
from pbem.rules.refusal import Reason, Refusal, refused
from pbem.rules.state import Played, State

__all__ = ["RULES", "Played", "Rule", "play", "refuse"]


class Rule(NamedTuple):
    """How one kind of action is played; the action's own type stands in `RULES`."""

    phases: frozenset[Phase]
    refuse: Callable[[State, Any], Refusal | None]
    steps: tuple[Callable[[State, Any, Chance], Played], ...]


def _never(_state: State, _action: EndTurn) -> None:
    return None


TRADING = frozenset({Phase.TRADE})
PLACING = frozenset({Phase.TRADE, Phase.PLACE})
ALWAYS = frozenset({Phase.INVITED}) | SETUP | TURN
ATTACKING = frozenset({Phase.TRADE, Phase.PLACE, Phase.ATTACK})

RULES: Mapping[type[Action], Rule] = {
    Claim: Rule(frozenset({Phase.CLAIM}), claim.refuse_claim, (claim.claim,)),
    Fill: Rule(frozenset({Phase.FILL}), claim.refuse_fill, (claim.fill, begin.first_turn)),
    ChooseCapital: Rule(
        frozenset({Phase.CAPITAL}), capitals.refuse, (capitals.choose, begin.first_turn)
    ),
    Trade: Rule(TRADING, trade.refuse, (trade.trade,)),
    Place: Rule(PLACING, reinforce.refuse, (reinforce.place,)),
    TakeBack: Rule(ATTACKING, reinforce.refuse_take_back, (reinforce.take_back,)),
    Attack: Rule(ATTACKING, attack.refuse, (attack.roll, attack.capture)),
    Occupy: Rule(ATTACKING, occupy.refuse, (occupy.occupy,)),
    Fortify: Rule(
        TURN,
        fortify.refuse,
        (fortify.draw_card, fortify.move, fortify.close, fortify.next_turn),
    ),
    EndTurn: Rule(TURN, _never, (fortify.draw_card, fortify.close, fortify.next_turn)),
    Forsake: Rule(TURN, forsake.refuse, (forsake.forsake,)),
    CloseGame: Rule(ALWAYS, closing.refuse, (closing.close,)),
    SetTerritory: Rule(TURN, overrule.refuse_territory, (overrule.set_territory,)),
    SetHand: Rule(TURN, overrule.refuse_hand, (overrule.set_hand,)),
    SetRule: Rule(SETUP | TURN, overrule.refuse_rule, (overrule.set_rule,)),
    RenewDice: Rule(SETUP | TURN, overrule.refuse_link, (overrule.renew_dice,)),
}


def play(state: State, action: Action, chance: Chance) -> Played | Refusal:
    """The state after the action and all that happened; or why the rules say no to it."""
    refusal = refuse(state, action)
    if refusal is not None:
        return refusal
    events: tuple[Event, ...] = ()
    for step in RULES[type(action)].steps:
        state, happened = step(state, action, chance)
        events += happened
        if not happened:
            continue
        if state.phase is Phase.OVER:
            return Played(state, events)
        if state.missions:
            state = missions.timed(state, happened)
        won = goal.victory(state)
        if won is not None:
            state, happened = goal.declare(state, won)
            return Played(state, events + happened)
    return Played(state, events)


def refuse(state: State, action: Action) -> Refusal | None:
    """Why the action may not be done now; None if it may. Nothing is rolled or changed."""
    if state.phase is Phase.OVER:
        return refused(Reason.GAME_OVER)
    rule = RULES[type(action)]
    return (
        _refuse_pending(state, action) or _refuse_phase(state, rule) or rule.refuse(state, action)
    )


def _refuse_pending(state: State, action: Action) -> Refusal | None:
    """What has to be done before anything else: moving in, a forced trade, placing."""
    if isinstance(action, Forsake | CloseGame | SetTerritory | SetHand | RenewDice):
        return None
    waiting = state.occupation
    if waiting is not None and not isinstance(action, Occupy):
        return refused(
            Reason.MUST_OCCUPY,
            source=waiting.source,
            target=waiting.target,
            least=waiting.least,
            most=waiting.most,
        )
    if not isinstance(action, Trade) and trade.must_trade(state, state.hand):
        return refused(Reason.MUST_TRADE, cards=len(state.hand))
    forfeits = isinstance(action, EndTurn) and action.forfeit
    if state.to_place and not forfeits and isinstance(action, Attack | Fortify | EndTurn):
        return refused(Reason.ARMIES_LEFT, to_place=state.to_place)
    return None


def _refuse_phase(state: State, rule: Rule) -> Refusal | None:
    if state.phase in rule.phases:
        return None
    later = state.phase in TURN and rule.phases <= TURN
    return refused(Reason.NOT_NOW if later else Reason.WRONG_PHASE, phase=state.phase)
