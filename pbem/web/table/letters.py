"""The letters of a player's own seat, as they were sent: to be read here, and answered by mail."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.responses import HTMLResponse

from pbem.store import outbox
from pbem.store.tables import Outbox, OutboxStatus
from pbem.web.headers import LETTER_HEADERS
from pbem.web.refusal import Reason, RefusedError
from pbem.web.shown import shown
from pbem.web.table.looking import AtSeat, Seated

LETTERS = 50
"""Letters on the page."""

router = APIRouter(prefix="/games/{public_id}/letters", default_response_class=HTMLResponse)


@router.get("")
def letters(at: Seated) -> Response:
    """The newest letters to the player, newest first."""
    with at.visitor.service.reading() as session:
        rows = outbox.sent_to(session, at.look.game.id, at.seat, at.visitor.person.address, LETTERS)
        showed = at.showing(session)
    return at.page("table-letters", "letters", showed, letters=rows)


@router.get("/{number}")
def letter(
    at: Seated, number: int, as_text: Annotated[bool, Query(alias="text")] = False
) -> Response:
    """One letter: its HTML in a frame of its own, or its text."""
    row = _own(at, number)
    with at.visitor.service.reading() as session:
        showed = at.showing(session)
    found = shown(row.composed or b"")
    plain = as_text or found.html is None
    return at.page("table-letter", "letters", showed, row=row, letter=found, plain=plain)


@router.get("/{number}/page")
def letter_html(at: Seated, number: int) -> Response:
    """The HTML part for its frame, which is all that it may touch. Raises RefusedError."""
    part = shown(_own(at, number).composed or b"").html
    if part is None:
        raise RefusedError(404, Reason.NO_LETTER)
    return HTMLResponse(part, headers=LETTER_HEADERS)


def _own(at: AtSeat, number: int) -> Outbox:
    """A letter that was sent to this player, not to who held the seat before."""
    with at.visitor.service.reading() as session:
        row = outbox.find(session, number)
    address = at.visitor.person.address
    if (
        row is None
        or row.status is not OutboxStatus.SENT
        or (row.game_id, row.seat) != (at.look.game.id, at.seat)
        or row.to_address != address
    ):
        raise RefusedError(404, Reason.NO_LETTER)
    return row
