"""Whether a trade can be meant: E28, E12, E13, E23, E11, E14, E33."""

from collections.abc import Iterator
from dataclasses import replace

from pbem.orders.checks.outlook import Outlook, Said
from pbem.orders.mistake import Fact, Mistake, Repair
from pbem.orders.plan import CardName, Trade, Trading
from pbem.rules.board import Code
from pbem.rules.card import Card, is_set, set_value, sets_in, symbol
from pbem.rules.position import Phase
from pbem.rules.trade import automatic_set, bonus_choices, must_trade
from pbem.rules.view import View


def check(outlook: Outlook, order: Trade, said: Said) -> Iterator[Mistake]:
    """Everything that is wrong with one trade."""
    if said.mid_turn or not said.sure:
        return
    if order.cards is Trading.NONE:
        if must_trade(outlook.view, outlook.view.hand):
            yield forced(outlook, said)
        return
    if outlook.view.phase is not Phase.TRADE:
        yield said.mistake("E33", kind="trade")
    elif outlook.first_attack or outlook.first_place:
        yield said.mistake("E14", _moved_up(outlook, order, said), kind="trade")
    cards = chosen_cards(outlook, order)
    missing = [name for name, card in cards if card is None]
    if missing:
        yield said.mistake("E28", card=missing[0], hand=hand_facts(outlook.view))
        return
    found = tuple(card for _, card in cards if card is not None)
    symbols = [symbol(outlook.view.board, card, outlook.view.ruleset) for card in found]
    if order.cards is not Trading.AUTO and not is_set(symbols, outlook.view.ruleset):
        yield said.mistake("E12", symbols=tuple(s.value for s in symbols))
        return
    yield from _bonus(outlook, order, found, said)


def settle(outlook: Outlook, order: Trade, said: Said) -> Trade:
    """The trade as it will be played, with its bonus; the outlook goes on behind it."""
    view = outlook.view
    if (
        said.mid_turn
        or not said.sure
        or order.cards is Trading.NONE
        or view.phase is not Phase.TRADE
    ):
        return order
    cards = tuple(card for _, card in chosen_cards(outlook, order) if card is not None)
    while len(cards) == 3:
        choices = bonus_choices(view, cards)
        bonus = (
            order.bonus if order.bonus in choices else max(choices, key=view.threat, default=None)
        )
        if order.cards is not Trading.AUTO:
            order = replace(order, cards=cards, bonus=bonus)
        _trade(outlook, cards, bonus, said)
        view = outlook.view
        cards = ()
        if order.cards is Trading.AUTO and must_trade(view, view.hand):
            cards = _automatic(view)
    return order


def forced(outlook: Outlook, said: Said) -> Mistake:
    """E11, with the sets that can be traded: their order, armies, places for the bonus."""
    view = outlook.view
    options: list[Fact] = []
    for places in sets_in(view.hand, view.board, view.ruleset):
        cards = [view.hand[place] for place in places]
        symbols = [symbol(view.board, card, view.ruleset) for card in cards]
        worth = set_value(symbols, view.sets_traded, view.ruleset)
        order = Trade(tuple(place + 1 for place in places))
        options.append((outlook.write(order), worth, bonus_choices(view, cards)))
    return said.mistake("E11", cards=len(view.hand), options=tuple(options))


def hand_facts(view: View) -> tuple[Fact, ...]:
    """The hand as numbers and cards."""
    return tuple((number, card) for number, card in enumerate(view.hand, start=1))


def chosen_cards(outlook: Outlook, order: Trade) -> list[tuple[CardName, Card | None]]:
    """Cards by the names that the player gave them; None for one that is not in the hand.

    Numbers count in the hand as the letter showed it, also behind an earlier trade of the mail.
    """
    if isinstance(order.cards, Trading):
        return [(card, card) for card in _automatic(outlook.view)]
    left = list(outlook.view.hand)
    chosen: list[tuple[CardName, Card | None]] = []
    for name in order.cards:
        card = name if isinstance(name, str) else _numbered(outlook, name)
        if card in left:
            left.remove(card)
        else:
            card = None
        chosen.append((name, card))
    return chosen


def _numbered(outlook: Outlook, number: int) -> Card | None:
    hand = outlook.original_hand
    return hand[number - 1] if 0 < number <= len(hand) else None


def _automatic(view: View) -> tuple[Card, ...]:
    found = automatic_set(view, view.hand)
    return () if found is None else tuple(view.hand[place] for place in found.cards)


def _bonus(
    outlook: Outlook, order: Trade, cards: tuple[Card, ...], said: Said
) -> Iterator[Mistake]:
    view, wanted = outlook.view, order.bonus
    if wanted is None or wanted in bonus_choices(view, cards):
        return
    said = replace(said, quoted=outlook.write(order).rsplit(", ", 1)[-1])
    without = Repair(said.line, said.line, (outlook.write(replace(order, bonus=None)),))
    if view.bonus_taken and view.ruleset.territory_bonus == "per-turn":
        yield said.mistake(
            "E23",
            without,
            territory=wanted,
            taken_line=outlook.bonus_line,
            taken=outlook.bonus_at,
        )
        return
    choices = bonus_choices(replace(view, bonus_taken=False), cards)
    repair = None
    if len(choices) == 1:
        repair = replace(without, texts=(outlook.write(replace(order, bonus=choices[0])),))
    yield said.mistake("E13", repair, territory=wanted, held=outlook.holds(wanted), choices=choices)


def _trade(outlook: Outlook, cards: tuple[Card, ...], bonus: Code | None, said: Said) -> None:
    """The outlook behind a set: hand, armies at hand, the bonus on the board."""
    view = outlook.view
    symbols = [symbol(view.board, card, view.ruleset) for card in cards]
    hand = list(view.hand)
    for card in cards:
        hand.remove(card)
    outlook.view = replace(
        view,
        hand=tuple(hand),
        to_place=view.to_place + set_value(symbols, view.sets_traded, view.ruleset),
        sets_traded=view.sets_traded + 1,
        bonus_taken=view.bonus_taken or bonus is not None,
        placed={},
    )
    outlook.put = {}
    outlook.traded_on = said.line
    if bonus is not None:
        outlook.add(bonus, 2)
        outlook.bonus_line, outlook.bonus_at = said.line, bonus


def _moved_up(outlook: Outlook, order: Trade, said: Said) -> Repair:
    first = min(
        other.line for other in (outlook.first_attack, outlook.first_place) if other is not None
    )
    return Repair(said.line, said.line, (), first, (outlook.write(order),))
