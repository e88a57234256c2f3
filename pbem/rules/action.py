"""What a seat may do, as values in the imperative. The file of each rule plays its own kind.

A seat is not part of an action of the turn: only the seat on turn acts. In the setup, where every
seat acts in its turn, it is the one whose turn it is to claim, to fill or to choose.
"""

from dataclasses import dataclass

from pbem.rules.board import Code
from pbem.rules.card import Card
from pbem.rules.seat import Seat


@dataclass(frozen=True, slots=True)
class Claim:
    """Put one army on a free territory during the setup."""

    territory: Code


@dataclass(frozen=True, slots=True)
class Fill:
    """Put one army of the reserve on an own territory during the setup."""

    territory: Code


@dataclass(frozen=True, slots=True)
class ChooseCapital:
    """Make an own territory the capital, unseen until all have chosen."""

    territory: Code


@dataclass(frozen=True, slots=True)
class Trade:
    """Trade three cards, named by their places in the hand (0-based), for armies (rules 7, 8).

    `bonus` is the own territory that takes the 2 extra armies; None where none qualifies or is
    wanted.
    """

    cards: tuple[int, int, int]
    bonus: Code | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Put armies at hand on an own territory (rule 3)."""

    territory: Code
    armies: int


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take up again what was placed since the turn began or the last trade, before any roll."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One roll from an own territory against a neighbour (rule 4).

    `defence` is the number of dice the defender's standing order chose; None rolls the most.
    """

    source: Code
    target: Code
    dice: int
    defence: int | None = None


@dataclass(frozen=True, slots=True)
class Occupy:
    """Move so many armies in all into the territory just captured (rule 5)."""

    armies: int


@dataclass(frozen=True, slots=True)
class Fortify:
    """The one move at the end: draws the card that was earned, closes the turn (rules 6, 10)."""

    source: Code
    target: Code
    armies: int


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Draw the card that was earned and close the turn without a move (rule 6).

    With `forfeit` the armies not placed are lost: the deadline's act for a seat that wants it so.
    """

    forfeit: bool = False


@dataclass(frozen=True, slots=True)
class Forsake:
    """Let a seat that nobody plays any more become neutral: the table's act or the GM's."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CloseGame:
    """End the game otherwise than by its goal: no seat's act, but the table's or the GM's.

    `how` is one of `rules.closing.Ending`.
    """

    how: str
    winner: Seat | None = None


@dataclass(frozen=True, slots=True)
class SetTerritory:
    """Give a territory an owner and so many armies: the game master's act, never a seat's."""

    territory: Code
    owner: Seat
    armies: int


@dataclass(frozen=True, slots=True)
class SetRule:
    """Change a rule from the next turn on: the game master's act, never a seat's."""

    option: str
    value: str


@dataclass(frozen=True, slots=True)
class SetHand:
    """Give a seat this hand: the game master's act, never a seat's."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class RenewDice:
    """Go on with an unused dice link, whose first roll has this number (after a rollback)."""

    link: int
    roll: int


Action = (
    Claim
    | Fill
    | ChooseCapital
    | Trade
    | Place
    | TakeBack
    | Attack
    | Occupy
    | Fortify
    | EndTurn
    | Forsake
    | CloseGame
    | SetTerritory
    | SetHand
    | SetRule
    | RenewDice
)
