"""The calendar of a seat: what is awaited of it, at a secret address (mail.md, "Calendar").

The address is an errand of the seat: it shows deadlines and gives no other right, and dies with
NEWKEY. A calendar that is looked up shows what holds now, so that nothing of it is stored.
"""

from collections.abc import Iterator
from datetime import datetime

from pbem.judge import setup_lists, standing
from pbem.judge.house import House
from pbem.judge.options import Options
from pbem.mail import errand
from pbem.mail.errand import Purpose
from pbem.render.calendar import Appointment, What, calendar
from pbem.rules.position import SETUP, TURN, Phase
from pbem.store import games, orders, tables
from pbem.store.engine import Session
from pbem.store.tables import SeatStatus


def link(house: House, seat: tables.Seat) -> str:
    """Where the calendar of the seat can be subscribed to."""
    name = games.public_id(seat.game_id)
    issued = errand.issue(house.secret, name, seat.letter, Purpose.CALENDAR, epoch=seat.key_epoch)
    return f"{house.public_url}/calendar/{issued.token}.ics"


def find(session: Session, house: House, token: str) -> tables.Seat | None:
    """The seat whose calendar the token of a link shows; None: there is none, or a newer key."""
    named = errand.parse(token)
    if named is None or named.purpose is not Purpose.CALENDAR:
        return None
    number = games.game_id(named.game)
    seat = None if number is None else games.seat(session, number, named.seat)
    if seat is None or not errand.genuine(named, house.secret, seat.key_epoch):
        return None
    return seat


def written(session: Session, house: House, seat: tables.Seat, now: datetime) -> bytes:
    """The calendar as it stands at this moment, in iCalendar's form."""
    game = games.find(session, seat.game_id)
    assert game is not None, "games are never deleted"
    awaited = _appointments(session, house, game, seat, now)
    return calendar(games.public_id(game.id), awaited, now, seat.language)


def _appointments(
    session: Session, house: House, game: tables.Game, seat: tables.Seat, now: datetime
) -> Iterator[Appointment]:
    what = _awaited(session, game, seat)
    at = game.deadline if game.over_at is None else game.over_at
    if what is None or at is None or game.paused_at is not None:
        return
    name = games.public_id(game.id)
    yield Appointment(
        uid=f"{name}.{seat.letter.lower()}.{what}.{game.branch}.{game.turn}@{house.domain}",
        game=name,
        what=what,
        turn=game.turn,
        at=at,
        # It only has to rise while a deadline moves; the minutes of the game's life always do.
        sequence=int((now - game.created_at).total_seconds()) // 60,
        alarms=standing.of(seat).reminders(Options.from_json(game.options)),
        cancelled=game.over_at is not None,
    )


def _awaited(session: Session, game: tables.Game, seat: tables.Seat) -> What | None:
    """What the game waits for from the seat, or waited for when it ended."""
    phase = Phase(game.phase)
    if phase is Phase.INVITED:
        return "invitation" if seat.status is SeatStatus.INVITED else None
    if phase in SETUP:
        lists = orders.setup_lists(session, game.id, branch=game.branch)
        kind = setup_lists.kind(phase)
        sent = any(one.seat == seat.letter and one.kind == kind for one in lists)
        return None if sent else "setup"
    if phase in TURN or phase is Phase.OVER:
        return "turn" if game.on_turn == seat.letter and game.turn > 0 else None
    return None
