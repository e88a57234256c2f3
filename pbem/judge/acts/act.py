"""An act of the game master: a frozen value whose fields a form, a command and a mail can fill.

Each act takes the working sheet of a locked game and is true with the commit of that sheet. It
tells whom it concerns, and leaves a mark in the record where it changes the game (screens.md, "The
GM dashboard").
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, ClassVar

from pbem.judge.gm import Why
from pbem.judge.progress import Progress
from pbem.judge.roles import May


class Grade(StrEnum):
    """How much an act touches: safe, fair if it is told, or what was played."""

    SAFE = "A"
    FAIR = "B"
    DEEP = "C"


NEEDED: Mapping[Grade, May] = MappingProxyType(
    {Grade.SAFE: May.ACT_A, Grade.FAIR: May.ACT_B, Grade.DEEP: May.ACT_C}
)
"""What somebody must be allowed for an act of a grade."""


class Kind(StrEnum):
    """What a field of an act holds, and so how it is asked for and read."""

    SEAT = "seat"
    SEAT_OR_ALL = "seat-or-all"
    SPAN = "span"
    MOMENT = "moment"
    WORDS = "words"
    OPTION = "option"
    LINES = "lines"
    PERSON = "person"
    NUMBER = "number"
    CHOICE = "choice"
    TERRITORY = "territory"
    CARDS = "cards"
    LANGUAGE = "language"
    FLAG = "flag"


SeatLetter = Annotated[str, Kind.SEAT]
SeatOrAll = Annotated[str, Kind.SEAT_OR_ALL]
Span = Annotated[timedelta, Kind.SPAN]
Moment = Annotated[datetime, Kind.MOMENT]
Words = Annotated[str, Kind.WORDS]
OptionName = Annotated[str, Kind.OPTION]
Lines = Annotated[str, Kind.LINES]
Person = Annotated[str, Kind.PERSON]
"""`ADDRESS[:LANG]` or `Name <address>[:LANG]`, as `judge.invitees` reads it."""
Number = Annotated[int, Kind.NUMBER]
Territory = Annotated[str, Kind.TERRITORY]
Cards = Annotated[tuple[str, ...], Kind.CARDS]
Language = Annotated[str, Kind.LANGUAGE]
Flag = Annotated[bool, Kind.FLAG]

ALL = "all"
"""Everybody, where a seat or all may be named."""


class Act(ABC):
    """One act, by its name in commands, forms and the audit."""

    name: ClassVar[str]
    grade: ClassVar[Grade]

    @abstractmethod
    def play(self, progress: Progress, why: Why) -> None:
        """Does it, on the sheet of a locked game; raises ActError where it makes no sense."""

    def undo(self, progress: Progress) -> "Act | None":
        """What would undo it, from the game as it stands before; None: it cannot be undone."""
        del progress
        return None
