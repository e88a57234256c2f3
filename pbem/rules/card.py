"""Cards, sets and what a set is worth (rules 6 to 8)."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import combinations
from typing import NewType

from pbem.rules.board import Board, Code
from pbem.rules.ruleset import Ruleset

Card = NewType("Card", str)
"""A card's name: the code of its territory, or ``WILD``; the two wild cards are alike."""

WILD = Card("WILD")


class Symbol(StrEnum):
    """What a card shows. The pieces count 1, 5 and 10 armies, the symbols only make sets."""

    INFANTRY = "infantry"
    CAVALRY = "cavalry"
    ARTILLERY = "artillery"
    WILD = "wild"


LADDER = (4, 6, 8, 10, 12, 15)
"""Armies for the first six sets of a game; the seventh brings 20, then 5 more each (rule 7)."""

FIXED = {Symbol.INFANTRY: 4, Symbol.CAVALRY: 6, Symbol.ARTILLERY: 8}
MIXED = 10


def symbol(board: Board, card: Card, ruleset: Ruleset) -> Symbol:
    """The symbol on a card in the deck that the game plays with."""
    if card == WILD:
        return Symbol.WILD
    return Symbol(board.territories[Code(card)].symbols[ruleset.card_deck])


def full_deck(board: Board) -> tuple[Card, ...]:
    """Every card once, territories in the board's order, the wild cards last."""
    return (*(Card(code) for code in board.codes), *([WILD] * board.wild_cards))


def is_set(symbols: Iterable[Symbol], ruleset: Ruleset) -> bool:
    """Three alike, one of each, or a wild with any other two (rule 7; `wild` = pair-only)."""
    shown = list(symbols)
    plain = [s for s in shown if s is not Symbol.WILD]
    if len(shown) != 3:
        return False
    if len(plain) == 3:
        return len(set(plain)) in (1, 3)
    return ruleset.wild == "any-two" or len(set(plain)) < 2


def set_value(symbols: Iterable[Symbol], sets_traded: int, ruleset: Ruleset) -> int:
    """Armies for one set when `sets_traded` sets were traded before it in the game (rule 7)."""
    if ruleset.trade_values == "fixed":
        return _fixed_value([s for s in symbols if s is not Symbol.WILD])
    if sets_traded < len(LADDER):
        return LADDER[sets_traded]
    value = 20 + 5 * (sets_traded - len(LADDER))
    return min(value, 25) if ruleset.trade_values == "capped-25" else value


def _fixed_value(plain: Sequence[Symbol]) -> int:
    """A wild counts as what gives most: with two different symbols it completes one of each."""
    if len(plain) < 2 or len(set(plain)) > 1:
        return MIXED
    return FIXED[plain[0]]


def sets_in(hand: Sequence[Card], board: Board, ruleset: Ruleset) -> Iterator[tuple[int, int, int]]:
    """The sets in a hand as places in it (0-based, ascending), in lexical order."""
    shown = [symbol(board, card, ruleset) for card in hand]
    for places in combinations(range(len(hand)), 3):
        if is_set((shown[p] for p in places), ruleset):
            yield places


def has_set(hand: Sequence[Card], board: Board, ruleset: Ruleset) -> bool:
    """Whether three cards of the hand are a set."""
    return next(sets_in(hand, board, ruleset), None) is not None
