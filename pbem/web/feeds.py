"""What programs look up again and again: the calendar of a seat, at a secret address."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from pbem.judge import calendar
from pbem.web.refusal import Reason, RefusedError
from pbem.web.site import Service
from pbem.web.visitor import service_here

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
