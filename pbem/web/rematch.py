"""A rematch: who looks after a finished game, or played in it and may make games, asks again."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from pbem.judge import rematch
from pbem.judge.roles import May
from pbem.store import games, tables
from pbem.store.engine import Session
from pbem.web.refusal import Reason, RefusedError
from pbem.web.respond import show
from pbem.web.visitor import Known, KnownVisitor, checked_form

router = APIRouter(
    prefix="/games/{public_id}/rematch",
    default_response_class=HTMLResponse,
    dependencies=[Depends(checked_form)],
)


@router.get("")
def ask(here: KnownVisitor, public_id: Annotated[str, Path()]) -> Response:
    """Who would be asked to what. Raises RefusedError."""
    with here.service.reading() as session:
        game = _game(session, here, public_id)
        planned = rematch.again(session, game)
        made = rematch.made(session, game)
    return show(
        here,
        "rematch",
        game=games.public_id(game.id),
        is_over=game.over_at is not None,
        planned=planned,
        made=made,
        with_addresses=here.person.may(game.id, May.LOOK),
    )


@router.post("")
def do(here: KnownVisitor, public_id: Annotated[str, Path()]) -> Response:
    """Make it, unless somebody was quicker. Raises RefusedError."""
    service = here.service
    with service.writing() as session:
        game = games.lock(session, _game(session, here, public_id).id)
        if game.over_at is None or rematch.made(session, game) is not None:
            return RedirectResponse(f"/games/{public_id}/rematch", status_code=303)
        new, letters = rematch.make(
            session,
            service.house,
            game,
            here.person.address,
            service.clock(),
            service.entropy,
        )
        made, number = games.public_id(new.id), new.id
    service.send(letters)
    service.play(number)
    # Who looks after the old game looks after the new one, and sees whom the letters go to.
    page = "/games/made" if here.person.may(game.id, May.ACT_A) else "/games"
    return RedirectResponse(f"{page}/{made}", status_code=303)


def _game(session: Session, here: Known, public_id: str) -> tables.Game:
    """The game, for who may ask its table. One of others is answered as one that there is not."""
    number = games.game_id(public_id)
    game = None if number is None else games.find(session, number)
    person = here.person
    if game is None or not (game.id in person.seats or person.may(game.id, May.LOOK)):
        raise RefusedError(404, Reason.NO_PAGE)
    service = here.service
    if not rematch.may(session, service.house, game, person, service.clock()):
        raise RefusedError(403, Reason.NOT_YOURS)
    return game
