"""What each kind of letter is told: one frozen value a kind, filled by the judge.

Templates read the fields by their names. A field holds facts, never words; moments are aware
datetimes and are shown in the reader's zone. Events and views must be the reader's own
(`rules.view.view`, `rules.view.visible`): a letter can show only what it is given.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any, ClassVar, Literal

from pbem.orders.forecast import Forecast
from pbem.orders.mistake import Fact, Mistake, Note
from pbem.orders.sheet import Ignored
from pbem.render.enclosed import Page, Tally
from pbem.rules.board import Code
from pbem.rules.event import Event, OrderRolled, TurnStarted
from pbem.rules.ruleset import Ruleset
from pbem.rules.seat import NEUTRAL, Seat
from pbem.rules.view import View


@dataclass(frozen=True, slots=True)
class SeatLine:
    """One place at the table. `colour` is one of `rules.seat.COLOURS`, or ``neutral``.

    `is_open`: nobody holds it yet, whoever comes may take it.
    """

    letter: Seat
    colour: str
    name: str
    computer: bool = False
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """The game as a letter's head and foot need it. `marker` is the line above which one writes;
    a letter without it has no answer, and is no key to a seat.

    `reader` is the seat that the letter goes to; None: somebody without a seat. `board` is how it
    wants the board in the text part: as a map in columns, or as a plain list for screen readers.
    """

    game: str
    seats: tuple[SeatLine, ...]
    reader: Seat | None
    ruleset: Ruleset
    marker: str
    board: Literal["map", "list"] = "map"

    def seat(self, letter: Seat) -> SeatLine:
        """The seat of that letter; raises LookupError for one that is not at the table.

        The neutral army is always there, without a name.
        """
        if letter == NEUTRAL:
            return SeatLine(NEUTRAL, "neutral", "")
        for line in self.seats:
            if line.letter == letter:
                return line
        raise LookupError(f"no seat {letter} in {self.game}")

    @property
    def you(self) -> SeatLine | None:
        """The reader's own seat."""
        return None if self.reader is None else self.seat(self.reader)


@dataclass(frozen=True, slots=True)
class Late:
    """What the deadline will do with armies not placed (orders.md, "Keys of SET").

    `place` is the territory of the policy ``place``.
    """

    policy: Literal["border", "place", "nothing"] = "border"
    place: Code | None = None


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


@dataclass(frozen=True, slots=True)
class Revealed:
    """A dice link that is published: its number and its secret in hex."""

    number: int
    secret: str


Told = Fact | date | datetime


@dataclass(frozen=True, slots=True)
class Served:
    """What came of a service that the mail asked for, by code; `_services.j2` has the words."""

    code: str
    facts: Mapping[str, Told] = field(default_factory=dict)
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Correction:
    """The game master wrote the orders anew that the reader sent on that day (UTC)."""

    day: date
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """Any letter about a game.

    An answer tells besides what the services of the mail did, and encloses the `pages` asked for.
    `site` is the address of the game's page, in letters that show the board; `stop` the one that
    ends the letters of a spectator.
    """

    kind: ClassVar[str]
    table: Table
    site: str = ""
    stop: str = ""
    served: tuple[Served, ...] = ()
    pages: tuple[Page, ...] = ()
    correction: Correction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation(Letter):
    """YES or NO until `deadline`; `inviter` may be nobody in particular, `again` asks once more.

    `pace` is the time for a turn, `commitment` the chain's s[0]. Where turns end at clock times,
    these are `ends_at`, in the game's own zone. `takes_luck`: a word for the list of the dice may
    come with the YES.
    """

    kind: ClassVar[str] = "invitation"
    inviter: str
    again: bool = False
    deadline: datetime
    pace: timedelta
    ends_at: tuple[str, ...] = ()
    game_zone: str = "UTC"
    commitment: str
    takes_luck: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined(Letter):
    """The reader is in; `taken` of the table's seats are, and `waiting` have still to answer.

    `running`: the game has begun without the reader. `calendar` is the address of the reader's
    calendar.
    """

    kind: ClassVar[str] = "joined"
    taken: int
    running: bool = False
    waiting: tuple[Seat, ...] = ()
    deadline: datetime | None = None
    calendar: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupCall(Letter):
    """Lists are wanted. The phase of the view says which; `rolled` who begins.

    `luck` is the list of words that the dice hang on, if anybody gave one.
    """

    kind: ClassVar[str] = "setup-call"
    view: View
    deadline: datetime
    rolled: OrderRolled | None = None
    luck: str = ""
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupResult(Letter):
    """The draft's events (Dealt, Claimed, Filled) and the board that came of them."""

    kind: ClassVar[str] = "setup-result"
    view: View
    events: tuple[Event, ...]
    next_seat: Seat
    deadline: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCall(Letter):
    """The reader is on move. `since` are the events after the reader's own last turn.

    `dropped` are the mistakes of orders that were kept for this turn and did not run.
    """

    kind: ClassVar[str] = "turn-call"
    view: View
    step: int
    deadline: datetime
    started: TurnStarted
    since: tuple[Event, ...] = ()
    examples: tuple[str, ...] = ()
    late: Late = Late()
    dropped: tuple[Mistake, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Done(Letter):
    """Orders were played, or kept, or were there before. `thread` is the subject answered.

    `lines` say how the mail was understood; `events` belong to no line (the turn's close). With
    `repeated` the same orders were done at that moment and nothing happened now. `listed`: a list
    for the setup was kept, which ran with it if the view is past the setup.
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
    examples: tuple[str, ...] = ()
    late: Late = Late()


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
    late: Late = Late()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder(Letter):
    """`left` is the time to the deadline; `sent` whether orders came in this turn."""

    kind: ClassVar[str] = "reminder"
    thread: str
    view: View
    deadline: datetime
    left: timedelta
    sent: bool = False
    late: Late = Late()


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
class Notice(Letter):
    """Short news; the words stand in `note.txt.j2`, by `about`."""

    kind: ClassVar[str] = "note"
    about: str
    facts: Mapping[str, Told | timedelta] = field(default_factory=dict)


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
class Press(Letter):
    """A message of another seat to `to` (empty: to all); `sender` None hides who wrote it."""

    kind: ClassVar[str] = "press"
    sender: Seat | None
    to: tuple[Seat, ...]
    text: str


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """The link that logs a person in, once and until `until`; it belongs to no game."""

    kind: ClassVar[str] = "login"
    link: str
    until: datetime
    table: None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lobby:
    """An answer of the lobby; the words stand in `lobby.txt.j2`, by `about`.

    `words` are those of `orders.lobby` as the reader's language prints them, `page` is the lobby's.
    """

    kind: ClassVar[str] = "lobby"
    WORDS: ClassVar[tuple[str, ...]] = ("list", "join", "observe", "leave", "new", "help", "set")
    about: str
    facts: Mapping[str, Any]
    page: str
    words: Mapping[str, str]
    table: None = None
