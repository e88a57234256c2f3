"""Cards: what a set is and what it brings (rule 7)."""

from itertools import combinations_with_replacement

import pytest

from pbem.rules.card import WILD, Symbol, full_deck, has_set, is_set, set_value, sets_in, symbol
from pbem.rules.ruleset import Ruleset, ruleset
from tests.rules.table import WORLD, cards

CLASSIC = ruleset("classic-1993")
PAIR_ONLY = ruleset("classic-1993", {"wild": "pair-only"})
INF, CAV, ART, ANY = Symbol.INFANTRY, Symbol.CAVALRY, Symbol.ARTILLERY, Symbol.WILD


def test_the_deck_is_every_territory_once_and_two_wilds() -> None:
    deck = full_deck(WORLD)
    assert len(deck) == 44
    assert deck.count(WILD) == 2
    assert set(deck) == {*WORLD.codes, WILD}


@pytest.mark.parametrize("deck", ["hasbro", "continental"])
def test_each_symbol_stands_on_fourteen_cards(deck: str) -> None:
    rules = ruleset("classic-1993", {"card_deck": deck})
    shown = [symbol(WORLD, card, rules) for card in full_deck(WORLD)]
    assert [shown.count(s) for s in (INF, CAV, ART, ANY)] == [14, 14, 14, 2]


@pytest.mark.parametrize(
    ("symbols", "any_two", "pair_only"),
    [
        ((INF, INF, INF), True, True),
        ((CAV, CAV, CAV), True, True),
        ((INF, CAV, ART), True, True),
        ((ART, INF, CAV), True, True),
        ((INF, INF, CAV), False, False),
        ((ANY, INF, INF), True, True),
        ((ANY, INF, CAV), True, False),
        ((ANY, ANY, ART), True, True),
        ((INF, CAV), False, False),
        ((ANY, ANY), False, False),
        ((INF, INF, INF, INF), False, False),
    ],
)
def test_three_alike_one_of_each_or_a_wild(
    symbols: tuple[Symbol, ...], any_two: bool, pair_only: bool
) -> None:
    assert is_set(symbols, CLASSIC) is any_two
    assert is_set(symbols, PAIR_ONLY) is pair_only


@pytest.mark.parametrize("rules", [CLASSIC, PAIR_ONLY], ids=["any-two", "pair-only"])
def test_five_cards_of_any_kind_hold_a_set(rules: Ruleset) -> None:
    one_of = {INF: "ALA", CAV: "ALB", ART: "CAM", ANY: "WILD"}
    for kinds in combinations_with_replacement(one_of, 5):
        hand = cards(" ".join(one_of[kind] for kind in kinds))
        assert has_set(hand, WORLD, rules), kinds


def test_a_pair_only_hand_of_three_with_a_wild_may_hold_none() -> None:
    assert has_set(cards("ALA ALB WILD"), WORLD, CLASSIC)
    assert not has_set(cards("ALA ALB WILD"), WORLD, PAIR_ONLY)


def test_two_pairs_are_no_set() -> None:
    assert not has_set(cards("ALA ARG ALB GRL"), WORLD, CLASSIC)


def test_sets_are_places_in_the_hand_in_order() -> None:
    hand = cards("ALA ALB ARG CAM PRU")
    assert list(sets_in(hand, WORLD, CLASSIC)) == [(0, 1, 3), (0, 2, 4), (1, 2, 3), (1, 3, 4)]


def test_the_values_climb_by_one_counter() -> None:
    values = [set_value((INF, CAV, ART), traded, CLASSIC) for traded in range(11)]
    assert values == [4, 6, 8, 10, 12, 15, 20, 25, 30, 35, 40]


def test_the_values_may_stop_at_25() -> None:
    capped = ruleset("classic-1993", {"trade_values": "capped-25"})
    assert [set_value((INF, CAV, ART), traded, capped) for traded in (5, 6, 7, 8, 30)] == [
        *(15, 20, 25, 25, 25)
    ]


@pytest.mark.parametrize(
    ("symbols", "armies"),
    [
        ((INF, INF, INF), 4),
        ((CAV, CAV, CAV), 6),
        ((ART, ART, ART), 8),
        ((INF, CAV, ART), 10),
        ((ANY, INF, INF), 4),
        ((ANY, ART, ART), 8),
        ((ANY, INF, ART), 10),
        ((ANY, ANY, INF), 10),
    ],
)
def test_fixed_values_go_by_the_kind_and_a_wild_counts_as_what_gives_most(
    symbols: tuple[Symbol, ...], armies: int
) -> None:
    fixed = ruleset("classic-1993", {"trade_values": "fixed"})
    assert set_value(symbols, 9, fixed) == armies
