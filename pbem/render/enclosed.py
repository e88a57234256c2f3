"""Pages that an answer encloses where they were asked for: help, history, figures, settings, cards.

How the dice fell stands here too: a letter at the end of the game and the pages of the web show it.
Events are the reader's own, as in `contexts`.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pbem.rules.event import Event
from pbem.rules.fortune import Fortune
from pbem.rules.seat import Seat


@dataclass(frozen=True, slots=True)
class HelpPage:
    """How to write orders, or the part of it on a topic."""

    page: ClassVar[str] = "help"
    topic: str = ""
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnTold:
    """One turn of the history; turn 0 is the setup. Events are the reader's own."""

    turn: int
    seat: Seat | None
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """The turns asked for; `more` is the first that found no room."""

    page: ClassVar[str] = "history"
    turns: tuple[TurnTold, ...]
    more: int | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """Dice of a seat: how often it threw each face, 1 to 6, and what its battles came to."""

    seat: Seat
    faces: tuple[int, int, int, int, int, int]
    killed: int
    captures: int
    fortune: Fortune

    @property
    def dice(self) -> int:
        """All dice that it threw."""
        return sum(self.faces)

    @property
    def band(self) -> tuple[int, int]:
        """How often a face comes in so many dice, in 19 of 20 cases: from and to."""
        mean, wide = self.dice / 6, 1.96 * math.sqrt(self.dice * 5) / 6
        return max(math.ceil(mean - wide), 0), math.floor(mean + wide)


@dataclass(frozen=True, slots=True)
class LuckAfter:
    """The armies that luck had spared each seat when a turn was over, since the game began."""

    turn: int
    gained: Mapping[Seat, float]


@dataclass(frozen=True, slots=True)
class Fallen:
    """How the dice of a game fell; `line` has the turns with battles, in order."""

    tallies: tuple[Tally, ...] = ()
    line: tuple[LuckAfter, ...] = ()


@dataclass(frozen=True, slots=True)
class StatsPage:
    """Figures of the whole game from its public events; the standings come from the view."""

    page: ClassVar[str] = "stats"
    tallies: tuple[Tally, ...]


@dataclass(frozen=True, slots=True)
class StandingPage:
    """All that holds for the reader, as orders that would set it so; `next_turn` is kept."""

    page: ClassVar[str] = "standing"
    orders: tuple[str, ...]
    next_turn: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HandPage:
    """The reader's cards, in a letter that would not show them by itself."""

    page: ClassVar[str] = "hand"


Page = HelpPage | HistoryPage | StatsPage | StandingPage | HandPage
