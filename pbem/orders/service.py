"""Services as values: what a mail may ask for beside orders. The judge acts on them."""

from dataclasses import dataclass
from enum import StrEnum

from pbem.rules.board import Code, ContinentId
from pbem.rules.seat import Seat


class Simple(StrEnum):
    """Services of one word."""

    BOARD = "board"
    HAND = "hand"
    ORDERS = "orders"
    STATS = "stats"
    RESIGN = "resign"
    NEWKEY = "newkey"
    STOP_MAIL = "stop-mail"
    DRAW = "draw"
    PAUSE_GAME = "pause-game"
    RESUME_GAME = "resume-game"


@dataclass(frozen=True, slots=True)
class Help:
    """The help letter, or the part of it on a topic; a topic without a part is as written."""

    topic: str = ""


@dataclass(frozen=True, slots=True)
class History:
    """Reports of the turns `first` to `last`; without numbers those since the own last turn."""

    first: int | None = None
    last: int | None = None


@dataclass(frozen=True, slots=True)
class Set:
    """A key of SET and its value as written, folded to capitals; no key lists them all."""

    key: str = ""
    value: str = ""


class Whole(StrEnum):
    """What DEFEND may name beside a territory or a continent."""

    ALL = "all"
    NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True)
class Defend:
    """A standing order: so many defence dice there, if given only with at most so many armies."""

    where: Code | ContinentId | Whole
    dice: int
    at_most: int | None = None


@dataclass(frozen=True, slots=True)
class Say:
    """Press to seats; an empty tuple is everybody, unless it is for the game master alone."""

    to: tuple[Seat, ...]
    text: str
    anonymous: bool = False
    gm: bool = False


@dataclass(frozen=True, slots=True)
class Away:
    """Absent from the first day to the last, as written; the judge reads dates."""

    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Luck:
    """A word for the list that the dice hang on, as written (screens.md, "Dice trust")."""

    word: str


Service = Simple | Help | History | Set | Defend | Say | Away | Luck
