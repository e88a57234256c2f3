"""A mail as it was read: its lines, its mistakes, and what was ignored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pbem.orders.mistake import Mistake, Note
from pbem.orders.plan import Line
from pbem.orders.service import Service
from pbem.rules.board import Board
from pbem.rules.seat import Seat


class Mode(StrEnum):
    """What the first line makes of the whole mail."""

    NONE = "none"
    YES = "yes"
    NO = "no"
    CANCEL = "cancel"
    TRY = "try"
    NEXT_TURN = "next-turn"


@dataclass(frozen=True, slots=True)
class Table:
    """Whom and what a mail can name: the board, the players' names by seat, and other words for
    the seats, such as their colours."""

    board: Board
    names: Mapping[Seat, str] = field(default_factory=dict)
    nicknames: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ignored:
    """A line that was not read as an order; `why` is chatter, signature or after-end."""

    line: int
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A service asked for on a line; it has no effect on the game and is done regardless."""

    line: int
    text: str
    service: Service


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a mail says. `source` are the lines as they came, for a corrected text."""

    language: str
    table: Table
    source: tuple[str, ...]
    lines: tuple[Line, ...] = ()
    services: tuple[Asked, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    notes: tuple[Note, ...] = ()
    mode: Mode = Mode.NONE

    @property
    def is_empty(self) -> bool:
        """Whether the mail says nothing at all."""
        return not (self.lines or self.services or self.mistakes or self.mode is not Mode.NONE)
