"""A game as one reader may see it on a page: the gate is `rules.view`, as it is for letters."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from zoneinfo import ZoneInfo

from pbem.judge import atlas, people
from pbem.judge.options import Options
from pbem.render import contexts
from pbem.render.words import Reader
from pbem.rules import fair, notation
from pbem.rules.branching import SETUP_LINK
from pbem.rules.event import Event, TurnStarted, kind
from pbem.rules.position import TURN, Phase
from pbem.rules.seat import Seat
from pbem.rules.state import State
from pbem.rules.view import View, view, visible
from pbem.store import desk, games, snapshots, tables
from pbem.store.engine import Session

TURN_STARTED = "turn-started"


@dataclass(frozen=True, slots=True)
class Showing:
    """A game for a page. `table` and `view` are those of the reader; None sees what all may."""

    game: tables.Game
    options: Options
    seats: Sequence[tables.Seat]
    table: contexts.Table
    view: View

    @property
    def public_id(self) -> str:
        """The game's name for people."""
        return games.public_id(self.game.id)

    def reader(self, language: str, zone: ZoneInfo) -> Reader:
        """Whom the page is for, as the filters of the templates ask."""
        return Reader(language, zone, self.view.board)

    @property
    def on_turn(self) -> Seat | None:
        """Whose turn it is; nobody's in the setup, where all are asked at once, nor at the end."""
        return self.view.on_turn if self.view.phase in TURN else None


@dataclass(frozen=True, slots=True)
class Told:
    """An event of the timeline; `undone` if a rollback left it out."""

    seq: int
    at: datetime
    event: Event
    undone: bool

    @property
    def kind(self) -> str:
        """The event's name, as the record and the database have it."""
        return kind(self.event)


@dataclass(frozen=True, slots=True)
class Turn:
    """The events of one turn; turn 0 is the setup."""

    number: int
    seat: Seat | None
    events: tuple[Told, ...]

    @property
    def counting(self) -> tuple[Event, ...]:
        """The events that a rollback has not left out."""
        return tuple(told.event for told in self.events if not told.undone)


@dataclass(frozen=True, slots=True)
class Link:
    """A published link of the dice: of which turn, and its secret in hex."""

    turn: int
    number: int
    secret: str


def show(session: Session, game: tables.Game, reader: Seat | None, language: str) -> Showing:
    """The game as `reader` sees it, with the words of `language`."""
    return of_state(session, game, atlas.state_of(session, game), reader, language)


def hands(session: Session, game: tables.Game, language: str) -> tuple[Showing, ...]:
    """The game as each seat sees it: the open sight, which the players must have been told of."""
    state = atlas.state_of(session, game)
    return tuple(of_state(session, game, state, seat, language) for seat in state.seats)


def of_state(
    session: Session, game: tables.Game, state: State, reader: Seat | None, language: str
) -> Showing:
    """A state of the game, the present or a past one, as `reader` sees it."""
    return of_rows(game, games.seats(session, game.id), state, reader, language)


def of_rows(
    game: tables.Game,
    seats: Sequence[tables.Seat],
    state: State,
    reader: Seat | None,
    language: str,
) -> Showing:
    """The same for whoever has read the seats."""
    return Showing(
        game=game,
        options=Options.from_json(game.options),
        seats=seats,
        table=people.table(game.id, seats, state.ruleset, reader, language),
        view=view(state, reader),
    )


def timeline(
    session: Session, game_id: int, reader: Seat | None, *, before: int | None, count: int
) -> tuple[Turn, ...]:
    """So many turns as the reader may see them, newest first; those below `before` if given."""
    numbers = desk.turns_before(session, game_id, before, count)
    if not numbers:
        return ()
    rows = desk.events_of_turns(session, game_id, numbers[-1], numbers[0])
    told = sorted(rows, key=lambda row: (row.turn, row.seq))
    found = [
        _turn(number, list(events), reader)
        for number, events in groupby(told, key=lambda row: row.turn)
    ]
    return tuple(reversed(found))


def _turn(number: int, rows: Sequence[tables.Event], reader: Seat | None) -> Turn:
    events = visible((event_of(row) for row in rows), reader)
    told = tuple(
        Told(row.seq, row.at, event, undone=row.undone_in is not None)
        for row, event in zip(rows, events, strict=True)
    )
    seats = [one.event.seat for one in told if isinstance(one.event, TurnStarted)]
    return Turn(number, seats[-1] if seats else None, told)


def event_of(row: tables.Event) -> Event:
    """What a row tells; it must go through `rules.view.visible` before anybody sees it."""
    return notation.event_from_json(row.body)


def published(session: Session, game: tables.Game) -> tuple[Link, ...]:
    """The links of the turns that are closed, newest first: what everybody may check.

    The link of the turn that is open is never among them, also after a rollback to a turn that had
    been closed before.
    """
    state = atlas.state_of(session, game)
    closed = {row.turn for row in snapshots.of_game(session, game.id)}
    used = {0: SETUP_LINK}
    for row in games.events_of(session, game.id):
        if row.kind == TURN_STARTED:
            used[row.turn] = int(row.body["link"])
    return tuple(
        Link(turn, number, fair.link_secret(game.chain_last, number).hex())
        for turn, number in sorted(used.items(), reverse=True)
        if turn in closed and (number < state.link or state.phase is Phase.OVER)
    )
