"""What the house knows of a person, given out or forgotten on request.

A game keeps the seat, not the person: in running games the computer takes it over first.
"""

from datetime import datetime
from typing import Any

from pbem.judge.acts import performing
from pbem.judge.acts.performing import Performed
from pbem.judge.acts.seats import Replace
from pbem.judge.gm import Why
from pbem.judge.house import House
from pbem.judge.invitees import COMPUTER
from pbem.store import audit, games, person
from pbem.store.engine import Engine, Session
from pbem.store.engine import session as open_session
from pbem.store.tables import SeatStatus


def export(session: Session, address: str, *, closed: bool = False) -> dict[str, Any]:
    """Everything that is kept of an address, as JSON; mails and letters with their whole text.

    `closed` leaves out what a game that runs must not tell even its master: the texts, in which
    hands stand, and the settings.
    """
    found = person.rows(session, address)
    shut = _running_of(session, found) if closed else frozenset()
    return {
        "address": address,
        "seats": [
            {
                "game": games.public_id(seat.game_id),
                "letter": seat.letter,
                "colour": seat.colour,
                "name": seat.name,
                "language": seat.language,
                "zone": seat.zone,
                "status": seat.status,
                "joined_at": _iso(seat.joined_at),
                "settings": None if seat.game_id in shut else seat.settings,
                "misses": seat.misses,
            }
            for seat in found.seats
        ],
        "mails": [
            {
                "id": mail.id,
                "received_at": _iso(mail.received_at),
                "recipient": mail.recipient,
                "status": mail.status,
                "result": mail.result,
                "text": None if mail.game_id in shut else _text(mail.raw),
            }
            for mail in found.mails
        ],
        "letters": [
            {
                "id": letter.id,
                "kind": letter.kind,
                "subject": letter.subject,
                "written_at": _iso(letter.created_at),
                "sent_at": _iso(letter.sent_at),
                "text": None if letter.game_id in shut else _text(letter.composed),
            }
            for letter in found.letters
        ],
        "offices": [
            {"game": games.public_id(held.game_id), "office": held.office, "since": _iso(held.at)}
            for held in found.offices
        ],
        "visits": [
            {"began_at": _iso(visit.began_at), "seen_at": _iso(visit.seen_at)}
            for visit in found.visits
        ],
        "moves": [
            {"game": games.public_id(move.game_id), "old": move.old, "new": move.new}
            for move in found.moves
        ],
        "keys": [
            {"name": key.name, "made_at": _iso(key.made_at), "used_at": _iso(key.used_at)}
            for key in found.keys
        ],
        "watched": [
            {"game": games.public_id(one.game_id), "since": _iso(one.since)}
            for one in found.watched
        ],
        "voices": [
            {"consent": one.consent_id, "agrees": one.agrees, "at": _iso(one.at)}
            for one in found.voices
        ],
        "acts": [
            {"at": _iso(act.at), "what": act.what, "reason": act.reason} for act in found.acts
        ],
    }


def running(session: Session, address: str) -> tuple[tuple[int, str], ...]:
    """The seats of an address in games that run, by game and letter: those to be given away."""
    return tuple(
        (seat.game_id, seat.letter)
        for seat in person.rows(session, address).seats
        if seat.status != SeatStatus.ELIMINATED and _runs(session, seat.game_id)
    )


def erase(
    engine: Engine, house: House, address: str, why: Why, now: datetime
) -> tuple[int, tuple[int, ...]]:
    """Forget the address; how many rows knew it, and the outbox ids of what others are told."""
    with open_session(engine) as session:
        given = running(session, address)
    letters: tuple[int, ...] = ()
    for game_id, letter in given:
        done = performing.perform(engine, house, game_id, Replace(letter, COMPUTER), why, now)
        letters += done.letters if isinstance(done, Performed) else ()
    with open_session(engine) as session:
        count = person.erase(session, address, now)
        audit.record(session, now, who=why.who, what="erase-person", detail={"rows": count})
    return count, letters


def _running_of(session: Session, found: person.Rows) -> frozenset[int | None]:
    """The games that run, of all that the rows belong to."""
    named = {seat.game_id for seat in found.seats}
    named |= {mail.game_id for mail in found.mails if mail.game_id is not None}
    named |= {letter.game_id for letter in found.letters if letter.game_id is not None}
    return frozenset(number for number in named if _runs(session, number))


def _runs(session: Session, game_id: int) -> bool:
    game = games.find(session, game_id)
    return game is not None and game.over_at is None


def _text(raw: bytes | None) -> str | None:
    return None if raw is None else raw.decode("utf-8", "replace")


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()
