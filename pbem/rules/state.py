"""The state of one game: a frozen value; playing returns a new one.

Everything that a game needs to go on is here, secrets included; what a reader may know of it
leaves only through `rules.view`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from pbem.rules.board import Code
from pbem.rules.card import Card
from pbem.rules.event import Event
from pbem.rules.position import Position
from pbem.rules.ruleset import Ruleset
from pbem.rules.seat import Seat


@dataclass(frozen=True)
class State(Position):
    """A position with its secrets.

    `hands` holds every seat's cards in the order in which they came, `deck` the draw pile with the
    next card first, `reshuffles` how often the discards became the pile (it labels the shuffles).
    `missions` are the ids of what each seat has to do, its own colour already exchanged;
    `held_since` for how many full rounds a seat has fulfilled a mission that must be held;
    `chosen` are capitals that are not revealed yet. `began_with` are options of the rules as they
    were at the beginning, of those that were changed since.
    """

    hands: Mapping[Seat, tuple[Card, ...]] = field(default_factory=dict)
    deck: tuple[Card, ...] = ()
    discards: tuple[Card, ...] = ()
    reshuffles: int = 0
    missions: Mapping[Seat, str] = field(default_factory=dict)
    held_since: Mapping[Seat, int] = field(default_factory=dict)
    chosen: Mapping[Seat, Code] = field(default_factory=dict)
    began_with: Mapping[str, str] = field(default_factory=dict)

    @property
    def first_ruleset(self) -> Ruleset:
        """The rules that the game began with."""
        return self.ruleset.with_options(self.began_with)

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards of the seat on turn; nothing while nobody is."""
        return self.hands.get(self.on_turn, ()) if self.on_turn is not None else ()


class Played(NamedTuple):
    """What playing gives back: the new state, and what happened on the way to it."""

    state: State
    events: tuple[Event, ...]
