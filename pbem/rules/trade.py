"""Trading sets of cards for armies: free, forced, and in the middle of a turn (rules 7 to 9)."""

from collections.abc import Iterable, Sequence

from pbem.rules.action import Trade
from pbem.rules.board import Code
from pbem.rules.card import WILD, Card, has_set, is_set, set_value, sets_in, symbol
from pbem.rules.claim import acting
from pbem.rules.dice import Chance
from pbem.rules.event import Traded
from pbem.rules.position import Phase, Position, changed
from pbem.rules.refusal import Reason, Refusal, refused
from pbem.rules.state import Played, State

FORCED = 5
"""Cards in hand from which on a trade is forced, also while a mid-turn trade goes on (rule 9)."""

ELIMINATION = 6
"""Cards in hand after an elimination that force a trade at once (rule 9)."""

TERRITORY_BONUS = 2
"""Extra armies on an own territory that a traded card shows (rule 8)."""


def must_trade(position: Position, hand: Sequence[Card]) -> bool:
    """Whether the seat on turn, with this hand, can do nothing else now than trade.

    Any five cards hold a set, whatever a wild completes, so it always can.
    """
    return position.phase is Phase.TRADE and len(hand) >= FORCED and _forces(position)


def _forces(position: Position) -> bool:
    if position.mid_turn:
        return position.ruleset.elimination_trade == "six-to-four"
    return position.ruleset.forced_trade_at == "5"


def trades_at_once(position: Position, hand: Sequence[Card]) -> bool:
    """Whether an elimination that left the conqueror this hand opens a trade in mid-turn."""
    enough = len(hand) >= ELIMINATION or position.ruleset.elimination_trade == "optional"
    return enough and has_set(hand, position.board, position.ruleset)


def set_worth(position: Position, cards: Iterable[Card]) -> int:
    """Armies that these three cards would bring now, the territory bonus left out."""
    symbols = [symbol(position.board, card, position.ruleset) for card in cards]
    return set_value(symbols, position.sets_traded, position.ruleset)


def bonus_choices(position: Position, cards: Iterable[Card]) -> tuple[Code, ...]:
    """Where the 2 extra armies for these cards may go: own territories, in the cards' order."""
    rule = position.ruleset.territory_bonus
    if rule == "none" or (rule == "per-turn" and position.bonus_taken):
        return ()
    shown = (Code(card) for card in cards if card != WILD)
    return tuple(code for code in shown if position.owner.get(code) == position.on_turn)


def automatic_set(position: Position, hand: Sequence[Card]) -> Trade | None:
    """The published choice of a set where the seat on turn makes none; None without a set.

    Fewest wilds, then 2 extra armies on an own territory with an enemy next to it, then the
    lowest places in the hand. The bonus goes where the largest enemy stands next to it.
    """

    def rank(trade: Trade) -> tuple[int, bool, tuple[int, int, int]]:
        wilds = sum(hand[place] == WILD for place in trade.cards)
        threatened = trade.bonus is not None and position.threat(trade.bonus) > 0
        return wilds, not threatened, trade.cards

    sets = sets_in(hand, position.board, position.ruleset)
    return min(
        (Trade(s, _bonus(position, [hand[p] for p in s])) for s in sets), key=rank, default=None
    )


def _bonus(position: Position, cards: Sequence[Card]) -> Code | None:
    return max(bonus_choices(position, cards), key=position.threat, default=None)


def refuse(state: State, action: Trade) -> Refusal | None:
    """Three cards of the own hand that are a set; the bonus, if named, where it counts."""
    hand = state.hand
    if len(set(action.cards)) != 3 or not all(0 <= place < len(hand) for place in action.cards):
        return refused(Reason.NO_SUCH_CARD, cards=len(hand))
    cards = [hand[place] for place in action.cards]
    symbols = [symbol(state.board, card, state.ruleset) for card in cards]
    if not is_set(symbols, state.ruleset):
        return refused(Reason.NO_SET, symbols=tuple(symbols))
    choices = bonus_choices(state, cards)
    if action.bonus is not None and action.bonus not in choices:
        return refused(
            Reason.BONUS, territory=action.bonus, choices=choices, taken=int(state.bonus_taken)
        )
    return None


def trade(state: State, action: Trade, _chance: Chance) -> Played:
    """The cards go to the discards, their armies to the ones at hand, the bonus on the board."""
    seat = acting(state)
    cards = tuple(state.hand[place] for place in action.cards)
    hand = tuple(card for place, card in enumerate(state.hand) if place not in action.cards)
    worth = set_worth(state, cards)
    armies = state.armies
    if action.bonus is not None:
        armies = {**armies, action.bonus: armies[action.bonus] + TERRITORY_BONUS}
    traded = changed(
        state,
        phase=Phase.TRADE if _goes_on(state, hand) else Phase.PLACE,
        armies=armies,
        hands={**state.hands, seat: hand},
        discards=state.discards + cards,
        to_place=state.to_place + worth,
        placed={},
        sets_traded=state.sets_traded + 1,
        bonus_taken=state.bonus_taken or action.bonus is not None,
    )
    return Played(traded, (Traded(seat, cards, worth, action.bonus),))


def _goes_on(state: State, hand: Sequence[Card]) -> bool:
    """At the start of a turn any further set may follow; a forced mid-turn trade stops at four."""
    stops = state.mid_turn and _forces(state) and len(hand) < FORCED
    return not stops and has_set(hand, state.board, state.ruleset)
