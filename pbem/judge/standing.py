"""What a seat has ordered to hold until it orders otherwise (orders.md, "Keys of SET").

The seat's row keeps it as JSON; here it is a value. Nobody but the seat is ever told of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from pbem.judge.options import Options
from pbem.orders.plan import Otherwise
from pbem.orders.service import Defend, Whole
from pbem.rules.board import Code
from pbem.store import tables

ON_FAIL: Mapping[str, Otherwise] = {
    "GO ON": Otherwise.GO_ON,
    "STOP": Otherwise.STOP,
    "PAUSE": Otherwise.PAUSE,
}
DEFAULTS: Mapping[str, str] = {
    "TRADE": "ASK",
    "LATE": "BORDER",
    "ON FAIL": "GO ON",
    "ON MISTAKE": "NOTHING",
    "BOARD": "MAP",
    "FILE": "NONE",
    "PICTURE": "ON",
    "REMIND": "ON",
    "NEWS": "EACH",
    "BLOCK": "NONE",
}
"""The keys whose values the seat's settings hold, with what is true of a seat that set none."""

DEFENCE, AWAY, NEXT_TURN, SILENT, QUIET = "defend", "away", "next-turn", "silent", "quiet"
"""What else the settings hold: standing defence, absence, a kept plan, no letters wanted, and no
messages of others."""


@dataclass(frozen=True, slots=True)
class Absence:
    """Days on which the seat's player is away, both included."""

    first: date
    last: date

    @property
    def length(self) -> int:
        """How many days."""
        return (self.last - self.first).days + 1


@dataclass(frozen=True, slots=True)
class Standing:
    """All that holds for a seat. `values` are the keys of SET, `trade_auto` for this very turn."""

    values: Mapping[str, str]
    trade_auto: bool
    defence: tuple[Defend, ...]
    away: Absence | None
    next_turn: tuple[str, ...]
    silent: bool
    quiet: bool = False

    @property
    def on_fail(self) -> Otherwise:
        """What an attack without ELSE does to its plan when it captured nothing."""
        return ON_FAIL[self.values["ON FAIL"]]

    @property
    def runs_before_mistake(self) -> bool:
        """Whether the lines before a mistake are played."""
        return self.values["ON MISTAKE"] == "RUN BEFORE IT"

    @property
    def wants_news(self) -> bool:
        """Whether reports of others' turns are wanted."""
        return self.values["NEWS"] == "EACH"

    @property
    def blocked(self) -> tuple[str, ...]:
        """The seats whose messages are not wanted."""
        value = self.values["BLOCK"]
        return () if value == "NONE" else tuple(value.split())

    @property
    def wants_file(self) -> bool:
        """Whether letters carry their machine-readable twin."""
        return self.values["FILE"] == "JSON"

    @property
    def wants_picture(self) -> bool:
        """Whether letters carry the board's picture."""
        return self.values["PICTURE"] == "ON"

    @property
    def late_place(self) -> Code | None:
        """The territory of LATE PLACE."""
        late = self.values["LATE"]
        return Code(late.removeprefix("PLACE ")) if late.startswith("PLACE ") else None

    def reminders(self, options: Options) -> tuple[timedelta, ...]:
        """The times before a deadline at which the seat is reminded, the longest first."""
        match self.values["REMIND"]:
            case "ON":
                return options.reminders()
            case "OFF":
                return ()
            case times:
                seconds = sorted(map(int, times.split()), reverse=True)
                return options.within_a_turn(seconds)


def of(seat: tables.Seat, turn: int = 0) -> Standing:
    """What holds for the seat; `turn` is the game's, since TRADE acts from a turn on only."""
    kept = seat.settings
    values = {key: str(kept.get(key, default)) for key, default in DEFAULTS.items()}
    before, until = kept.get("trade-before", (values["TRADE"], 0))
    away = kept.get(AWAY)
    return Standing(
        values=values,
        trade_auto=(before if turn <= until else values["TRADE"]) == "AUTO",
        defence=tuple(_defend(*stored) for stored in kept.get(DEFENCE, ())),
        away=None if away is None else Absence(*map(date.fromisoformat, away)),
        next_turn=tuple(kept.get(NEXT_TURN, ())),
        silent=bool(kept.get(SILENT)),
        quiet=bool(kept.get(QUIET)),
    )


def put(seat: tables.Seat, key: str, value: Any) -> None:
    """Keep a setting in place of the earlier one; None takes it away."""
    kept = {name: held for name, held in seat.settings.items() if name != key}
    # A new dict: the store sees a change of the column only in a new value.
    seat.settings = kept if value is None else {**kept, key: value}


def put_trade(seat: tables.Seat, value: str, turn: int) -> None:
    """TRADE acts from the turn after `turn` on; until then what held before goes on."""
    before = "AUTO" if of(seat, turn).trade_auto else "ASK"
    put(seat, "TRADE", value)
    put(seat, "trade-before", [before, turn])


def put_defence(seat: tables.Seat, order: Defend) -> None:
    """Keep a standing defence; one for the same place and condition gives way to it."""
    place = _place(order)
    others = [kept for kept in seat.settings.get(DEFENCE, ()) if (kept[0], kept[2]) != place]
    put(seat, DEFENCE, [*others, [str(order.where), order.dice, order.at_most]])


def _place(order: Defend) -> tuple[str, int | None]:
    return str(order.where), order.at_most


def _defend(where: str, dice: int, at_most: int | None) -> Defend:
    named = Whole(where) if where in tuple(Whole) else Code(where)
    return Defend(named, dice, at_most)


def spend(seat: tables.Seat, what: str, now: datetime, most: int) -> bool:
    """Whether the seat may do this once more today, in its own zone; counts it if so."""
    today = now.astimezone(ZoneInfo(seat.zone)).date().isoformat()
    day, used = seat.settings.get(f"{what}-today", ("", 0))
    used = used if day == today else 0
    if used >= most:
        return False
    put(seat, f"{what}-today", [today, used + 1])
    return True
