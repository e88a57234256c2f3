"""Capitals: each seat picks one in secret, all are shown together (rules.md, "Capitals")."""

from pbem.rules.action import ChooseCapital
from pbem.rules.card import Card
from pbem.rules.claim import acting
from pbem.rules.dice import Chance
from pbem.rules.event import CapitalsRevealed
from pbem.rules.position import Position, changed
from pbem.rules.refusal import Reason, Refusal, refused
from pbem.rules.ruleset import Ruleset
from pbem.rules.seat import Seat
from pbem.rules.state import Played, State

CAPITALS = "capitals"

SHORT = {4: 2, 5: 3}
"""Other capitals that win by `capital_target` = short; with 3 seats it is all of them."""


def target(ruleset: Ruleset, seats: int) -> int:
    """How many capitals of others must be held beside the own one."""
    every = seats - 1
    return SHORT.get(seats, every) if ruleset.capital_target == "short" else every


def refuse(state: State, action: ChooseCapital) -> Refusal | None:
    """Only an own territory can be a capital."""
    owner = state.owner.get(action.territory, "")
    if owner == state.on_turn:
        return None
    return refused(Reason.NOT_YOURS, territory=action.territory, owner=owner)


def choose(state: State, action: ChooseCapital, _chance: Chance) -> Played:
    """The choice is kept; with the last one all lie open, and their cards are out of the game."""
    seat = acting(state)
    chosen = {**state.chosen, seat: action.territory}
    if len(chosen) < len(state.seats):
        return Played(changed(state, chosen=chosen, on_turn=state.after(seat)), ())
    theirs = {Card(code) for code in chosen.values()}
    deck = tuple(card for card in state.deck if card not in theirs)
    revealed = changed(state, chosen={}, capitals=chosen, deck=deck)
    return Played(revealed, (CapitalsRevealed(tuple(chosen.items())),))


def reached(position: Position, seat: Seat) -> str | None:
    """``capitals`` if the seat holds its own and as many others as it must, at this moment."""
    held = [of for of, code in position.capitals.items() if position.owner.get(code) == seat]
    if seat not in held:
        return None
    wanted = target(position.ruleset, len(position.seats))
    return CAPITALS if len(held) - 1 >= wanted else None
