"""The orders of a mail as values: what a sentence says, before the rules have their word.

Sheet orders, not the rules' actions: one attack here is as many rolls as its limits allow. Every
value has one text form, which `write` prints and `reader` reads back.
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum

from pbem.rules.board import Code, ContinentId
from pbem.rules.card import Card
from pbem.rules.odds import Limits


class Amount(StrEnum):
    """Armies that are not said as a number."""

    ALL = "all"
    LEAST = "least"
    REST = "rest"


class Trading(StrEnum):
    """Trades that name no card."""

    AUTO = "auto"
    NONE = "none"


class Otherwise(StrEnum):
    """What an attack does to the rest of the plan if it captured nothing."""

    STOP = "stop"
    PAUSE = "pause"
    GO_ON = "continue"


CardName = int | Card
"""A card of the hand: its number in the letter (1-based), its territory's code, or WILD."""


@dataclass(frozen=True, slots=True)
class Trade:
    """Trade one set (three cards), by itself (AUTO) or not at all (NONE)."""

    cards: tuple[CardName, ...] | Trading
    bonus: Code | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """Armies for one territory; REST is what the other spots leave."""

    territory: Code
    armies: int | Amount


@dataclass(frozen=True, slots=True)
class Place:
    """Put armies at hand on own territories."""

    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Attack:
    """Attack along a path: the source, then each target in turn.

    `limits` say how far each link goes. `captured` is the spoken form of `all_in` ("until
    captured"). `move` are the armies that move in, `leave` those that stay behind at each link;
    None in both takes the default of the plan. `odds` goes on while the chance to capture is at
    least so many percent, `until` while that territory holds more armies.
    """

    path: tuple[Code, ...]
    limits: Limits = field(default_factory=Limits)
    captured: bool = False
    odds: int | None = None
    until: tuple[Code, int] | None = None
    move: int | Amount | None = None
    leave: int | None = None
    otherwise: Otherwise | None = None

    @property
    def source(self) -> Code:
        """Where the attack starts."""
        return self.path[0]

    @property
    def targets(self) -> tuple[Code, ...]:
        """What is attacked, in turn."""
        return self.path[1:]

    def link(self, place: int) -> "Attack":
        """The attack of one link of the chain alone, `place` counted from 0."""
        return replace(self, path=self.path[place : place + 2])


@dataclass(frozen=True, slots=True)
class Occupy:
    """Move armies into the territory that was just captured."""

    armies: int | Amount


@dataclass(frozen=True, slots=True)
class Fortify:
    """The one move at the end. `armies` is a number, or all but `but`.

    A source or a number that was not said is None: the check asks for it.
    """

    source: Code | None
    target: Code
    armies: int | None = None
    but: int | None = None


class Flow(StrEnum):
    """Orders of one word."""

    END = "end"
    STOP = "stop"
    PAUSE = "pause"
    CONTINUE = "continue"
    TAKE_BACK = "take-back"


class Wish(StrEnum):
    """What a claim may want beside a territory or a continent."""

    NEAREST = "nearest"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Claim:
    """Territories wanted in the draft, the dearest first."""

    wants: tuple[Code | ContinentId | Wish, ...]


@dataclass(frozen=True, slots=True)
class Fill:
    """Armies of the setup's reserve wanted on territories."""

    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Avoid:
    """Continents to claim last."""

    continents: tuple[ContinentId, ...]


@dataclass(frozen=True, slots=True)
class PlaceNeutral:
    """Where the armies that the seat places for the neutral army go in the setup."""

    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Capital:
    """The own territory that is to be the capital."""

    territory: Code


Order = (
    Trade | Place | Attack | Occupy | Fortify | Flow | Claim | Fill | Avoid | PlaceNeutral | Capital
)


@dataclass(frozen=True, slots=True)
class Captured:
    """The last attack captured; with a territory: that one is held now."""

    territory: Code | None = None
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Hold:
    """A territory or a whole continent is held."""

    what: Code | ContinentId
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Armies:
    """A territory has at least, or at most, so many armies, whoever holds it."""

    territory: Code
    count: int
    at_most: bool = False


@dataclass(frozen=True, slots=True)
class Chance:
    """The chance that the guarded attack captures, in percent."""

    percent: int
    at_most: bool = False


@dataclass(frozen=True, slots=True)
class NoCard:
    """Nothing was captured in this turn yet."""


@dataclass(frozen=True, slots=True)
class Eliminated:
    """A seat was eliminated by an attack of this plan."""

    negated: bool = False


Condition = Captured | Hold | Armies | Chance | NoCard | Eliminated


@dataclass(frozen=True, slots=True)
class Guard:
    """The orders of a sentence are done if (or unless) all conditions are true."""

    conditions: tuple[Condition, ...]
    unless: bool = False


@dataclass(frozen=True, slots=True)
class Else:
    """Done if the guard before it was false; without one before: if the last attack failed."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """Orders under one guard."""

    orders: tuple[Order, ...]
    guard: Guard | Else | None = None

    @property
    def awaits_elimination(self) -> bool:
        """Whether it is there for the case that a seat is eliminated."""
        if not isinstance(self.guard, Guard) or self.guard.unless:
            return False
        return any(isinstance(c, Eliminated) and not c.negated for c in self.guard.conditions)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the mail that was read: its number from 1, its words and its sentences."""

    number: int
    text: str
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Lines to run from top to bottom, with the defaults that hang on other lines filled in."""

    lines: tuple[Line, ...]
    language: str = "en"
