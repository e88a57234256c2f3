"""The lobby: games that wait for players, games to watch, a seat for whoever logs in."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Path, Query, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from pbem.judge import founding, hall, invitees, login, seating
from pbem.judge.hall import Offer
from pbem.judge.progress import Progress
from pbem.judge.roles import May, Person
from pbem.judge.seating import Newcomer, NoSeat
from pbem.store import games
from pbem.store import lobby as lobby_rows
from pbem.store.engine import Session
from pbem.web.refusal import Reason, RefusedError
from pbem.web.respond import show
from pbem.web.visitor import AnyVisitor, KnownVisitor, checked_form

router = APIRouter(
    prefix="/games", default_response_class=HTMLResponse, dependencies=[Depends(checked_form)]
)

PROBLEMS = frozenset({"no-game", "over", "seated", "full", "taken", "luck"})


@router.get("")
def lobby(
    here: AnyVisitor,
    problem: Annotated[str, Query()] = "",
    game: Annotated[str, Query()] = "",
) -> Response:
    """The games; to who has logged in the own ones first."""
    with here.service.reading() as session:
        shown = hall.hall(session)
        own = _own(session, here.person)
        may_found = here.person is not None and _may_found(session, here)
    return show(
        here,
        "lobby",
        hall=shown,
        own=own,
        may_found=may_found,
        problem=problem if problem in PROBLEMS else "",
        problem_game=game if games.game_id(game) else "",
        address=f"games@{here.service.house.domain}",
    )


@router.get("/made/{public_id}")
def made(here: KnownVisitor, public_id: Annotated[str, Path()]) -> Response:
    """What was made: who is asked, what is free. Raises RefusedError."""
    number = games.game_id(public_id)
    with here.service.reading() as session:
        game = None if number is None else games.find(session, number)
        if game is None or not _looks_after(here.person, game.id):
            raise RefusedError(404, Reason.NO_PAGE)
        (offer,) = hall.offers_of(session, [game])
        seats = games.seats(session, game.id)
    asked = [seat for seat in seats if seat.address is not None]
    return show(here, "lobby-made", offer=offer, asked=asked)


@router.post("/{public_id}/join")
def join(
    here: KnownVisitor,
    public_id: Annotated[str, Path()],
    colour: Annotated[str, Form()] = "",
    name: Annotated[str, Form()] = "",
    luck: Annotated[str, Form()] = "",
) -> Response:
    """Sit down on an open seat; the letter says the rest."""
    service = here.service
    with service.writing() as session:
        game = hall.open_game(session, public_id)
        if game is None:
            return _back("no-game", public_id)
        locked = games.lock(session, game.id)
        progress = Progress(session, service.house, locked, service.clock(), None)
        speech = login.speech_of(session, here.person.address, here.language)
        comer = Newcomer(
            here.person.address,
            invitees.clean_name(name),
            speech.language,
            speech.zone,
            colour or None,
            luck.strip() or None,
        )
        sat = seating.take(progress, comer, None)
        if isinstance(sat, NoSeat):
            return _back(sat.code, public_id)
        letters = progress.close()
    service.send(letters)
    service.play(game.id)
    return RedirectResponse(f"/games/{games.public_id(game.id)}", status_code=303)


def _back(problem: str, game: str) -> Response:
    shown = game if games.game_id(game) else ""
    return RedirectResponse(f"/games?problem={problem}&game={shown}", status_code=303)


def _own(session: Session, person: Person | None) -> tuple[Offer, ...]:
    if person is None:
        return ()
    return hall.offers_of(session, lobby_rows.named(session, person.seats, hall.MOST))


def _may_found(session: Session, here: AnyVisitor) -> bool:
    assert here.person is not None
    service = here.service
    return founding.may(session, service.house, here.person.address, service.clock())


def _looks_after(person: Person, game_id: int) -> bool:
    return person.may(game_id, May.ACT_A)
