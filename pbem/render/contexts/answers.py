"""Letters that answer a mail: what was understood, what came of it, what can be asked next."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import ClassVar, Literal

from pbem.orders.forecast import Forecast
from pbem.orders.mistake import Fact, Mistake, Note
from pbem.orders.sheet import Ignored
from pbem.render.contexts.letter import Letter
from pbem.render.contexts.table import USUAL_LATE, Late, Table
from pbem.rules.event import Event
from pbem.rules.seat import Seat
from pbem.rules.view import View


@dataclass(frozen=True, slots=True)
class Understood:
    """A line of the player's mail (1-based) in canonical orders, and what came of it.

    A line that could not be done is `skipped`; its notes say why.
    """

    line: int | None
    orders: tuple[str, ...]
    events: tuple[Event, ...] = ()
    notes: tuple[Note, ...] = ()
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class Proposed:
    """An order that a YES would play; `capture` is the chance that an attack takes its target.

    `full_dice`: it is an attack that ends when three dice cannot be rolled any more.
    """

    order: str
    capture: Fraction | float | None = None
    full_dice: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Done(Letter):
    """Orders were played, or kept, or were there before. `thread` is the subject answered.

    `lines` say how the mail was understood; `events` belong to no line (the turn's close). With
    `repeated` the same orders were done at that moment and nothing happened now. `listed`: a list
    for the setup was kept, which ran with it if the view is past the setup. `unanswered`: the
    reader's invitation still waits for a YES or NO. `hand_asked`: the mail asked for the hand, so
    an empty one is named, and the mission comes with it.
    """

    kind: ClassVar[str] = "done"
    thread: str
    view: View
    closed: bool
    lines: tuple[Understood, ...] = ()
    events: tuple[Event, ...] = ()
    notes: tuple[Note, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    deadline: datetime | None = None
    next_seat: Seat | None = None
    repeated: datetime | None = None
    listed: bool = False
    unanswered: bool = False
    hand_asked: bool = False
    examples: tuple[str, ...] = ()
    late: Late = USUAL_LATE


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistakes(Letter):
    """Nothing was done. `corrected` is what YES would play, None if no text can be offered.

    `board` prints the board (a step that is no longer current). `tongue`: the mail seems to be
    written in that one, which is not the reader's. `played`: the lines in
    `understood` stand before the mistake and were played, since the seat wants it so. `rules` are
    links to those behind the mistakes, each told in plain words.
    """

    kind: ClassVar[str] = "mistakes"
    thread: str
    view: View
    mistakes: tuple[Mistake, ...]
    understood: tuple[Understood, ...] = ()
    notes: tuple[Note, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    corrected: tuple[Proposed, ...] | None = None
    deadline: datetime | None = None
    board: bool = False
    tongue: str | None = None
    played: bool = False
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview(Letter):
    """What a plan may come to; nothing was done.

    `supposed`: it is not the reader's turn, and the forecast is for one that began on this board.
    """

    kind: ClassVar[str] = "preview"
    thread: str
    view: View
    forecast: Forecast
    supposed: bool = False
    notes: tuple[Note, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    deadline: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Paused(Letter):
    """A plan waits for its player: a forced trade (``trade``), a move-in, or an ``else pause``.

    `kept` are the orders that wait, `examples` what may be answered.
    """

    kind: ClassVar[str] = "paused"
    thread: str
    view: View
    reason: Literal["trade", "occupy", "asked"]
    lines: tuple[Understood, ...] = ()
    eliminated: Seat | None = None
    kept: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    deadline: datetime | None = None
    late: Late = USUAL_LATE


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm(Letter):
    """Mail to the seat's address came from `sender`, without proof; held until YES or NO.

    `last`: no more questions like this are asked for a day.
    """

    kind: ClassVar[str] = "confirm"
    sender: str
    received: datetime
    held: tuple[str, ...] = ()
    last: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Help(Letter):
    """How to write orders; `examples` fit the reader's own position."""

    kind: ClassVar[str] = "help"
    thread: str
    topic: str = ""
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class History(Letter):
    """The answer to HISTORY alone; the turns stand in its page."""

    kind: ClassVar[str] = "history"
    thread: str
    view: View


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats(Letter):
    """The answer to STATS alone; the figures stand in its page."""

    kind: ClassVar[str] = "stats"
    thread: str
    view: View


@dataclass(frozen=True, slots=True, kw_only=True)
class NotUnderstood:
    """To a stranger (no table), or to a seat whose mail says nothing that could be acted on.

    `reason`: ``stranger`` (the address is of no player), ``empty``, ``no-orders`` (only `ignored`
    lines), ``encrypted``, ``too-long``, ``invited`` (YES or NO is awaited), ``over`` (the game
    is); any other is told as unreadable. `examples` are what may be ordered now.
    """

    kind: ClassVar[str] = "not-understood"
    reason: str
    table: Table | None = None
    facts: Mapping[str, Fact] = field(default_factory=dict)
    ignored: tuple[Ignored, ...] = ()
    examples: tuple[str, ...] = ()
