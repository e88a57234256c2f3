"""What every letter about a game is told, whatever its kind."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import ClassVar

from pbem.orders.mistake import Fact
from pbem.render.contexts.table import Table
from pbem.render.enclosed import Page

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
