"""The end of a turn: the card, the one move, and the next seat's start (rules 6 and 10)."""

from pbem.rules.action import EndTurn, Fortify
from pbem.rules.board import Code
from pbem.rules.claim import acting
from pbem.rules.dice import Chance
from pbem.rules.event import CardDrawn, Event, Fortified, Reshuffled, TurnEnded
from pbem.rules.position import Position, changed
from pbem.rules.refusal import Reason, Refusal, refused
from pbem.rules.reinforce import start
from pbem.rules.state import Played, State


def reachable(position: Position, source: Code) -> tuple[Code, ...]:
    """Where armies of an own territory may be moved at the end of the turn, in board order."""
    match position.ruleset.fortify:
        case "none":
            return ()
        case "adjacent":
            return _own_neighbours(position, source)
        case "chain":
            return _chain(position, source)


def _own_neighbours(position: Position, code: Code) -> tuple[Code, ...]:
    seat = position.owner.get(code)
    return tuple(n for n in position.board.neighbours[code] if position.owner.get(n) == seat)


def _chain(position: Position, source: Code) -> tuple[Code, ...]:
    found, ring = {source}, [source]
    while ring:
        near = {n for code in ring for n in _own_neighbours(position, code)}
        ring = list(near - found)
        found |= near
    return tuple(code for code in position.board.codes if code in found and code != source)


def refuse(state: State, action: Fortify) -> Refusal | None:
    """Any armies but one, between two own territories that the ruleset counts as joined."""
    if state.ruleset.fortify == "none":
        return refused(Reason.NO_FORTIFY)
    for code in (action.source, action.target):
        owner = state.owner.get(code, "")
        if owner != state.on_turn:
            return refused(Reason.NOT_YOURS, territory=code, owner=owner)
    near = reachable(state, action.source)
    if action.target not in near:
        return refused(
            Reason.NOT_JOINED, source=action.source, target=action.target, reachable=near
        )
    return _refuse_armies(action, state.armies[action.source] - 1)


def _refuse_armies(action: Fortify, most: int) -> Refusal | None:
    if 1 <= action.armies <= most:
        return None
    reason = Reason.TOO_MANY if most and action.armies > most else Reason.TOO_FEW_ARMIES
    return refused(reason, territory=action.source, armies=action.armies, least=1, most=most)


def draw_card(state: State, _action: Fortify | EndTurn, chance: Chance) -> Played:
    """One card, if anything was captured in the turn and there is a card left in the game."""
    if not state.captured:
        return Played(state, ())
    events: list[Event] = []
    if not state.deck and state.discards:
        events.append(Reshuffled(len(state.discards)))
        state = _reshuffled(state, chance)
    if state.deck:
        seat, card = acting(state), state.deck[0]
        events.append(CardDrawn(seat, card))
        state = changed(
            state, deck=state.deck[1:], hands={**state.hands, seat: (*state.hand, card)}
        )
    return Played(state, tuple(events))


def _reshuffled(state: State, chance: Chance) -> State:
    number = state.reshuffles + 1
    order = chance.order(f"reshuffle-{number}", len(state.discards))
    deck = tuple(state.discards[place] for place in order)
    return changed(state, deck=deck, discards=(), reshuffles=number)


def move(state: State, action: Fortify, _chance: Chance) -> Played:
    """The armies go over in one step, however long the chain is."""
    source, target, armies = action.source, action.target, state.armies
    moved = changed(
        state,
        armies={
            **armies,
            source: armies[source] - action.armies,
            target: armies[target] + action.armies,
        },
    )
    return Played(moved, (Fortified(acting(state), source, target, action.armies),))


def close(state: State, _action: Fortify | EndTurn, _chance: Chance) -> Played:
    """The turn is over; it is still its seat's until the next one starts."""
    return Played(state, (TurnEnded(state.turn, acting(state)),))


def next_turn(state: State, _action: Fortify | EndTurn, _chance: Chance) -> Played:
    """The next seat clockwise that still stands begins."""
    return start(state, state.after(acting(state)))
