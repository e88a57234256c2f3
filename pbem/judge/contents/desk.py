"""What lies ready for one letter: read in one go, and seen through `rules.view` by its reader."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pbem.judge import atlas, chronicle, examples, people, standing
from pbem.judge.contents import stored
from pbem.judge.options import Options
from pbem.mail.glance import subject
from pbem.orders.plan import Otherwise
from pbem.render import contexts
from pbem.rules import notation
from pbem.rules.event import Event
from pbem.rules.seat import Seat
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
    pages: tuple[contexts.Page, ...] = ()
    tallies: tuple[contexts.Tally, ...] = ()

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


def gather(session: Session, row: tables.Outbox) -> Desk:
    """Everything that the letter of an outbox row needs, read in one go."""
    assert row.game_id is not None
    assert row.position_hash is not None
    game = games.find(session, row.game_id)
    kept = positions.find(session, row.game_id, row.position_hash)
    assert game is not None
    assert kept is not None
    state = atlas.state_from(session, kept)
    options = Options.from_json(game.options)
    seats = games.seats(session, row.game_id)
    reader = next((seat for seat in seats if seat.letter == row.seat), None)
    letter_of = None if reader is None else Seat(reader.letter)
    language = row.recipe.get("language") or (game if reader is None else reader).language
    span, branch = row.recipe.get("events"), row.recipe.get("branch")
    happened = games.bodies_of(session, row.game_id, *span, branch=branch) if span else ()
    has_left = reader is not None and reader.address != row.to_address
    table = people.table(row.game_id, seats, state.ruleset, letter_of, language)
    return Desk(
        game=game,
        options=options,
        reader=reader,
        language=language,
        zone=options.zone if reader is None else reader.zone,
        # Nothing can be answered by who has left the seat.
        table=replace(table, marker="") if has_left else table,
        view=view(state, letter_of),
        events=visible(map(notation.event_from_json, happened), letter_of),
        facts=row.recipe["facts"],
        thread=_thread(session, row),
        pages=tuple(
            _page(session, row, page, view(state, letter_of), language)
            for page in row.recipe["facts"].get("pages", ())
        ),
        tallies=_tallies(session, row, state.seats),
    )


def _tallies(
    session: Session, row: tables.Outbox, seats: Sequence[Seat]
) -> tuple[contexts.Tally, ...]:
    """How the dice fell in the whole game, which only its last letter tells unasked."""
    span = row.recipe.get("events")
    if row.kind != "game-over" or not span:
        return ()
    assert row.game_id is not None
    whole = {"events": [1, span[1]], "branch": row.recipe.get("branch")}
    return chronicle.stats_page(session, row.game_id, whole, seats).tallies


def _page(
    session: Session, row: tables.Outbox, page: Mapping[str, Any], seen: View, language: str
) -> contexts.Page:
    """A page that the answer encloses, from what the recipe says of it."""
    assert row.game_id is not None
    told = {**page, "branch": row.recipe.get("branch")}
    match page["page"]:
        case "help":
            return contexts.HelpPage(page["topic"], examples.turn(seen, language))
        case "history":
            return chronicle.history_page(session, row.game_id, told, seen.reader)
        case "stats":
            return chronicle.stats_page(session, row.game_id, told, seen.seats)
        case "standing":
            return contexts.StandingPage(tuple(page["orders"]), tuple(page["next_turn"]))
        case "hand":
            return contexts.HandPage()
        case other:
            raise ValueError(f"no page is called {other!r}")


def _thread(session: Session, row: tables.Outbox) -> str:
    """The subject of the letter that began the thread, else of the mail that is answered."""
    for message_id in row.recipe.get("references", ()):
        called = outbox.subject_of(session, message_id)
        if called is not None:
            return called
    mail = None if row.inbox_id is None else inbox.find(session, row.inbox_id)
    return subject(mail.raw) if mail is not None and mail.raw is not None else ""


Builder = Callable[[Desk], contexts.Letter | contexts.NotUnderstood]
"""Makes the value that a letter's templates are told."""
