"""People as addresses: which seats they hold, and whether letters reach them."""

from fastapi import APIRouter, Depends, Response
from fastapi.responses import HTMLResponse

from pbem.judge import login, people
from pbem.store import appointments, desk, games, visits
from pbem.web.refusal import Reason, RefusedError
from pbem.web.respond import show
from pbem.web.visitor import DeskVisitor, checked_form

PAGE = 50

router = APIRouter(
    prefix="/desk/people",
    default_response_class=HTMLResponse,
    dependencies=[Depends(checked_form)],
)


@router.get("")
def listing(here: DeskVisitor, like: str = "", after: str = "") -> Response:
    """Everybody who holds a seat in a game on the desk, by address."""
    like = like.strip()[:254]
    with here.service.reading() as session:
        found = desk.people(session, here.person.watched, like=like, after=after, limit=PAGE + 1)
    more = found[PAGE - 1].address if len(found) > PAGE else ""
    return show(here, "desk-people", people=found[:PAGE], like=like, more=more)


@router.get("/{address:path}")
def one(here: DeskVisitor, address: str) -> Response:
    """One person: the seats in games on the desk, and where letters went wrong."""
    service, watched = here.service, here.person.watched
    with service.reading() as session:
        seats = [seat for seat in games.seats_at(session, address) if watched.holds(seat.game_id)]
        offices = [
            held
            for held in appointments.of_address(session, address)
            if watched.holds(held.game_id)
        ]
        if not seats and not offices:
            raise RefusedError(404, Reason.NO_PAGE)
        lines = {line.id: line for line in desk.games_named(session, [s.game_id for s in seats])}
        failed = desk.bounces_of(session, [(seat.game_id, seat.letter) for seat in seats])
        count = visits.count(session, address, service.clock())
        speech = login.speech_of(session, address, here.language)
    return show(
        here,
        "desk-person",
        address=address,
        seats=[(seat, people.seat_line(seat, here.language)) for seat in seats],
        lines=lines,
        offices=offices,
        bounces=failed,
        visits=count if here.person.owner else None,
        speech=speech,
        public_id=games.public_id,
        now=service.clock(),
    )
