"""What a player is asked to agree to: the question as its letter tells it, and a word on it."""

from fastapi import APIRouter, Depends, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from pbem.judge.acts import voting
from pbem.judge.gm import ActError
from pbem.render import refusals
from pbem.store import consents
from pbem.store.engine import Session
from pbem.store.tables import Consent, Voice
from pbem.web.refusal import Reason, RefusedError
from pbem.web.table.looking import AtSeat, Seated
from pbem.web.visitor import GivenForm, checked_form

YES, NO = "yes", "no"

router = APIRouter(
    prefix="/games/{public_id}/consents",
    default_response_class=HTMLResponse,
    dependencies=[Depends(checked_form)],
)


@router.get("/{number}")
def look(at: Seated, number: int) -> Response:
    """What would be done, why, and what the player has said so far."""
    return _page(at, number)


@router.post("/{number}")
def answer(at: Seated, number: int, given: GivenForm) -> Response:
    """Agree, or do not: the same word as by mail, which a later one replaces."""
    word, service = given.get("word"), at.visitor.service
    if word not in (YES, NO):
        return _page(at, number, status=422)
    who = (at.visitor.person.address, at.seat)
    try:
        heard = voting.say_at_table(
            service.engine,
            service.house,
            at.look.game.id,
            number,
            who,
            service.clock(),
            agrees=word == YES,
        )
    except ActError as error:
        said = refusals.text(error.code, error.facts, at.visitor.language)
        return _page(at, number, said, 409)
    service.send(heard.letters)
    service.play(at.look.game.id)
    return RedirectResponse(at.address(f"/consents/{number}"), status_code=303)


def _page(at: AtSeat, number: int, problem: str = "", status: int = 200) -> Response:
    with at.visitor.service.reading() as session:
        consent, voice = _found(session, at, number)
        showed = at.showing(session)
    page = at.page(
        "table-consent", "consent", showed, consent=consent, voice=voice, problem=problem
    )
    page.status_code = status
    return page


def _found(session: Session, at: AtSeat, number: int) -> tuple[Consent, Voice]:
    """The question, and the player's voice in it. Raises RefusedError for one of others."""
    consent = consents.find(session, number)
    if consent is not None and consent.game_id == at.look.game.id:
        here = (at.visitor.person.address.casefold(), at.seat)
        for voice in consents.voices(session, number):
            if (voice.address.casefold(), voice.seat) == here:
                return consent, voice
    raise RefusedError(404, Reason.NO_PAGE)
