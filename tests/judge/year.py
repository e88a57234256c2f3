"""A game that is played for a year, on a clock that jumps from one due moment to the next."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from pbem.judge import choosing, deadline, lobby
from pbem.judge.drain import drain
from pbem.judge.house import House
from pbem.judge.lobby import NewSeat
from pbem.judge.sweep import sweep
from pbem.rules import notation
from pbem.rules.dice import Faces
from pbem.rules.seat import COLOURS, Seat
from pbem.rules.state import State
from pbem.store import games, outbox, tables
from pbem.store.engine import session
from tests.judge.one_game import OneGame

GM = "dora@house.example"
HOUSE = House("house.example", b"a secret", gm=(GM,))
HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)
Manner = Callable[[datetime, datetime], datetime | None]
"""When a seat answers a turn that was called then and ends then; None: not at all."""


class Peace:
    """Dice with which no attack ever succeeds, so that the year has the same seats to its end."""

    def roll(self, _number: int, attacker: int, defender: int) -> tuple[Faces, Faces]:
        return (1,) * attacker, (6,) * defender

    def order(self, _label: str, count: int) -> tuple[int, ...]:
        return tuple(range(count))


@dataclass
class Turn:
    """A turn as it was called: whose, when, until when; how it went."""

    number: int
    seat: str
    called: datetime
    deadline: datetime
    answered: datetime | None = None
    closed: datetime | None = None
    moved: list[datetime] = field(default_factory=list)


class Year(OneGame):
    """The game. `manners` say for each seat when it answers; `mails` are sent besides."""

    def __init__(
        self,
        begin: datetime,
        manners: Mapping[str, Manner],
        mails: Mapping[datetime, tuple[str, str]] | None = None,
        *,
        seats: int = 6,
        **chosen: str,
    ) -> None:
        super().__init__(HOUSE, begin)
        self.manners = dict(manners)
        self.mails = dict(mails or {})
        self.turns: list[Turn] = []
        self.computers: list[tuple[datetime, str]] = []
        rules, self.options = choosing.choose(
            "classic-1993", chosen, pace=None, remind=["12h", "3h"]
        )
        people = [
            NewSeat(colour, colour.capitalize(), f"{colour}@people.example", "en")
            for colour in COLOURS[:seats]
        ]
        with session(self.engine) as opened:
            game = lobby.create(
                opened,
                begin,
                ruleset=rules,
                options=self.options,
                seats=people,
                language="en",
                entropy=bytes,
            )
            lobby.open_at_turn_one(opened, HOUSE, game, begin)
            self.id = game.id

    @property
    def state(self) -> State:
        return notation.state_from_json(self.game.state)

    def letters(self, *kinds: str, to: str | None = None) -> list[tables.Outbox]:
        """What was written, oldest first."""
        with session(self.engine) as opened:
            rows = sorted(
                outbox.letters_to(opened, self.id, limit=1_000_000), key=lambda row: row.id
            )
        return [r for r in rows if (not kinds or r.kind in kinds) and to in (None, r.seat)]

    def notes(self, about: str, to: str | None = None) -> list[tables.Outbox]:
        return [r for r in self.letters("note", to=to) if r.recipe["facts"]["about"] == about]

    def send(self, letter: str, text: str) -> None:
        """A mail of the seat that comes now, for the current step."""
        self.bring(letter, text)
        self.drain()

    def drain(self) -> None:
        drain(self.engine, HOUSE, self.id, lambda: self.now, lambda _game, _link: Peace())

    def run(self, until: datetime) -> None:
        """Jump from one due moment to the next."""
        self._watch(self.game)
        while self.now < until and (game := self.game).over_at is None:
            self.now, act = min(self._coming(game), key=lambda due: due[0])
            if self.now >= until:
                break
            act()
            self._watch(self.game)
        self.need_nothing_broken()

    def sweep(self) -> None:
        """One round, as the service makes one a second."""
        sweep(self.engine, HOUSE, self.now, lambda _name, _id: None)
        self.drain()

    def _coming(self, game: tables.Game) -> Iterator[tuple[datetime, Callable[[], None]]]:
        moments = [game.next_reminder_at, game.warning_at, game.stale_at, game.resume_at]
        with session(self.engine) as opened:
            moments += [seat.news_at for seat in games.seats(opened, self.id)]
        for moment in filter(None, moments):
            yield max(moment, self.now), self.sweep
        if game.paused_at is None and game.deadline is not None:
            yield max(game.deadline + deadline.SETTLING, self.now), self.sweep
        for comes in self.mails:
            yield max(comes, self.now), partial(self._mail, comes)
        turn = self.turns[-1] if self.turns else None
        if turn is not None and turn.closed is None and turn.answered is None:
            answers = self.manners[turn.seat](turn.called, turn.deadline)
            if answers is not None:
                yield max(answers, self.now), self._answer

    def _mail(self, at: datetime) -> None:
        letter, text = self.mails.pop(at)
        self.send(letter, text)

    def _answer(self) -> None:
        turn, state = self.turns[-1], self.state
        turn.answered = self.now
        spot = state.board.territories[state.held(Seat(turn.seat))[0]].name
        trade = "trade auto\n" if len(state.hand) >= 5 else ""
        self.send(turn.seat, f"{trade}place the rest in {spot}\nend")

    def _watch(self, game: tables.Game) -> None:
        """Note a turn that has begun, and a deadline that was moved."""
        last = self.turns[-1] if self.turns else None
        if last is not None and last.number == game.turn and last.seat == game.on_turn:
            if game.deadline is not None and game.deadline != last.deadline:
                last.moved.append(last.deadline)
                last.deadline = game.deadline
            return
        if last is not None and last.closed is None:
            last.closed = self.now
        if game.on_turn is not None and game.deadline is not None:
            self.turns.append(Turn(game.turn, game.on_turn, self.now, game.deadline))


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def facts(row: tables.Outbox) -> dict[str, Any]:
    found: dict[str, Any] = row.recipe["facts"]
    return found
