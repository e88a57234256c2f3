"""What lies ready for one letter: read once for all of one go, seen through `rules.view`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, partial
from typing import Any

from pbem.judge import atlas, chronicle, examples, people, standing
from pbem.judge.contents import stored
from pbem.judge.options import Options
from pbem.mail.glance import subject
from pbem.orders.plan import Otherwise
from pbem.render import contexts, enclosed
from pbem.rules import notation
from pbem.rules.event import Event
from pbem.rules.seat import Seat
from pbem.rules.state import State
from pbem.rules.view import View, view, visible
from pbem.store import games, inbox, outbox, positions, tables
from pbem.store.engine import Session


@dataclass(frozen=True, slots=True)
class Desk:
    """What lies ready for one letter: the reader's view, the events, the recipe's facts."""

    game: tables.Game
    options: Options
    reader: tables.Seat | None
    language: str
    zone: str
    table: contexts.Table
    view: View
    events: tuple[Event, ...]
    facts: Mapping[str, Any]
    thread: str
    pages: tuple[enclosed.Page, ...] = ()
    tallies: tuple[enclosed.Tally, ...] = ()

    @property
    def late(self) -> contexts.Late:
        """What the deadline would do for the reader's seat."""
        return contexts.Late() if self.reader is None else people.late_policy(self.reader)

    @property
    def on_fail(self) -> Otherwise:
        """What an attack of the reader that captured nothing does to its plan."""
        return Otherwise.GO_ON if self.reader is None else standing.of(self.reader).on_fail

    @property
    def deadline(self) -> datetime | None:
        """The deadline that the letter names, as it stood when the recipe was written."""
        return stored.moment(self.facts.get("deadline"))

    @property
    def due(self) -> datetime:
        """The deadline, for a letter that always names one."""
        assert self.deadline is not None, "this letter names a deadline"
        return self.deadline


class Shelf:
    """What the database keeps for letters that are composed in one go, each thing read once.

    It lives as long as its session. Its states and events hold all secrets: nothing of them gets
    into a letter but through `view` and `visible`.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.game = cache(self._game)
        self.seats = cache(partial(games.seats, session))
        self.state = cache(self._state)
        self.events = cache(self._events)
        self.subject = cache(partial(outbox.subject_of, session))
        self.tallies = cache(self._tallies)

    def _game(self, number: int) -> tables.Game:
        game = games.find(self.session, number)
        assert game is not None
        return game

    def _state(self, number: int, digest: str) -> State:
        kept = positions.find(self.session, number, digest)
        assert kept is not None
        return atlas.state_from(self.session, kept)

    def _events(self, number: int, first: int, last: int, branch: int | None) -> tuple[Event, ...]:
        happened = games.bodies_of(self.session, number, first, last, branch=branch)
        return tuple(map(notation.event_from_json, happened))

    def _tallies(
        self, number: int, last: int, branch: int | None, seats: tuple[Seat, ...]
    ) -> tuple[enclosed.Tally, ...]:
        whole = {"events": [1, last], "branch": branch}
        return chronicle.stats_page(self.session, number, whole, seats).tallies


def gather(shelf: Shelf, row: tables.Outbox) -> Desk:
    """Everything that the letter of an outbox row needs."""
    assert row.game_id is not None
    assert row.position_hash is not None
    game, seats = shelf.game(row.game_id), shelf.seats(row.game_id)
    state = shelf.state(row.game_id, row.position_hash)
    options = Options.from_json(game.options)
    reader = next((seat for seat in seats if seat.letter == row.seat), None)
    letter_of = None if reader is None else Seat(reader.letter)
    language = row.recipe.get("language") or (game if reader is None else reader).language
    span = row.recipe.get("events")
    happened = shelf.events(row.game_id, *span, row.recipe.get("branch")) if span else ()
    has_left = reader is not None and reader.address != row.to_address
    table = people.table(row.game_id, seats, state.ruleset, letter_of, language)
    seen = view(state, letter_of)
    return Desk(
        game=game,
        options=options,
        reader=reader,
        language=language,
        zone=options.zone if reader is None else reader.zone,
        # Nothing can be answered by who has left the seat.
        table=replace(table, marker="") if has_left else table,
        view=seen,
        events=visible(happened, letter_of),
        facts=row.recipe["facts"],
        thread=_thread(shelf, row),
        pages=tuple(
            _page(shelf.session, row, page, seen, language)
            for page in row.recipe["facts"].get("pages", ())
        ),
        tallies=_tallies(shelf, row, state.seats),
    )


def _tallies(shelf: Shelf, row: tables.Outbox, seats: Sequence[Seat]) -> tuple[enclosed.Tally, ...]:
    """How the dice fell in the whole game, which only its last letter tells unasked."""
    span = row.recipe.get("events")
    if row.kind != "game-over" or not span:
        return ()
    assert row.game_id is not None
    return shelf.tallies(row.game_id, span[1], row.recipe.get("branch"), tuple(seats))


def _page(
    session: Session, row: tables.Outbox, page: Mapping[str, Any], seen: View, language: str
) -> enclosed.Page:
    """A page that the answer encloses, from what the recipe says of it."""
    assert row.game_id is not None
    told = {**page, "branch": row.recipe.get("branch")}
    match page["page"]:
        case "help":
            return enclosed.HelpPage(page["topic"], examples.turn(seen, language))
        case "history":
            return chronicle.history_page(session, row.game_id, told, seen.reader)
        case "stats":
            return chronicle.stats_page(session, row.game_id, told, seen.seats)
        case "standing":
            return enclosed.StandingPage(tuple(page["orders"]), tuple(page["next_turn"]))
        case "hand":
            return enclosed.HandPage()
        case other:
            raise ValueError(f"no page is called {other!r}")


def _thread(shelf: Shelf, row: tables.Outbox) -> str:
    """The subject of the letter that began the thread, else of the mail that is answered."""
    for message_id in row.recipe.get("references", ()):
        called = shelf.subject(message_id)
        if called is not None:
            return called
    mail = None if row.inbox_id is None else inbox.find(shelf.session, row.inbox_id)
    return subject(mail.raw) if mail is not None and mail.raw is not None else ""


Builder = Callable[[Desk], contexts.Letter | contexts.NotUnderstood]
"""Makes the value that a letter's templates are told."""
