"""What the game master changes on the board, and how the record names who did it and why.

Each comes with an `Overruled` event before it, so that a record never shows it unmarked.
"""

import re
from collections import Counter

from pbem.rules.action import RenewDice, SetHand, SetRule, SetTerritory
from pbem.rules.board import Code
from pbem.rules.card import Card, has_set
from pbem.rules.dice import Chance
from pbem.rules.event import DiceRenewed, HandSet, RuleSet, TerritorySet
from pbem.rules.position import Phase, changed
from pbem.rules.refusal import Reason, Refusal, refused
from pbem.rules.seat import Seat
from pbem.rules.state import Played, State

LONGEST_REASON = 300


def signature(who: str) -> str:
    """Who acted as one word for the record: of an address what stands before its domain."""
    return re.sub(r"[^\w.-]+", "-", who.partition("@")[0]).strip("-") or "gm"


def one_line(reason: str) -> str:
    """A reason as a record holds it: one line, without the braces of comments, cut at its end."""
    plain = reason.translate({ord("{"): "(", ord("}"): ")"})
    return " ".join(plain.split())[:LONGEST_REASON].rstrip()


def refuse_territory(state: State, action: SetTerritory) -> Refusal | None:
    """At least one army, for a seat that stands; nobody loses the last territory by it."""
    code, owner = action.territory, action.owner
    if (moving := state.occupation) is not None:
        return refused(Reason.MUST_OCCUPY, source=moving.source, target=moving.target)
    if code not in state.owner or (owner not in state.standing and owner not in state.reserve):
        return refused(Reason.OVERRULE, territory=code, owner=owner)
    if action.armies < 1:
        return refused(Reason.TOO_FEW_ARMIES, territory=code, armies=action.armies, least=1)
    before = state.owner[code]
    if before != owner and state.held(before) == (code,):
        return refused(Reason.LAST_TERRITORY, territory=code, owner=before)
    return None


def set_territory(state: State, action: SetTerritory, _chance: Chance) -> Played:
    """The territory is the seat's, with so many armies; what was placed cannot be taken back."""
    code = Code(action.territory)
    board = changed(
        state,
        owner={**state.owner, code: action.owner},
        armies={**state.armies, code: action.armies},
        placed={},
    )
    return Played(board, (TerritorySet(code, action.owner, action.armies),))


def refuse_hand(state: State, action: SetHand) -> Refusal | None:
    """Cards that lie in the pile or among the discards, so many of each as there are."""
    if action.seat not in state.standing:
        return refused(Reason.OVERRULE, territory="", owner=action.seat)
    missing = Counter(action.cards)
    missing.subtract([*state.hands[action.seat], *state.deck, *state.discards])
    held = [card for card, count in missing.items() if count > 0]
    return refused(Reason.CARD_ELSEWHERE, card=held[0]) if held else None


def set_hand(state: State, action: SetHand, _chance: Chance) -> Played:
    """The seat holds these cards; new ones come from the discards first, then from the pile."""
    hand = state.hands[action.seat]
    dropped, wanted = _less(hand, action.cards), _less(action.cards, hand)
    discards = _less(state.discards, wanted)
    from_pile = _less(wanted, state.discards)
    dealt = changed(
        state,
        hands={**state.hands, action.seat: action.cards},
        deck=_less(state.deck, from_pile),
        discards=(*discards, *dropped),
    )
    event = HandSet(action.seat, action.cards, len(dropped), len(from_pile))
    return Played(_may_trade(dealt), (event,))


def told_hand(
    state: State, seat: Seat, cards: tuple[Card, ...] | None, count: int, dropped: int, drawn: int
) -> Played:
    """The same where the order of the pile is not known: only how many cards lie where is true.

    Without `cards` any so many do. Raises ValueError for numbers that do not fit.
    """
    hand = state.hands.get(seat, ())
    kept = hand[dropped:]
    found = count - len(kept) - drawn
    if dropped > len(hand) or found < 0 or drawn > len(state.deck) or found > len(state.discards):
        raise ValueError(f"a hand of {len(hand)} cards cannot become one of {count} like this")
    any_hand = (*kept, *state.deck[:drawn], *state.discards[:found])
    dealt = changed(
        state,
        hands={**state.hands, seat: any_hand if cards is None else cards},
        deck=state.deck[drawn:],
        discards=(*state.discards[found:], *hand[:dropped]),
    )
    return Played(_may_trade(dealt), (HandSet(seat, dealt.hands[seat], dropped, drawn),))


CHANGEABLE = frozenset(
    {
        *("attack_dice", "defence_dice", "occupation_min", "fortify"),
        *("wild", "trade_values", "forced_trade_at", "elimination_trade", "territory_bonus"),
    }
)
"""Options of the rules that can change under a running game: those that each turn reads anew."""


def refuse_rule(state: State, action: SetRule) -> Refusal | None:
    """Only what a turn reads anew, and nothing that means nothing beside the other options."""
    wanted = {**state.coming, action.option: action.value}
    if action.option not in CHANGEABLE or any(state.ruleset.faults(wanted)):
        return refused(Reason.OVERRULE, territory="", owner="")
    return None


def set_rule(state: State, action: SetRule, _chance: Chance) -> Played:
    """The option waits for the next turn; one that is set back to what it is waits no more."""
    wanted = {**state.coming, action.option: action.value}
    coming = {
        name: value for name, value in wanted.items() if value != getattr(state.ruleset, name)
    }
    return Played(changed(state, coming=coming), (RuleSet(action.option, action.value),))


def renew_rules(state: State) -> State:
    """What was waiting counts now."""
    was = {name: getattr(state.ruleset, name) for name in state.coming}
    rules = state.ruleset.with_options(state.coming)
    return changed(state, ruleset=rules, coming={}, began_with={**was, **state.began_with})


def refuse_link(state: State, action: RenewDice) -> Refusal | None:
    """Links and the numbers of rolls only go forward."""
    if action.link <= state.link or action.roll < state.next_roll:
        return refused(Reason.USED_LINK, link=action.link, roll=action.roll)
    return None


def renew_dice(state: State, action: RenewDice, _chance: Chance) -> Played:
    """What is rolled from here on has other dice than those that are known."""
    renewed = changed(state, link=action.link, next_roll=action.roll)
    return Played(renewed, (DiceRenewed(action.link, action.roll),))


def _less(cards: tuple[Card, ...], others: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards without the others, each taken away once, from the front."""
    taken, left = Counter(others), []
    for card in cards:
        if taken[card]:
            taken[card] -= 1
        else:
            left.append(card)
    return tuple(left)


def _may_trade(state: State) -> State:
    """Before anything is placed, whether the seat on turn may trade hangs on its hand."""
    begins = state.phase in (Phase.TRADE, Phase.PLACE) and not state.placed and not state.mid_turn
    if not begins:
        return state
    trades = has_set(state.hand, state.board, state.ruleset)
    return changed(state, phase=Phase.TRADE if trades else Phase.PLACE)
