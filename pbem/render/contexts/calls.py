"""Letters that ask a player for something, from the invitation to the reminder."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar

from pbem.orders.mistake import Mistake
from pbem.render.contexts.letter import Letter
from pbem.render.contexts.table import USUAL_LATE, Late
from pbem.rules.event import Event, OrderRolled, TurnStarted
from pbem.rules.seat import Seat
from pbem.rules.view import View


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
    late: Late = USUAL_LATE
    dropped: tuple[Mistake, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder(Letter):
    """`left` is the time to the deadline; `sent` whether orders came in this turn."""

    kind: ClassVar[str] = "reminder"
    thread: str
    view: View
    deadline: datetime
    left: timedelta
    sent: bool = False
    late: Late = USUAL_LATE
