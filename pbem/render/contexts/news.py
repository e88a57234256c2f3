"""Letters that tell what happened: turns of others, the own end, notes and messages."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import ClassVar

from pbem.render.contexts.letter import Letter, Told
from pbem.render.contexts.table import Late
from pbem.render.enclosed import Tally
from pbem.rules.event import Event
from pbem.rules.seat import Seat
from pbem.rules.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRanOut(Letter):
    """To the seat whose deadline passed: `events` are what was played for it; `missed` in a row."""

    kind: ClassVar[str] = "late"
    view: View
    turn: int
    events: tuple[Event, ...]
    late: Late
    missed: int = 1
    next_seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Letter):
    """A turn closed, told to a seat that was not on move. `automatic`: the deadline closed it."""

    kind: ClassVar[str] = "report"
    view: View
    turn: int
    seat: Seat
    events: tuple[Event, ...]
    next_seat: Seat | None = None
    deadline: datetime | None = None
    automatic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyNews(Letter):
    """The turns of others since the last news, for who wants them once a day."""

    kind: ClassVar[str] = "daily"
    view: View
    events: tuple[Event, ...]
    next_seat: Seat | None = None
    deadline: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Out(Letter):
    """The reader was eliminated in `turn` by `by`."""

    kind: ClassVar[str] = "eliminated"
    view: View
    turn: int
    by: Seat


@dataclass(frozen=True, slots=True)
class Revealed:
    """A dice link that is published: its number and its secret in hex."""

    number: int
    secret: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOver(Letter):
    """`links` are the dice links not published before, `deck_seed` the deck's secret in hex.

    `final` are the events of the last turn as the reader may see them. `how` is empty where the
    goal was reached, else ``draw``, ``round-limit``, ``stalled`` or ``gm``, for a `reason`.
    """

    kind: ClassVar[str] = "game-over"
    view: View
    turn: int
    winner: Seat | None
    commitment: str
    deck_seed: str
    links: tuple[Revealed, ...] = ()
    luck: str = ""
    final: tuple[Event, ...] = ()
    how: str = ""
    reason: str = ""
    tallies: tuple[Tally, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice(Letter):
    """Short news; the words stand in `note.txt.j2`, by `about`."""

    kind: ClassVar[str] = "note"
    about: str
    facts: Mapping[str, Told | timedelta] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Press(Letter):
    """A message of another seat to `to` (empty: to all); `sender` None hides who wrote it."""

    kind: ClassVar[str] = "press"
    sender: Seat | None
    to: tuple[Seat, ...]
    text: str
