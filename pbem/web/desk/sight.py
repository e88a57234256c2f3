"""Offices of a game, and the open sight: each look at the hands is told to the players."""

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from pbem.judge import login, revealing, showing
from pbem.judge.gm import Why
from pbem.judge.roles import May
from pbem.store import appointments, audit
from pbem.store.tables import Office
from pbem.web.desk.acts import LONGEST_REASON
from pbem.web.refusal import Reason, RefusedError
from pbem.web.respond import show_game
from pbem.web.visitor import AtGame, at_game, checked_form

router = APIRouter(
    prefix="/desk/games/{public_id}",
    default_response_class=HTMLResponse,
    dependencies=[Depends(checked_form)],
)
MayReveal = Annotated[AtGame, Depends(at_game(May.REVEAL))]
MayAppoint = Annotated[AtGame, Depends(at_game(May.APPOINT))]


@router.get("/hands")
def hands(at: MayReveal) -> Response:
    """Every hand and mission, for a quarter of an hour after it was asked for and told."""
    service = at.visitor.service
    with service.reading() as session:
        until = revealing.open_until(
            session, at.game_id, at.visitor.person.address, service.clock()
        )
        showed = showing.show(session, at.game(session), None, at.visitor.language)
        opened = showing.hands(session, at.game(session), at.visitor.language) if until else ()
    return show_game(
        at.visitor,
        "desk-hands",
        showed,
        at=at,
        face="hands",
        role=at.visitor.person.role(at.game_id),
        until=until,
        opened=opened,
        minutes=int(revealing.LOOK.total_seconds()) // int(timedelta(minutes=1).total_seconds()),
    )


@router.post("/hands")
def reveal(at: MayReveal, reason: Annotated[str, Form()] = "") -> Response:
    """Ask to see them: it is written down, and every player gets a letter."""
    service = at.visitor.service
    why = Why(at.visitor.person.address, " ".join(reason.split())[:LONGEST_REASON])
    if not why.reason:
        raise RefusedError(422, Reason.NO_REASON)
    with service.writing() as session:
        letters = revealing.reveal(session, service.house, at.game_id, why, service.clock())
    service.send(letters)
    return RedirectResponse(f"/desk/games/{at.public_id}/hands", status_code=303)


@router.post("/offices")
def appoint(
    at: MayAppoint,
    address: Annotated[str, Form()],
    office: Annotated[Office, Form()],
) -> Response:
    """Give somebody an office in the game."""
    service, address = at.visitor.service, login.canonical(address)
    if "@" not in address or len(address) > login.LONGEST_ADDRESS:
        raise RefusedError(422, Reason.NO_ADDRESS)
    with service.writing() as session:
        by, now = at.visitor.person.address, service.clock()
        appointments.appoint(session, at.game_id, address, office, by, now)
        audit.record(
            session,
            now,
            who=by,
            what="appoint",
            game_id=at.game_id,
            detail={"address": address, "office": office},
        )
    return _players(at)


@router.post("/offices/dismiss")
def dismiss(at: MayAppoint, address: Annotated[str, Form()]) -> Response:
    """Take somebody's office away."""
    service = at.visitor.service
    with service.writing() as session:
        if appointments.dismiss(session, at.game_id, address):
            audit.record(
                session,
                service.clock(),
                who=at.visitor.person.address,
                what="dismiss",
                game_id=at.game_id,
                detail={"address": address},
            )
    return _players(at)


def _players(at: AtGame) -> Response:
    return RedirectResponse(f"/desk/games/{at.public_id}/players", status_code=303)
