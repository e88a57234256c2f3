"""The reader's own cards: what they can be traded for (rules 7 and 8)."""

from dataclasses import dataclass

from pbem.rules.board import Code
from pbem.rules.card import sets_in
from pbem.rules.trade import automatic_set, bonus_choices, set_worth
from pbem.rules.view import View


@dataclass(frozen=True, slots=True)
class Offer:
    """A set in the hand: its cards by their numbers in the letter (1-based) and what it brings.

    `bonus` lists where 2 armies more may go. `announced` is the set that is traded by itself when
    a trade is forced and none is ordered.
    """

    cards: tuple[int, int, int]
    armies: int
    bonus: tuple[Code, ...]
    announced: bool


def offers(view: View) -> tuple[Offer, ...]:
    """Every set in the reader's hand, the announced one first, the others in the cards' order."""
    automatic = automatic_set(view, view.hand)
    found = (
        Offer(
            cards=(places[0] + 1, places[1] + 1, places[2] + 1),
            armies=set_worth(view, [view.hand[place] for place in places]),
            bonus=bonus_choices(view, [view.hand[place] for place in places]),
            announced=automatic is not None and automatic.cards == places,
        )
        for places in sets_in(view.hand, view.board, view.ruleset)
    )
    return tuple(sorted(found, key=lambda offer: not offer.announced))
