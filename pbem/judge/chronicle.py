"""HISTORY and STATS: what is made of the events that an answer or a page tells of.

A mail only noted their numbers; its letter reads them when it is composed, through the gate.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from pbem.render import enclosed
from pbem.rules import notation
from pbem.rules.board import Code
from pbem.rules.event import (
    Captured,
    Claimed,
    Dealt,
    Event,
    Forsaken,
    Rolled,
    TerritorySet,
    TurnStarted,
)
from pbem.rules.fortune import Fortune
from pbem.rules.seat import NEUTRAL, Seat
from pbem.rules.view import visible
from pbem.store import games, tables
from pbem.store.engine import Session


def history_page(
    session: Session, game_id: int, page: Mapping[str, Any], reader: Seat | None
) -> enclosed.HistoryPage:
    """The turns of the page as the reader may see them."""
    rows = games.events_of(session, game_id, *page["events"], branch=page["branch"])
    turns = (
        _turn(turn, visible((notation.event_from_json(row.body) for row in told), reader))
        for turn, told in groupby(rows, key=lambda row: row.turn)
    )
    return enclosed.HistoryPage(tuple(turns), page.get("more"))


def _turn(turn: int, events: Sequence[Event]) -> enclosed.TurnTold:
    started = next((event for event in events if isinstance(event, TurnStarted)), None)
    return enclosed.TurnTold(turn, None if started is None else started.seat, tuple(events))


def stats_page(
    session: Session, game_id: int, page: Mapping[str, Any], seats: Sequence[Seat]
) -> enclosed.StatsPage:
    """The figures that the public events give."""
    rows = games.events_of(session, game_id, *page["events"], branch=page["branch"])
    return enclosed.StatsPage(_fallen(rows, seats).tallies)


def fallen(
    session: Session, game_id: int, seats: Sequence[Seat], *, last: int | None = None
) -> enclosed.Fallen:
    """How the dice of a game fell, up to the turn `last`; of what a rollback left out nothing."""
    rows = games.events_of(session, game_id)
    return _fallen([row for row in rows if last is None or row.turn <= last], seats)


def _fallen(rows: Iterable[tables.Event], seats: Sequence[Seat]) -> enclosed.Fallen:
    ledger = _Ledger(seats)
    line = []
    for turn, told in groupby(rows, key=lambda row: row.turn):
        rolls = ledger.rolls
        for event in visible((notation.event_from_json(row.body) for row in told), None):
            ledger.enter(event)
        if ledger.rolls > rolls:
            line.append(enclosed.LuckAfter(turn, ledger.luck()))
    return enclosed.Fallen(ledger.tallies(), tuple(line))


class _Ledger:
    """The figures of all seats while they are counted, and who holds what, to know who defends."""

    def __init__(self, seats: Iterable[Seat]) -> None:
        self.rolls = 0
        self._books = {seat: _Book() for seat in seats}
        self._owner: dict[Code, Seat] = {}

    def enter(self, event: Event) -> None:
        match event:
            case Dealt():
                self._owner |= dict.fromkeys(event.territories, event.seat)
            case Claimed() | TerritorySet():
                self._owner[event.territory] = event.seat
            case Forsaken():
                held = [code for code, seat in self._owner.items() if seat == event.seat]
                self._owner |= dict.fromkeys(held, NEUTRAL)
            case Captured():
                self._owner[event.target] = event.seat
                self._book(event.seat).captures += 1
            case Rolled():
                self.rolls += 1
                self._book(event.seat).enter(event, attacked=True)
                defender = self._books.get(self._owner.get(event.target, NEUTRAL))
                if defender is not None:
                    defender.enter(event, attacked=False)

    def tallies(self) -> tuple[enclosed.Tally, ...]:
        """Dice and battles of each seat that ever threw, the defenders' dice too."""
        return tuple(book.tally(seat) for seat, book in self._books.items() if book.fortune.rolls)

    def luck(self) -> dict[Seat, float]:
        """Armies that luck has spared each of them so far."""
        books = self._books.items()
        return {seat: book.fortune.gained for seat, book in books if book.fortune.rolls}

    def _book(self, seat: Seat) -> "_Book":
        return self._books.setdefault(seat, _Book())


class _Book:
    """One seat's figures while they are counted."""

    def __init__(self) -> None:
        self.faces = [0] * 6
        self.fortune = Fortune()
        self.killed = self.captures = 0

    def enter(self, roll: Rolled, *, attacked: bool) -> None:
        for face in roll.attacker if attacked else roll.defender:
            self.faces[face - 1] += 1
        self.fortune = self.fortune.after(roll, attacked=attacked)
        self.killed += roll.defender_lost if attacked else roll.attacker_lost

    def tally(self, seat: Seat) -> enclosed.Tally:
        ones, twos, threes, fours, fives, sixes = self.faces
        return enclosed.Tally(
            seat,
            (ones, twos, threes, fours, fives, sixes),
            killed=self.killed,
            captures=self.captures,
            fortune=self.fortune,
        )
