"""The games on the desk: those that need somebody first, then all."""

from enum import StrEnum

from fastapi import APIRouter, Depends, Response
from fastapi.responses import HTMLResponse

from pbem.judge import attention, people
from pbem.render import contexts
from pbem.store import clock, desk, games
from pbem.store.engine import Session
from pbem.web.respond import show
from pbem.web.visitor import DeskVisitor, checked_form

PAGE = 25
"""Games on one page."""

router = APIRouter(default_response_class=HTMLResponse, dependencies=[Depends(checked_form)])


class Which(StrEnum):
    """Which games are listed."""

    RUNNING = "running"
    OVER = "over"


@router.get("/desk")
def all_games(
    here: DeskVisitor, which: Which = Which.RUNNING, before: int | None = None
) -> Response:
    """What needs somebody, and the games in lines."""
    now = here.service.clock()
    with here.service.reading() as session:
        needs = attention.needs(session, here.person, now)
        lines = desk.games(
            session,
            here.person.watched,
            over=which is Which.OVER,
            before=before,
            limit=PAGE + 1,
        )
        needed = [need.game_id for need in needs[:PAGE] if need.game_id is not None]
        named = {line.id: line for line in desk.games_named(session, needed)}
        seats = _seats(session, [*named, *(line.id for line in lines)], here.language)
        held = clock.find(session)
    older = f"/desk?which={which}&before={lines[PAGE - 1].id}" if len(lines) > PAGE else ""
    return show(
        here,
        "desk-games",
        now=now,
        needs=needs[:PAGE],
        needed=len(needs),
        named=named,
        lines=lines[:PAGE],
        seats=seats,
        which=which,
        older=older,
        held=held is not None and held.held_at is not None,
        public_id=games.public_id,
    )


def _seats(
    session: Session, numbers: list[int], language: str
) -> dict[int, dict[str, contexts.SeatLine]]:
    """Who sits where, by game and letter."""
    return {
        number: {seat.letter: people.seat_line(seat, language) for seat in seats}
        for number, seats in desk.seats_of(session, numbers).items()
    }
