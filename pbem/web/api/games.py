"""The routes of the API."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.openapi.utils import get_openapi
from fastapi.responses import PlainTextResponse

from pbem.judge import export, readout, watching
from pbem.store import games, lobby
from pbem.web.api.caller import Caller, Looking
from pbem.web.api.shapes import (
    Answers,
    ApiBoard,
    ApiError,
    ApiEvents,
    ApiGame,
    ApiGames,
    ApiTurns,
)
from pbem.web.refusal import Reason, RefusedError
from pbem.web.site import Site
from pbem.web.visitor import Visitor

PAGE = 50
"""Games on one page."""

REFUSED: Answers = {
    401: {"model": ApiError, "description": "who calls is not known, and has to be"},
    403: {"model": ApiError, "description": "the service is called by a name that is not its own"},
}
NO_GAME: Answers = {**REFUSED, 404: {"model": ApiError, "description": "nothing to be seen here"}}

router = APIRouter(prefix="/api")


@router.get("/games", response_model=ApiGames, responses=REFUSED)
def list_games(
    here: Caller,
    before: Annotated[str | None, Query(pattern="^g[1-9][0-9]{0,8}$")] = None,
) -> dict[str, Any]:
    """The games that the caller may look at: the own ones, and those that anybody may watch."""
    last = None if before is None else games.game_id(before)
    with here.service.reading() as session:
        rows = lobby.visible_to(session, _own(here), before=last, limit=PAGE)
        seen = watching.glances(session, rows, here.person, here.language)
        shown = [readout.summary(look, showed) for look, showed in seen]
    following = games.public_id(rows[-1].id) if len(rows) == PAGE else None
    return {"games": shown, "next": following}


@router.get("/games/{public_id}", response_model=ApiGame, responses=NO_GAME)
def one_game(at: Looking) -> dict[str, Any]:
    """One game."""
    with at.caller.service.reading() as session:
        showed = watching.showing_of(session, at.look, at.caller.language)
        return readout.summary(at.look, showed)


@router.get("/games/{public_id}/turns", response_model=ApiTurns, responses=NO_GAME)
def turns(at: Looking) -> dict[str, Any]:
    """The turns that are closed."""
    return {"game": at.name, "turns": readout.turns(at.look)}


@router.get("/games/{public_id}/events", response_model=ApiEvents, responses=NO_GAME)
def events(
    at: Looking, turn: Annotated[int | None, Query(ge=0, le=100_000)] = None
) -> dict[str, Any]:
    """What happened in one turn, the newest if none is named."""
    with at.caller.service.reading() as session:
        number = readout.newest_turn(session, at.look) if turn is None else turn
        told = readout.events(session, at.look, number)
    return {"game": at.name, "turn": number, "events": told}


@router.get("/games/{public_id}/board", response_model=ApiBoard, responses=NO_GAME)
def board(
    at: Looking, turn: Annotated[int | None, Query(ge=0, le=100_000)] = None
) -> dict[str, Any]:
    """The board as it stands, or as it stood at the close of a turn."""
    if turn is not None and turn not in [closed.turn for closed in at.look.closed]:
        raise RefusedError(404, Reason.NOT_YET)
    with at.caller.service.reading() as session:
        return readout.board(watching.showing_of(session, at.look, "en", turn), turn)


TEXT: Answers = {
    200: {
        "content": {"text/plain": {"schema": {"type": "string"}}},
        "description": "the public record",
    }
}


@router.get("/games/{public_id}/record", responses={**NO_GAME, **TEXT})
def record(at: Looking) -> Response:
    """The record of the game in its public form, for `pbem verify`."""
    if at.look.is_late:  # it would tell the turns that are kept back
        raise RefusedError(404, Reason.NOT_YET)
    with at.caller.service.reading() as session:
        return PlainTextResponse(export.export(session, at.look.game, public=True))


@router.get("/openapi.json", include_in_schema=False)
def description(request: Request) -> dict[str, Any]:
    """This API, described."""
    site: Site = request.app.state.site
    return get_openapi(
        title="World conquest by mail",
        version=site.version,
        description="Games as the caller may see them. Read only.",
        routes=router.routes,
    )


def _own(here: Visitor) -> frozenset[int] | None:
    """The games that are the caller's own; None: all of them."""
    if here.person is None:
        return frozenset()
    if here.person.owner:
        return None
    return frozenset(here.person.seats) | frozenset(here.person.offices)
