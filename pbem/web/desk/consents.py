"""Acts that wait until somebody else has agreed: what is asked, what was said, and a word on it."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from pbem.judge.acts import voting
from pbem.judge.acts.registry import ACTS
from pbem.judge.gm import ActError
from pbem.judge.roles import May
from pbem.render import refusals
from pbem.store import consents
from pbem.store.engine import Session
from pbem.store.tables import Consent, ConsentStatus
from pbem.web.desk.acts import show_on
from pbem.web.refusal import Reason, RefusedError
from pbem.web.visitor import AtGame, GivenForm, at_game, checked_form

YES, NO, WITHDRAW = "yes", "no", "withdraw"

router = APIRouter(
    prefix="/desk/games/{public_id}",
    default_response_class=HTMLResponse,
    dependencies=[Depends(checked_form)],
)
Here = Annotated[AtGame, Depends(at_game(May.LOOK))]
Master = Annotated[AtGame, Depends(at_game(May.ACT_C))]


@router.get("/consents/{number}")
def look(at: Here, number: int) -> Response:
    """What is asked, of whom, and what was said so far."""
    return _page(at, number)


@router.post("/consents/{number}")
def answer(at: Master, number: int, given: GivenForm) -> Response:
    """Agree, refuse, or take the question back."""
    word, service, who = str(given.get("word", "")), at.visitor.service, at.visitor.person.address
    if word not in (YES, NO, WITHDRAW):
        return _page(at, number, status=422)
    here = (service.engine, service.house, at.game_id, number, who)
    try:
        if word == WITHDRAW:
            heard = voting.withdraw(*here, service.clock())
        else:
            heard = voting.say(*here, service.clock(), agrees=word == YES)
    except ActError as error:
        problem = refusals.text(error.code, error.facts, at.visitor.language)
        return _page(at, number, problem, 409)
    service.send(heard.letters)
    service.play(at.game_id)
    return RedirectResponse(f"/desk/games/{at.public_id}/consents/{number}", status_code=303)


def _page(at: AtGame, number: int, problem: str = "", status: int = 200) -> Response:
    who = at.visitor.person.address.casefold()
    with at.visitor.service.reading() as session:
        found = _found(session, at, number)
        voices = consents.voices(session, number)
    is_open = found.status is ConsentStatus.OPEN
    masters_word = is_open and at.may(May.ACT_C)
    return show_on(
        at,
        "desk-consent",
        status,
        act=ACTS[found.act],
        consent=found,
        voices=voices,
        problem=problem,
        asks_me=masters_word
        and any(one.address.casefold() == who and not one.seat for one in voices),
        is_mine=masters_word and found.who.casefold() == who,
    )


def _found(session: Session, at: AtGame, number: int) -> Consent:
    found = consents.find(session, number)
    if found is None or found.game_id != at.game_id:
        raise RefusedError(404, Reason.NO_PAGE)
    return found
