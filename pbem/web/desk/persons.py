"""People as addresses: which seats they hold, whether letters reach them, and their data."""

import json
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from pbem.judge import login, people, personal
from pbem.judge.gm import Why
from pbem.judge.roles import May
from pbem.store import appointments, audit, desk, games, tables, visits
from pbem.store.engine import Session
from pbem.web.desk.acts import LONGEST_REASON
from pbem.web.refusal import Reason, RefusedError
from pbem.web.respond import show
from pbem.web.visitor import DeskVisitor, Known, Owner, checked_form

PAGE = 50

router = APIRouter(
    prefix="/desk/people",
    default_response_class=HTMLResponse,
    dependencies=[Depends(checked_form)],
)


@router.get("")
def listing(
    here: DeskVisitor, like: str = "", after: str = "", erased: int | None = None
) -> Response:
    """Everybody who holds a seat in a game on the desk, by address.

    `erased` are the rows that knew somebody who was just forgotten.
    """
    like = like.strip()[:254]
    with here.service.reading() as session:
        found = desk.people(session, here.person.watched, like=like, after=after, limit=PAGE + 1)
    more = found[PAGE - 1].address if len(found) > PAGE else ""
    return show(here, "desk-people", people=found[:PAGE], like=like, more=more, erased=erased)


@router.post("/export")
def export(here: Owner, address: Annotated[str, Form()] = "") -> Response:
    """What is kept of a person, as a file; the sight of games that run stays closed."""
    service, address = here.service, address.strip()
    with service.writing() as session:
        _found(session, here, address)
        kept = personal.export(session, address, closed=True)
        audit.record(
            session,
            service.clock(),
            who=here.person.address,
            what="export-person",
            detail={"address": address},
        )
    return Response(
        json.dumps(kept, ensure_ascii=False, indent=1),
        media_type="application/json",
        headers={"Content-Disposition": 'attachment; filename="person.json"'},
    )


@router.post("/erase")
def erase(
    here: Owner,
    address: Annotated[str, Form()] = "",
    typed: Annotated[str, Form()] = "",
    reason: Annotated[str, Form()] = "",
) -> Response:
    """Forget a person for good; the computer takes over the seats in games that run."""
    service, address = here.service, address.strip()
    if typed.strip().lower() != address.lower():
        return _page(here, address, problem="typed", status=422)
    with service.reading() as session:
        _found(session, here, address)
        given = personal.running(session, address)
    # Who plays must not put the computer in a rival's place, whomever the house belongs to.
    if not all(here.person.may(game_id, May.ACT_B) for game_id, _ in given):
        return _page(here, address, problem="rival", status=403)
    why = Why(here.person.address, " ".join(reason.split())[:LONGEST_REASON])
    count, letters = personal.erase(service.engine, service.house, address, why, service.clock())
    service.send(letters)
    for game_id, _ in given:
        service.play(game_id)
    return RedirectResponse(f"/desk/people?erased={count}", status_code=303)


@router.get("/{address:path}")
def one(here: DeskVisitor, address: str) -> Response:
    """One person: the seats in games on the desk, and where letters went wrong."""
    return _page(here, address)


def _page(here: Known, address: str, *, problem: str = "", status: int = 200) -> Response:
    service = here.service
    with service.reading() as session:
        seats, offices = _found(session, here, address)
        lines = {line.id: line for line in desk.games_named(session, [s.game_id for s in seats])}
        failed = desk.bounces_of(session, [(seat.game_id, seat.letter) for seat in seats])
        count = visits.count(session, address, service.clock())
        speech = login.speech_of(session, address, here.language)
    return show(
        here,
        "desk-person",
        status,
        problem=problem,
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


def _found(
    session: Session, here: Known, address: str
) -> tuple[list[tables.Seat], list[tables.Appointment]]:
    """The seats and offices of a person in games on the desk. Raises RefusedError without any."""
    watched = here.person.watched
    seats = [seat for seat in games.seats_at(session, address) if watched.holds(seat.game_id)]
    offices = [
        held for held in appointments.of_address(session, address) if watched.holds(held.game_id)
    ]
    if not seats and not offices:
        raise RefusedError(404, Reason.NO_PAGE)
    return seats, offices
