"""Mails that came to rest without an effect, for the game master: to look at, to mend, to drop.

Nothing that was accepted is ever lost: what is not played or answered is held, set aside or dead,
and stands here with the reason. Each act leaves a line in the audit. A caller that changed
something hints at the game afterwards (`Act.game_id`); the sweep would find it anyway.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem.judge import reading
from pbem.judge.gm import ActError, Why
from pbem.judge.outcome import kind_of
from pbem.mail import glance, inbound
from pbem.mail.normalise import order_lines
from pbem.mail.reading import Reading
from pbem.store import audit, games, inbox, quarantine, tables
from pbem.store.engine import Session
from pbem.store.scope import Scope
from pbem.store.tables import InboxStatus, Source

MOST_LINES = inbound.MOST_LINES
"""So many lines may a corrected text have."""


@dataclass(frozen=True, slots=True)
class Place:
    """A seat of a game: `game` is its public name ("g7"), `seat` an upper-case letter."""

    game: str
    seat: str


@dataclass(frozen=True, slots=True)
class Kept:
    """One line of the listing.

    `status` is held, set-aside or dead. `reason` is a code: confirm (unproved; its player was
    asked), unasked (unproved; too many such came that day), same-id (another mail had its
    Message-ID), postmaster (written to the house), to-bounces (a person wrote to the address of
    bounces), spam (the server in front called it that), robot (a program wrote it), and for dead
    rows the kind of the error. `place` is the seat it was sent to, `guessed` are those that its
    From holds where it was sent to none. `sender` is the bare address of From, None if it has none
    that can be trusted to be one. `why` are codes of the proof of the sender, if one was tried.
    """

    id: int
    status: InboxStatus
    reason: str
    received_at: datetime
    source: str
    recipient: str
    mail_from: str | None
    sender: str | None
    subject: str
    place: Place | None
    guessed: tuple[Place, ...]
    turn: int | None
    step: int | None
    attempts: int
    why: str


@dataclass(frozen=True, slots=True)
class Shown:
    """One mail whole: what came, beside what was read in it.

    `raw` is None for a row that no mail brought (orders of a computer, a deadline); `error` is the
    traceback of the last attempt that failed, for whoever mends the program.
    """

    kept: Kept
    raw: bytes | None
    read: Reading
    error: str | None


@dataclass(frozen=True, slots=True)
class Act:
    """What an act changed: the row, and the game to hint at (None if nothing is to be played)."""

    inbox_id: int
    game_id: int | None


def listing(
    session: Session,
    *,
    game: str | None = None,
    status: InboxStatus | None = None,
    scope: Scope | None = None,
    before: int | None = None,
    limit: int = 100,
) -> tuple[Kept, ...]:
    """What is kept, newest first; of one game ("g7"), one status or some games if given.

    `before` is the id of the last line of the page before.
    """
    number = None if game is None else _game_id(game)
    statuses = quarantine.AT_REST if status is None else (status,)
    where = () if scope is None else scope.where(tables.Inbox.game_id)
    rows = quarantine.listing(
        session, game_id=number, statuses=statuses, where=where, before=before, limit=limit
    )
    return tuple(_kept(session, row) for row in rows)


def count(session: Session, *, game: str | None = None) -> int:
    """How many mails are kept."""
    return quarantine.count(session, game_id=None if game is None else _game_id(game))


def show(session: Session, inbox_id: int) -> Shown:
    """One row with its original and what was read in it, read now if it never was. ActError."""
    row = _at_rest(session, inbox_id)
    read: Mapping[str, Any] | None = row.reading
    if read is None and row.raw is not None:
        read = reading.read(row, reading.letter_answered(session, row))
    stored = read or reading.orders_of(())
    kept = _kept(session, _resting(row))
    return Shown(kept, row.raw, Reading.from_json(stored), row.last_error)


def retry(session: Session, inbox_id: int, why: Why, now: datetime) -> Act:
    """Let the row wait to be played again, as it is. ActError if it belongs to no game.

    A mail without proof is held again; its player is not asked a second time.
    """
    row = _at_rest(session, inbox_id)
    if row.game_id is None:
        raise ActError("mail-of-no-game")
    inbox.retry(session, inbox_id, now)
    _record(session, row, why, "retry-mail", now)
    return Act(inbox_id, row.game_id)


def discard(session: Session, inbox_id: int, why: Why, now: datetime) -> Act:
    """Nothing will come of the row. Its bytes stay as long as those of all mails. ActError."""
    row = _at_rest(session, inbox_id)
    quarantine.settle(session, inbox_id, InboxStatus.IGNORED, now, "discarded")
    _record(session, row, why, "discard-mail", now)
    return Act(inbox_id, None)


def correct(
    session: Session,
    inbox_id: int,
    text: str,
    why: Why,
    now: datetime,
    place: Place | None = None,
) -> Act:
    """Play a text in the player's name in place of the mail, once; the answer says who did it.

    The game master vouches for the sender. The orders are for the step that the mail was written
    for, so what is stale is asked about as ever; with a `place` they are that seat's, for its
    game's present step. ActError.
    """
    row = _at_rest(session, inbox_id)
    lines = tuple(order_lines(text))
    if not any(lines) or len(lines) > MOST_LINES:
        raise ActError("text-lines", most=MOST_LINES)
    delivery = _correction(session, row, lines, why, now, place)
    inbox.add(session, [delivery])
    quarantine.settle(session, inbox_id, InboxStatus.DONE, now, "corrected")
    _record(session, row, why, "correct-mail", now, game_id=delivery.game_id, seat=delivery.seat)
    return Act(inbox_id, delivery.game_id)


def _correction(
    session: Session,
    row: tables.Inbox,
    lines: tuple[str, ...],
    why: Why,
    now: datetime,
    place: Place | None,
) -> inbox.Delivery:
    game_id, seat, turn, step = row.game_id, row.seat, row.turn, row.step
    if place is not None:
        game = games.find(session, _game_id(place.game))
        known = game is not None and any(
            place.seat == each.letter for each in games.seats(session, game.id)
        )
        if game is None or not known:
            raise ActError("no-place", seat=place.seat, game=place.game)
        game_id, seat, turn, step = game.id, place.seat, game.turn, game.step
    if game_id is None or seat is None:
        raise ActError("mail-of-no-seat")
    return inbox.Delivery(
        source=Source.GM,
        # Two game masters who correct the same mail are one correction.
        dedupe_key=f"gm:{row.id}",
        received_at=now,
        game_id=game_id,
        seat=seat,
        turn=turn,
        step=step,
        reading=_spoken_for(row, lines, why),
    )


def _spoken_for(row: tables.Inbox, lines: tuple[str, ...], why: Why) -> dict[str, Any]:
    """The reading of a corrected mail: its answer is still an answer to the player's own."""
    own = reading.orders_of(lines)
    answered = None if row.raw is None else glance.message_id(row.raw)
    corrected = {"day": row.received_at.date().isoformat(), "reason": why.reason}
    return own | {"message_id": answered, reading.CORRECTION: corrected}


def _at_rest(session: Session, inbox_id: int) -> tables.Inbox:
    row = inbox.find(session, inbox_id)
    if row is None or row.status not in quarantine.AT_REST:
        raise ActError("no-mail", number=inbox_id)
    return row


def _resting(row: tables.Inbox) -> quarantine.Resting:
    named = {name: getattr(row, name) for name in quarantine.Resting._fields if name != "head"}
    return quarantine.Resting(**named, head=row.raw)


def _kept(session: Session, row: quarantine.Resting) -> Kept:
    sender = None if row.head is None else glance.sender(row.head)
    place = _place(row.game_id, row.seat)
    return Kept(
        id=row.id,
        status=row.status,
        reason=_reason(row),
        received_at=row.received_at,
        source=row.source,
        recipient=row.recipient,
        mail_from=row.mail_from,
        sender=sender,
        subject="" if row.head is None else glance.subject(row.head),
        place=place,
        guessed=_guessed(session, sender) if place is None else (),
        turn=row.turn,
        step=row.step,
        attempts=row.attempts,
        why=_why(row.reading),
    )


def _reason(row: quarantine.Resting) -> str:
    if row.status == InboxStatus.DEAD:
        return kind_of(row.last_error)
    return row.result or "set-aside"


def _why(read: Mapping[str, Any] | None) -> str:
    found = (read or {}).get("proof") or {}
    return str(found.get("why", ""))


def _place(game_id: int | None, seat: str | None) -> Place | None:
    return None if game_id is None or seat is None else Place(games.public_id(game_id), seat)


def _guessed(session: Session, sender: str | None) -> tuple[Place, ...]:
    seats: Sequence[tables.Seat] = () if sender is None else games.seats_at(session, sender)
    return tuple(Place(games.public_id(seat.game_id), seat.letter) for seat in seats)


def _game_id(public: str) -> int:
    number = games.game_id(public)
    if number is None:
        raise ActError("no-game", game=public)
    return number


def _record(
    session: Session,
    row: tables.Inbox,
    why: Why,
    what: str,
    now: datetime,
    *,
    game_id: int | None = None,
    seat: str | None = None,
) -> None:
    """What was written stays out of the audit: it may be a plan that nobody else should read."""
    audit.record(
        session,
        now,
        who=why.who,
        what=what,
        game_id=game_id or row.game_id,
        reason=why.reason,
        detail={"inbox_id": row.id, "seat": seat or row.seat},
    )
