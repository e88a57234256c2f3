"""What programs look up again and again: the calendar of a seat, at a secret address, and the
public news of a game that may be watched."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Response

from pbem.judge import calendar, public_news, watching
from pbem.render import pages
from pbem.store import games
from pbem.web.refusal import Reason, RefusedError
from pbem.web.site import Service
from pbem.web.visitor import AnyVisitor, service_here

router = APIRouter()


@router.get("/calendar/{token}.ics")
def seat_calendar(token: str, service: Annotated[Service, Depends(service_here)]) -> Response:
    """The deadlines of the seat that the token belongs to. Raises RefusedError."""
    with service.reading() as session:
        seat = calendar.find(session, service.house, token)
        if seat is None:
            raise RefusedError(404, Reason.NO_PAGE)
        content = calendar.written(session, service.house, seat, service.clock())
    return Response(content, media_type="text/calendar; charset=utf-8")


@router.get("/games/{public_id}/news.atom")
def news(here: AnyVisitor, public_id: Annotated[str, Path()]) -> Response:
    """The public news of a game, the same for everybody. Raises RefusedError."""
    number = games.game_id(public_id)
    with here.service.reading() as session:
        game = None if number is None else games.find(session, number)
        look = None if game is None else watching.watch(session, game, None)
        if look is None:
            raise RefusedError(404, Reason.NO_PAGE)
        feed = public_news.feed(session, here.service.house, look.game, look.closed, here.language)
    content = pages.atom(feed, here.language)
    return Response(content, media_type="application/atom+xml; charset=utf-8")
