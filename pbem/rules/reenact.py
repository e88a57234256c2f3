"""What each line of a record does, played by the rules; one step a kind of line.

Cards whose faces the record hides are played with stand-ins: how many cards a hand holds and what
a set was worth is public, and nothing else of a card reaches the board but the territory that took
the 2 extra armies.
"""

import re
from collections.abc import Callable, Iterable, Mapping

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
from pbem.rules.adjudicate import play
from pbem.rules.board import Code
from pbem.rules.card import WILD, Card, Symbol, full_deck, sets_in, symbol
from pbem.rules.event import Event, Overruled
from pbem.rules.overrule import told_hand
from pbem.rules.position import Phase, Position, changed
from pbem.rules.record import GM, HIDDEN
from pbem.rules.recorded import MismatchError, Recorded, Words
from pbem.rules.refusal import Refusal
from pbem.rules.seat import Seat
from pbem.rules.setup import open_setup
from pbem.rules.state import Played, State
from pbem.rules.trade import set_worth
from pbem.rules.transcript import Block, read_roll, unescaped

_USED = Card("")


def reenact(state: State, words: Words, chance: Recorded) -> Played:
    """Plays the actions of one line; what only tells a result is compared by `rules.verify`.

    Raises MismatchError for what cannot come next.
    """
    step = _STEPS.get(words[0])
    if step is None:
        raise MismatchError(f"no line begins with {words[0]!r}")
    try:
        return step(state, words, chance)
    except (ValueError, IndexError) as error:
        raise MismatchError(f"the line is not readable: {error}") from error


def close_turn(state: State, block: Block, chance: Recorded) -> Played:
    """Ends the turn, if neither a fortify nor the victory has done it."""
    if state.turn != block.turn or state.phase is Phase.OVER or block.turn == 0:
        return Played(state, ())
    # The record shows by itself whether armies were left: a deadline may let them lapse.
    return _act(state, EndTurn(forfeit=True), chance)


def renew_dice(state: State, words: Words, chance: Recorded) -> Played:
    """Goes on with the dice of another link: `dice link N roll M` at the head of a block."""
    return _act(state, RenewDice(int(words[2]), int(words[4])), chance)


_MARK = re.compile(rf'{GM} (\S+)((?: \S+)*?) by (\S+) "((?:[^"\\]|\\.)*)"')


def overruled(words: Words) -> Overruled:
    """What a line of the game master says; raises MismatchError for another form."""
    match = _MARK.fullmatch(" ".join(words))
    if match is None:
        raise MismatchError('a line of the game master is: @gm WHAT by WHO "WHY"')
    act, said, by, reason = match.groups()
    return Overruled(act, tuple(said.split()), by, unescaped(reason))


def _act(state: State, action: Action, chance: Recorded) -> Played:
    played = play(state, action, chance)
    if isinstance(played, Refusal):
        raise MismatchError(f"the rules refuse this: {played.reason}")
    return played


def _act_all(state: State, actions: Iterable[Action], chance: Recorded) -> Played:
    events: list[Event] = []
    for action in actions:
        state, happened = _act(state, action, chance)
        events += happened
    return Played(state, tuple(events))


def _code(state: State, word: str) -> Code:
    if word not in state.board.territories:
        raise MismatchError(f"there is no territory {word}")
    return Code(word)


def _told(state: State, _words: Words, _chance: Recorded) -> Played:
    return Played(state, ())


def _order(state: State, _words: Words, chance: Recorded) -> Played:
    """The first order opens the setup; another one was thrown when the setup was done."""
    return open_setup(state, chance) if state.phase is Phase.INVITED else Played(state, ())


def _mission(state: State, words: Words, _chance: Recorded) -> Played:
    """A hidden mission is nobody's: as long as it is hidden it has won nothing."""
    if words[2] != HIDDEN:
        return Played(state, ())
    known = {seat: mission for seat, mission in state.missions.items() if seat != words[1]}
    return Played(changed(state, missions=known), ())


def _draft(state: State, words: Words, chance: Recorded) -> Played:
    codes = [_code(state, word.split(":")[1]) for word in words[1:]]
    return _act_all(state, map(_SETUP[words[0]], codes), chance)


_SETUP: Mapping[str, Callable[[Code], Action]] = {
    "claim": Claim,
    "fill": Fill,
    "capital": ChooseCapital,
}


def _trade(state: State, words: Words, chance: Recorded) -> Played:
    bonus = _code(state, words[words.index("bonus") + 1]) if "bonus" in words else None
    cards = [Card(word) for word in words[1:4]]
    if HIDDEN in cards:
        cards = _stand_ins(state, int(words[5]), bonus)
        state = _with_hand(state, (*cards, *state.hand[3:]))
    hand, places = list(state.hand), []
    for card in cards:
        if card not in hand:
            raise MismatchError(f"the hand has no card {card}")
        places.append(hand.index(card))
        hand[places[-1]] = _USED
    first, second, third = places
    return _act(state, Trade((first, second, third), bonus), chance)


def _with_hand(state: State, hand: tuple[Card, ...]) -> State:
    if len(state.hand) != len(hand) or state.on_turn is None:
        raise MismatchError(f"the hand has only {len(state.hand)} cards")
    return changed(state, hands={**state.hands, state.on_turn: hand})


def _stand_ins(position: Position, armies: int, bonus: Code | None) -> list[Card]:
    """A set that is worth so much and shows that territory; any set if there is none."""
    few = [Card(bonus)] if bonus else []
    for shown in Symbol:
        few += [card for card in full_deck(position.board) if _shows(position, card, shown)][:3]
    sets = [
        [few[place] for place in places]
        for places in sets_in(few, position.board, position.ruleset)
        if bonus is None or 0 in places
    ]
    return next((cards for cards in sets if set_worth(position, cards) == armies), sets[0])


def _shows(position: Position, card: Card, shown: Symbol) -> bool:
    return symbol(position.board, card, position.ruleset) is shown


def _place(state: State, words: Words, chance: Recorded) -> Played:
    spots = zip(words[1::2], words[2::2], strict=True)
    return _act_all(state, (Place(_code(state, code), int(n)) for code, n in spots), chance)


def _back(state: State, _words: Words, chance: Recorded) -> Played:
    return _act(state, TakeBack(), chance)


def _attack(state: State, words: Words, chance: Recorded) -> Played:
    source, target = _code(state, words[1]), _code(state, words[2])
    events: list[Event] = []
    for roll in filter(None, map(read_roll, words[3:])):
        if roll.number != state.next_roll:
            raise MismatchError(f"the next roll is {state.next_roll}, not {roll.number}")
        attack = Attack(source, target, len(roll.attacker), len(roll.defender))
        state, happened = _act(state, attack, chance)
        events += happened
    if "take" in words:
        state, happened = _take(state, words[words.index("take") :], chance)
        events += happened
    return Played(state, tuple(events))


def _take(state: State, words: Words, chance: Recorded) -> Played:
    """Moves in, unless that went without saying."""
    if state.occupation is None:
        return Played(state, ())
    return _act(state, Occupy(int(words[1])), chance)


def _card(state: State, words: Words, chance: Recorded) -> Played:
    """Lays the card that will be drawn on top, where the order of the pile is not known."""
    if chance.knows_the_deck:
        return Played(state, ())
    card = WILD if words[1] == HIDDEN else Card(words[1])
    if card != WILD:
        _code(state, card)
    if state.deck:
        return Played(changed(state, deck=(card, *state.deck[1:])), ())
    return Played(changed(state, discards=(card, *state.discards[1:])), ())


def _fortify(state: State, words: Words, chance: Recorded) -> Played:
    source, target = _code(state, words[1]), _code(state, words[2])
    return _act(state, Fortify(source, target, int(words[3])), chance)


def _forsaken(state: State, words: Words, chance: Recorded) -> Played:
    return _act(state, Forsake(Seat(words[1])), chance)


def _overruled(state: State, words: Words, _chance: Recorded) -> Played:
    return Played(state, (overruled(words),))


def _set(state: State, words: Words, chance: Recorded) -> Played:
    action = SetTerritory(_code(state, words[1]), Seat(words[2]), int(words[3]))
    return _act(state, action, chance)


def _rule(state: State, words: Words, chance: Recorded) -> Played:
    return _act(state, SetRule(words[1], words[2]), chance)


def _hand(state: State, words: Words, chance: Recorded) -> Played:
    """Only the numbers of cards are public, and where the pile is secret only they can be true."""
    seat, cards = Seat(words[1]), tuple(map(Card, words[4:]))
    if chance.knows_the_deck:
        return _act(state, SetHand(seat, cards), chance)
    shown = None if HIDDEN in cards else cards
    return told_hand(state, seat, shown, len(cards), dropped=-int(words[2]), drawn=int(words[3]))


def _closed(state: State, words: Words, chance: Recorded) -> Played:
    winner = Seat(words[2]) if len(words) > 2 else None
    return _act(state, CloseGame(words[1], winner), chance)


_STEPS: Mapping[str, Callable[[State, Words, Recorded], Played]] = {
    "order": _order,
    "mission": _mission,
    "deal": _told,
    "claim": _draft,
    "fill": _draft,
    "capital": _draft,
    "get": _told,
    "trade": _trade,
    "place": _place,
    "back": _back,
    "attack": _attack,
    "take": _take,
    "out": _told,
    "forsaken": _forsaken,
    "shuffle": _told,
    "card": _card,
    "fortify": _fortify,
    "won": _told,
    "closed": _closed,
    GM: _overruled,
    "set": _set,
    "hand": _hand,
    "rule": _rule,
}
