"""HISTORY and STATS: which events an answer tells of, and what is made of them.

The mail only notes their numbers; the letter reads them when it is composed, through the gate.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from pbem.orders.service import History
from pbem.orders.sheet import Asked
from pbem.render import contexts
from pbem.rules import notation
from pbem.rules.board import Code
from pbem.rules.event import Captured, Claimed, Dealt, Event, Rolled, TurnStarted
from pbem.rules.position import Phase
from pbem.rules.seat import Seat
from pbem.rules.view import visible
from pbem.store import games, tables
from pbem.store.engine import Session

if TYPE_CHECKING:  # they come to lie above: a letter is composed of what a sitting leaves behind
    from pbem.judge.progress import Progress
    from pbem.judge.sitting import Sitting

MOST_TURNS = 10
"""So many turns stand in one letter."""


def history(mail: "Sitting", asked: Asked) -> None:
    """The turns asked for, those since the own last turn by default; an open turn only the own."""
    wanted = asked.service
    assert isinstance(wanted, History)
    progress = mail.progress
    newest = _newest_turn(progress, mail.seat)
    first = wanted.first if wanted.first is not None else _after_own_turn(progress, mail.seat)
    last = min(newest if wanted.last is None else wanted.last, newest)
    shown = min(last, first + MOST_TURNS - 1)
    begin = games.first_event(progress.session, progress.game.id, first) if first <= last else None
    if begin is None:
        mail.refuse(asked, "history-none")
        return
    after = games.first_event(progress.session, progress.game.id, shown + 1)
    end = progress.last_seq if after is None else after - 1
    more = shown + 1 if shown < last else None
    mail.pages.append({"page": "history", "events": [begin, end], "more": more})


def stats(mail: "Sitting", _asked: Asked) -> None:
    """Figures of everything that happened up to now."""
    mail.pages.append({"page": "stats", "events": [1, mail.progress.last_seq]})


def _newest_turn(progress: "Progress", seat: tables.Seat) -> int:
    state = progress.state
    told = state.on_turn == seat.letter or state.phase is Phase.OVER
    return state.turn if told else state.turn - 1


def _after_own_turn(progress: "Progress", seat: tables.Seat) -> int:
    """The turn after the seat's own last one that closed; the first of all before it has one."""
    recent = 2 * len(progress.seats)
    ended = games.last_events(progress.session, progress.game.id, "turn-ended", recent)
    return next((e.body["turn"] + 1 for e in ended if e.body["seat"] == seat.letter), 1)


def history_page(
    session: Session, game_id: int, page: Mapping[str, Any], reader: Seat | None
) -> contexts.HistoryPage:
    """The turns of the page as the reader may see them."""
    rows = games.events_of(session, game_id, *page["events"])
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
    rows = games.events_of(session, game_id, *page["events"])
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
