"""From a recipe to a letter's bytes, outside the game's lock and once for all attempts.

A recipe is JSON: which position, which events, a few facts. Here it becomes the value that the
templates are told, seen through `rules.view` by the one seat that the letter goes to.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from email.utils import formataddr
from typing import Any

from pbem.judge import chronicle, examples, people, pictures, prospects, standing, twin
from pbem.judge.house import House
from pbem.judge.options import Options
from pbem.mail import address, letter
from pbem.mail.glance import subject
from pbem.orders.mistake import Mistake, Note
from pbem.orders.plan import Otherwise
from pbem.orders.sheet import Ignored
from pbem.render import contexts, illustration, letters
from pbem.rules import notation
from pbem.rules.event import Event, OrderRolled, TurnStarted
from pbem.rules.seat import Seat
from pbem.rules.view import View, view, visible
from pbem.store import games, inbox, outbox, positions, tables
from pbem.store.engine import Session

CALLS = {"turn-call", "setup-call", "invitation"}
"""Letters that begin a thread."""


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
        return _moment(self.facts.get("deadline"))


def write(
    house: House, row: tables.Outbox, desk: Desk, artist: pictures.Artist | None = None
) -> tuple[str, bytes]:
    """Subject and final bytes of the letter of an outbox row; no artist: without its picture."""
    context = BUILDERS[row.kind](desk)
    if isinstance(context, contexts.Letter):
        context = replace(context, served=_served(desk.facts), pages=desk.pages)
    picture = None
    if artist is not None and desk.reader is not None and standing.of(desk.reader).wants_picture:
        picture = pictures.enclosed(illustration.scene(context, desk.language), artist)
    cid = None if picture is None else picture.cid
    composed = letters.compose(row.kind, context, desk.language, desk.zone, cid)
    return composed.subject, letter.to_bytes(_letter(house, row, desk, composed, picture))


def gather(session: Session, row: tables.Outbox) -> Desk:
    """Everything that the letter of an outbox row needs, read in one go."""
    assert row.game_id is not None
    assert row.position_hash is not None
    game = games.find(session, row.game_id)
    stored = positions.find(session, row.game_id, row.position_hash)
    assert game is not None
    assert stored is not None
    state = notation.state_from_json(stored)
    options = Options.from_json(game.options)
    seats = games.seats(session, row.game_id)
    reader = next((seat for seat in seats if seat.letter == row.seat), None)
    letter_of = None if reader is None else Seat(reader.letter)
    language = game.language if reader is None else reader.language
    span = row.recipe.get("events")
    happened = games.events_of(session, row.game_id, *span) if span else ()
    return Desk(
        game=game,
        options=options,
        reader=reader,
        language=language,
        zone=options.zone if reader is None else reader.zone,
        table=people.table(row.game_id, seats, state.ruleset, letter_of, language),
        view=view(state, letter_of),
        events=visible((notation.event_from_json(e.body) for e in happened), letter_of),
        facts=row.recipe["facts"],
        thread=_thread(session, row),
        pages=tuple(
            _page(session, row.game_id, page, view(state, letter_of), language)
            for page in row.recipe["facts"].get("pages", ())
        ),
    )


def _page(
    session: Session, game_id: int, page: Mapping[str, Any], seen: View, language: str
) -> contexts.Page:
    """A page that the answer encloses, from what the recipe says of it."""
    match page["page"]:
        case "help":
            return contexts.HelpPage(page["topic"], examples.turn(seen, language))
        case "history":
            return chronicle.history_page(session, game_id, page, seen.reader)
        case "stats":
            return chronicle.stats_page(session, game_id, page, seen.seats)
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


def _letter(
    house: House,
    row: tables.Outbox,
    desk: Desk,
    composed: letters.Composed,
    picture: letter.Attachment | None,
) -> letter.Letter:
    reply_to = f"postmaster@{house.domain}"
    headers = {
        "X-PBEM-Kind": row.kind,
        "List-Id": f"<{desk.table.game}.games.{house.domain}>",
        # Exchange answers letters of machines, too, unless it is asked not to.
        "X-Auto-Response-Suppress": "All",
    }
    # Who has left the seat must not learn its new address.
    if desk.reader is not None and desk.reader.address == row.to_address:
        turn, step = row.recipe["turn"], row.recipe["step"]
        reply_to = _reply_address(house, desk.reader, row)
        headers["X-PBEM-State"] = _state_header(desk, turn, step)
    return letter.Letter(
        kind=row.kind,
        subject=composed.subject,
        text=composed.text,
        html=composed.html,
        sender=formataddr((f"World conquest {desk.table.game}", reply_to)),
        reply_to=reply_to,
        to=row.to_address,
        message_id=row.message_id,
        date=row.created_at,
        in_reply_to=row.in_reply_to,
        references=tuple(row.recipe.get("references", ())),
        auto_submitted="auto-replied" if row.in_reply_to else "auto-generated",
        headers=headers,
        attachments=(*((picture,) if picture else ()), *_attachments(row, desk)),
    )


def _attachments(row: tables.Outbox, desk: Desk) -> tuple[letter.Attachment, ...]:
    """The twin of the letter for programs, if the seat has asked for it (SET FILE JSON)."""
    if desk.reader is None or not standing.of(desk.reader).wants_file:
        return ()
    if desk.reader.address != row.to_address:  # asked for by who took the seat over
        return ()
    document = twin.document(
        desk.view,
        game=desk.table.game,
        kind=row.kind,
        turn=row.recipe["turn"],
        step=row.recipe["step"],
        facts=desk.facts,
    )
    return (letter.Attachment("application/json", twin.FILENAME, twin.to_bytes(document)),)


def _state_header(desk: Desk, turn: int, step: int) -> str:
    seen = desk.view
    is_open = seen.on_turn == seen.reader and seen.winner is None and seen.turn > 0
    return (
        f"game={desk.table.game} turn={turn} step={step} phase={seen.phase} "
        f"to-place={seen.to_place if is_open else 0} open={'yes' if is_open else 'no'}"
    )


def _reply_address(house: House, seat: tables.Seat, row: tables.Outbox) -> str:
    """Where the answer to a letter goes; a question about a held mail is answered to itself."""
    number = row.recipe["facts"].get("question")
    if number is None:
        return seat_address(house, seat, row.recipe["turn"], row.recipe["step"])
    return address.confirm_address(
        house.secret,
        games.public_id(seat.game_id),
        seat.letter,
        number,
        house.domain,
        seat.key_epoch,
    )


def seat_address(house: House, seat: tables.Seat, turn: int, step: int) -> str:
    """Where a seat's answer to a letter of that step goes."""
    issued = address.issue(
        house.secret, games.public_id(seat.game_id), seat.letter, turn, step, seat.key_epoch
    )
    return address.format_address(issued, house.domain)


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _required(moment: datetime | None) -> datetime:
    assert moment is not None, "this letter names a deadline"
    return moment


def _invitation(desk: Desk) -> contexts.Invitation:
    return contexts.Invitation(
        table=desk.table,
        inviter=desk.facts["inviter"],
        again=desk.facts.get("again", False),
        deadline=_required(desk.deadline),
        pace=timedelta(seconds=desk.options.pace),
        commitment=desk.game.commitment,
    )


def _joined(desk: Desk) -> contexts.Joined:
    return contexts.Joined(
        table=desk.table,
        taken=desk.facts["taken"],
        waiting=tuple(Seat(letter) for letter in desk.facts["waiting"]),
        deadline=desk.deadline,
    )


def _setup_call(desk: Desk) -> contexts.SetupCall:
    return contexts.SetupCall(
        table=desk.table,
        view=desk.view,
        deadline=_required(desk.deadline),
        rolled=next((e for e in desk.events if isinstance(e, OrderRolled)), None),
        examples=examples.wishes(desk.view, desk.language),
    )


def _setup_result(desk: Desk) -> contexts.SetupResult:
    return contexts.SetupResult(
        table=desk.table,
        view=desk.view,
        events=tuple(e for e in desk.events if not isinstance(e, TurnStarted)),
        next_seat=Seat(desk.facts["next_seat"]),
        deadline=desk.deadline,
    )


def _turn_call(desk: Desk) -> contexts.TurnCall:
    *since, started = desk.events
    assert isinstance(started, TurnStarted)
    return contexts.TurnCall(
        table=desk.table,
        view=desk.view,
        step=desk.facts["step"],
        deadline=_required(desk.deadline),
        started=started,
        since=tuple(since),
        examples=examples.turn(desk.view, desk.language),
        late=desk.late,
        dropped=tuple(_mistake(stored) for stored in desk.facts.get("dropped", ())),
    )


def _done(desk: Desk) -> contexts.Done:
    facts = desk.facts
    return contexts.Done(
        table=desk.table,
        thread=desk.thread,
        view=desk.view,
        closed=facts["closed"],
        lines=_lines(desk),
        notes=_notes(facts.get("notes", ())),
        ignored=_ignored(facts),
        deadline=desk.deadline,
        next_seat=_seat(facts.get("next_seat")),
        repeated=_moment(facts.get("repeated")),
        listed=facts.get("listed", False),
        examples=() if facts["closed"] else examples.turn(desk.view, desk.language),
        late=desk.late,
    )


def _mistakes(desk: Desk) -> contexts.Mistakes:
    facts = desk.facts
    return contexts.Mistakes(
        table=desk.table,
        thread=desk.thread,
        view=desk.view,
        mistakes=tuple(_mistake(stored) for stored in facts["mistakes"]),
        understood=_lines(desk),
        ignored=_ignored(facts),
        corrected=_proposed(desk),
        deadline=desk.deadline,
        board=facts.get("board", False),
        tongue=facts.get("language"),
        played=facts.get("played", False),
    )


def _preview(desk: Desk) -> contexts.Preview:
    facts = desk.facts
    plan = [(number, text) for number, text in facts["plan"]]
    return contexts.Preview(
        table=desk.table,
        thread=desk.thread,
        view=desk.view,
        forecast=prospects.of_plan(
            plan, desk.view, desk.language, desk.on_fail, suppose=facts["supposed"]
        ),
        supposed=facts["supposed"],
        notes=_notes(facts["notes"]),
        ignored=_ignored(facts),
        deadline=desk.deadline,
    )


def _paused(desk: Desk) -> contexts.Paused:
    facts = desk.facts
    return contexts.Paused(
        table=desk.table,
        thread=desk.thread,
        view=desk.view,
        reason=facts["reason"],
        lines=_lines(desk),
        eliminated=_seat(facts.get("eliminated")),
        kept=tuple(facts.get("kept", ())),
        examples=examples.turn(desk.view, desk.language),
        deadline=desk.deadline,
        late=desk.late,
    )


def _reminder(desk: Desk) -> contexts.Reminder:
    return contexts.Reminder(
        table=desk.table,
        thread=desk.thread,
        view=desk.view,
        deadline=_required(desk.deadline),
        left=timedelta(seconds=desk.facts["left"]),
        sent=desk.facts["sent"],
        late=desk.late,
    )


def _late(desk: Desk) -> contexts.TurnRanOut:
    return contexts.TurnRanOut(
        table=desk.table,
        view=desk.view,
        turn=desk.facts["turn"],
        events=desk.events,
        late=desk.late,
        missed=desk.facts["missed"],
        next_seat=_seat(desk.facts.get("next_seat")),
    )


def _report(desk: Desk) -> contexts.Report:
    return contexts.Report(
        table=desk.table,
        view=desk.view,
        turn=desk.facts["turn"],
        seat=Seat(desk.facts["seat"]),
        events=desk.events,
        next_seat=_seat(desk.facts.get("next_seat")),
        deadline=desk.deadline,
        automatic=desk.facts["automatic"],
    )


def _eliminated(desk: Desk) -> contexts.Out:
    return contexts.Out(
        table=desk.table, view=desk.view, turn=desk.facts["turn"], by=Seat(desk.facts["by"])
    )


def _game_over(desk: Desk) -> contexts.GameOver:
    return contexts.GameOver(
        table=desk.table,
        view=desk.view,
        turn=desk.facts["turn"],
        winner=_seat(desk.facts.get("winner")),
        commitment=desk.game.commitment,
        deck_seed=desk.game.deck_seed.hex(),
        links=tuple(contexts.Revealed(number, secret) for number, secret in desk.facts["links"]),
        luck=desk.game.luck,
        final=desk.events,
    )


def _confirm(desk: Desk) -> contexts.Confirm:
    return contexts.Confirm(
        table=desk.table,
        sender=desk.facts["sender"],
        received=_required(_moment(desk.facts["received"])),
        held=tuple(desk.facts["held"]),
        last=desk.facts["last"],
    )


def _note(desk: Desk) -> contexts.Notice:
    return contexts.Notice(table=desk.table, about=desk.facts["about"], facts=desk.facts["told"])


def _help(desk: Desk) -> contexts.Help:
    return contexts.Help(
        table=desk.table,
        thread=desk.thread,
        topic=desk.facts.get("topic", ""),
        examples=examples.turn(desk.view, desk.language),
    )


def _history(desk: Desk) -> contexts.History:
    return contexts.History(table=desk.table, thread=desk.thread, view=desk.view)


def _stats(desk: Desk) -> contexts.Stats:
    return contexts.Stats(table=desk.table, thread=desk.thread, view=desk.view)


def _press(desk: Desk) -> contexts.Press:
    return contexts.Press(
        table=desk.table,
        sender=_seat(desk.facts["sender"]),
        to=tuple(Seat(letter) for letter in desk.facts["to"]),
        text=desk.facts["text"],
    )


def _not_understood(desk: Desk) -> contexts.NotUnderstood:
    return contexts.NotUnderstood(
        reason=desk.facts["reason"],
        facts=desk.facts.get("told", {}),
        table=desk.table,
        ignored=_ignored(desk.facts),
    )


BUILDERS: Mapping[str, Callable[[Desk], contexts.Letter | contexts.NotUnderstood]] = {
    "invitation": _invitation,
    "joined": _joined,
    "setup-call": _setup_call,
    "setup-result": _setup_result,
    "turn-call": _turn_call,
    "done": _done,
    "mistakes": _mistakes,
    "preview": _preview,
    "paused": _paused,
    "reminder": _reminder,
    "late": _late,
    "report": _report,
    "eliminated": _eliminated,
    "game-over": _game_over,
    "confirm": _confirm,
    "note": _note,
    "help": _help,
    "history": _history,
    "stats": _stats,
    "press": _press,
    "not-understood": _not_understood,
}


def _lines(desk: Desk) -> tuple[contexts.Understood, ...]:
    return tuple(
        contexts.Understood(
            line=line["line"],
            orders=tuple(line["orders"]),
            events=visible(
                (notation.event_from_json(event) for event in line.get("events", ())),
                desk.view.reader,
            ),
            notes=_notes(line.get("notes", ())),
            skipped=line.get("skipped", False),
        )
        for line in desk.facts.get("lines", ())
    )


def _notes(stored: Sequence[Mapping[str, Any]]) -> tuple[Note, ...]:
    return tuple(Note(note["code"], note["line"], _frozen(note["facts"])) for note in stored)


def _mistake(stored: Mapping[str, Any]) -> Mistake:
    return Mistake(stored["code"], stored["line"], stored["quoted"], _frozen(stored["facts"]))


def _served(facts: Mapping[str, Any]) -> tuple[contexts.Served, ...]:
    return tuple(
        contexts.Served(
            one["code"],
            {name: _told(value) for name, value in one["facts"].items()},
            one["refused"],
        )
        for one in facts.get("served", ())
    )


def _told(value: Any) -> contexts.Told:
    """A fact as it was before JSON: days are marked, tuples had become lists."""
    if isinstance(value, dict):
        return date.fromisoformat(value["day"])
    fact: contexts.Told = _tuples(value)
    return fact


def _ignored(facts: Mapping[str, Any]) -> tuple[Ignored, ...]:
    return tuple(Ignored(*stored) for stored in facts.get("ignored", ()))


def _frozen(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts as they were before JSON made lists of tuples."""
    return {name: _tuples(value) for name, value in facts.items()}


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _proposed(desk: Desk) -> tuple[contexts.Proposed, ...] | None:
    """The mended text, each attack with its chance."""
    stored = desk.facts.get("corrected")
    if stored is None:
        return None
    orders = [entry["order"] for entry in stored]
    chances = prospects.of_mended(orders, desk.view, desk.language, desk.on_fail)
    return tuple(
        contexts.Proposed(order)
        if line is None
        else contexts.Proposed(order, line.capture, full_dice=line.full_dice)
        for order, line in zip(orders, chances, strict=True)
    )


def _seat(letter_or_none: str | None) -> Seat | None:
    return None if letter_or_none is None else Seat(letter_or_none)
