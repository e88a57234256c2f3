"""What happened, as values in the past participle. A game is its list of events.

`kind(event)` is the name that cases, the record and the store use: the class's own in kebab-case.
Secret parts of an event (faces of cards) leave only through `rules.view`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import get_args

from pbem.rules.board import Code, ContinentId
from pbem.rules.card import Card
from pbem.rules.dice import Faces
from pbem.rules.seat import Seat


@dataclass(frozen=True, slots=True)
class OrderRolled:
    """Every seat threw a die for who begins; ties for the highest threw again (rule 2).

    `throws` are rounds: the seats that threw in it and their faces.
    """

    throws: tuple[tuple[tuple[Seat, int], ...], ...]
    first: Seat


@dataclass(frozen=True, slots=True)
class Dealt:
    """The territory cards were dealt; everybody has one army on each of theirs, as the neutral."""

    seat: Seat
    territories: tuple[Code, ...]


@dataclass(frozen=True, slots=True)
class MissionDealt:
    """A seat got a mission card, by its id. None: what a reader may not know."""

    seat: Seat
    mission: str | None


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat took a free territory with one army in the setup."""

    seat: Seat
    territory: Code


@dataclass(frozen=True, slots=True)
class Filled:
    """One army of a seat's reserve, or of the neutral one, went on its territory in the setup."""

    seat: Seat
    territory: Code


@dataclass(frozen=True, slots=True)
class CapitalsRevealed:
    """All have chosen their capitals; seats in the order in which they chose."""

    capitals: tuple[tuple[Seat, Code], ...]


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A turn began and its reinforcements were counted (rule 3)."""

    turn: int
    seat: Seat
    link: int
    territories: int
    armies_for_territories: int
    continents: tuple[tuple[ContinentId, int], ...]

    @property
    def armies(self) -> int:
        """All armies that the turn begins with."""
        return self.armies_for_territories + sum(bonus for _, bonus in self.continents)


@dataclass(frozen=True, slots=True)
class Traded:
    """A set was traded; `bonus` took 2 armies besides (rules 7, 8). The cards' faces are secret."""

    seat: Seat
    cards: tuple[Card, ...]
    armies: int
    bonus: Code | None


@dataclass(frozen=True, slots=True)
class Placed:
    """Armies at hand were put on an own territory."""

    seat: Seat
    territory: Code
    armies: int


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Placements of this turn were undone: their armies are at hand again."""

    seat: Seat
    placed: tuple[tuple[Code, int], ...]


@dataclass(frozen=True, slots=True)
class Rolled:
    """One numbered roll of an attack and what it cost both sides (rule 4)."""

    number: int
    seat: Seat
    source: Code
    target: Code
    attacker: Faces
    defender: Faces
    attacker_lost: int
    defender_lost: int


@dataclass(frozen=True, slots=True)
class Captured:
    """The last army of a territory was lost: it belongs to the attacker (rule 5)."""

    seat: Seat
    source: Code
    target: Code
    loser: Seat


@dataclass(frozen=True, slots=True)
class Occupied:
    """So many armies in all moved into the captured territory (rule 5)."""

    seat: Seat
    source: Code
    target: Code
    armies: int


@dataclass(frozen=True, slots=True)
class Eliminated:
    """A seat lost its last territory, the conqueror took its cards (rule 9). Faces are secret."""

    seat: Seat
    by: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Forsaken:
    """A seat became neutral; its cards went to the discards. Their faces are secret."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Reshuffled:
    """The draw pile was empty: the discards became the new pile (rule 6)."""

    cards: int


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """The card earned by a capture (rule 6). None: what a reader may not know."""

    seat: Seat
    card: Card | None


@dataclass(frozen=True, slots=True)
class Fortified:
    """The one move at the end of a turn (rule 10)."""

    seat: Seat
    source: Code
    target: Code
    armies: int


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A turn closed."""

    turn: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class Won:
    """The game ended at this moment (rule 11). `goal`: ``world``, ``capitals`` or the mission."""

    seat: Seat
    goal: str


@dataclass(frozen=True, slots=True)
class GameClosed:
    """The game was ended without its goal being reached: `how` is one of `closing.Ending`."""

    how: str
    winner: Seat | None


@dataclass(frozen=True, slots=True)
class Overruled:
    """The game master acted on the game from outside its rules, for a reason that all may read.

    `act` and `words` are what the record says of it, `by` is one word. What the act did to the
    board stands in the events after this one.
    """

    act: str
    words: tuple[str, ...]
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class TerritorySet:
    """The game master gave a territory this owner and so many armies."""

    territory: Code
    seat: Seat
    armies: int


@dataclass(frozen=True, slots=True)
class HandSet:
    """The game master gave a seat this hand, whose faces are secret.

    So many of its cards went to the discards, so many came from the pile; others were discards.
    """

    seat: Seat
    cards: tuple[Card, ...]
    dropped: int
    drawn: int


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The game master changed an option of the rules; it counts from the next turn on."""

    option: str
    value: str


@dataclass(frozen=True, slots=True)
class RolledBack:
    """The game goes on from where it stood after the event `to`: what came since is undone.

    Events are counted from 1, over all branches; `branch` opens here, the first one is 0.
    """

    to: int
    branch: int
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class DiceRenewed:
    """The turn goes on with an unused dice link, since rolls of its own are known.

    `roll` is the number of the next roll: none is given twice to different dice.
    """

    link: int
    roll: int


Event = (
    OrderRolled
    | MissionDealt
    | Dealt
    | Claimed
    | Filled
    | CapitalsRevealed
    | TurnStarted
    | Traded
    | Placed
    | TakenBack
    | Rolled
    | Captured
    | Occupied
    | Eliminated
    | Forsaken
    | Reshuffled
    | CardDrawn
    | Fortified
    | TurnEnded
    | Won
    | GameClosed
    | Overruled
    | TerritorySet
    | HandSet
    | RuleSet
    | RolledBack
    | DiceRenewed
)


@cache
def _kebab(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def kind(event: Event) -> str:
    """The event's name for the outside, e.g. ``card-drawn``."""
    return _kebab(type(event).__name__)


KINDS: Mapping[str, type[Event]] = {_kebab(event.__name__): event for event in get_args(Event)}
"""The kinds of event by name."""
