"""HISTORY and STATS: what is made of the events that an answer tells of.

The mail only noted their numbers; the letter reads them when it is composed, through the gate.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from pbem.render import contexts
from pbem.rules import notation
from pbem.rules.board import Code
from pbem.rules.event import Captured, Claimed, Dealt, Event, Rolled, TurnStarted
from pbem.rules.seat import Seat
from pbem.rules.view import visible
from pbem.store import games
from pbem.store.engine import Session


def history_page(
    session: Session, game_id: int, page: Mapping[str, Any], reader: Seat | None
) -> contexts.HistoryPage:
    """The turns of the page as the reader may see them."""
    rows = games.events_of(session, game_id, *page["events"], branch=page["branch"])
    turns = (
        _turn(turn, visible((notation.event_from_json(row.body) for row in told), reader))
        for turn, told in groupby(rows, key=lambda row: row.turn)
    )
    return contexts.HistoryPage(tuple(turns), page.get("more"))


def _turn(turn: int, events: Sequence[Event]) -> contexts.TurnTold:
    started = next((event for event in events if isinstance(event, TurnStarted)), None)
    return contexts.TurnTold(turn, None if started is None else started.seat, tuple(events))


def stats_page(
    session: Session, game_id: int, page: Mapping[str, Any], seats: Iterable[Seat]
) -> contexts.StatsPage:
    """The figures that the public events give."""
    rows = games.events_of(session, game_id, *page["events"], branch=page["branch"])
    events = visible((notation.event_from_json(row.body) for row in rows), None)
    return contexts.StatsPage(tallies(events, seats))


def tallies(events: Iterable[Event], seats: Iterable[Seat]) -> tuple[contexts.Tally, ...]:
    """Dice and battles of each seat that ever threw, the defenders' dice too."""
    books = {seat: _Book() for seat in seats}
    owner: dict[Code, Seat] = {}
    for event in events:
        match event:
            case Dealt():
                owner |= dict.fromkeys(event.territories, event.seat)
            case Claimed():
                owner[event.territory] = event.seat
            case Captured():
                owner[event.target] = event.seat
                books.setdefault(event.seat, _Book()).captures += 1
            case Rolled():
                attacker = books.setdefault(event.seat, _Book())
                attacker.enter(event.attacker, event.attacker_lost, event.defender_lost)
                defender = books.get(owner.get(event.target, Seat("")))
                if defender is not None:
                    defender.enter(event.defender, event.defender_lost, event.attacker_lost)
    return tuple(book.tally(seat) for seat, book in books.items() if book.rolls)


class _Book:
    """One seat's figures while they are counted."""

    def __init__(self) -> None:
        self.faces = [0] * 6
        self.rolls = self.lost = self.killed = self.captures = 0

    def enter(self, dice: Iterable[int], lost: int, killed: int) -> None:
        for face in dice:
            self.faces[face - 1] += 1
        self.rolls += 1
        self.lost += lost
        self.killed += killed

    def tally(self, seat: Seat) -> contexts.Tally:
        ones, twos, threes, fours, fives, sixes = self.faces
        return contexts.Tally(
            seat,
            (ones, twos, threes, fours, fives, sixes),
            rolls=self.rolls,
            lost=self.lost,
            killed=self.killed,
            captures=self.captures,
        )
