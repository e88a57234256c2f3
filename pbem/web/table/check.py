"""The order checker: a text in, understanding and chances out. Nothing is played, kept or rolled.

What is to be played goes by mail, so that the page ends in a link that writes one.
"""

from dataclasses import dataclass
from datetime import timedelta
from threading import Lock
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import HTMLResponse

from pbem.judge import checker
from pbem.judge.reply_to import seat_address
from pbem.render import checked as words
from pbem.render.checked import Checked
from pbem.store import games
from pbem.web.limit import Limit
from pbem.web.table.looking import AtSeat, Seated
from pbem.web.visitor import checked_form

LONGEST_TEXT = 12_288  # characters
MOST_CHECKS, CHECKED_WITHIN = 20, timedelta(minutes=10)
"""So often one seat's orders are checked."""

_LONGEST_LINK = 1_800  # characters: some mail programs cut longer ones in silence

router = APIRouter(
    prefix="/games/{public_id}/check",
    default_response_class=HTMLResponse,
    dependencies=[Depends(checked_form)],
)


class Turnstile:
    """How much a process checks: so often for each seat, and one text at a time, so that the other
    pages go on."""

    def __init__(self) -> None:
        self._limit = Limit(MOST_CHECKS, CHECKED_WITHIN)
        self._busy = Lock()

    def answer(self, at: AtSeat, text: str) -> "Answer":
        """What is to be said of a text."""
        if len(text) > LONGEST_TEXT:
            return Answer("too-long")
        service = at.visitor.service
        if not self._limit.allows(f"{at.public_id}.{at.seat}", service.clock()):
            return Answer("too-often")
        with self._busy, service.reading() as session:
            game = games.find(session, at.look.game.id)
            assert game is not None, "games are never deleted"
            found = checker.understanding(session, game, at.seat, text)
            seat = games.seat(session, game.id, at.seat)
            assert seat is not None, "seats are never deleted"
            address = seat_address(service.house, seat, game.turn, game.step)
        return Answer("", found, _mail_link(address, text, found))


@dataclass(frozen=True, slots=True)
class Answer:
    """What was understood, or the problem in its place; a link that writes the mail."""

    problem: str = ""
    checked: Checked | None = None
    link: str | None = None


@router.get("")
def blank(at: Seated) -> Response:
    """The empty form."""
    return _page(at, "", Answer())


@router.post("")
def check(request: Request, at: Seated, text: Annotated[str, Form()] = "") -> Response:
    """What was understood; nothing is changed."""
    turnstile: Turnstile = request.app.state.turnstile
    answer = turnstile.answer(at, text)
    status = {"too-long": 413, "too-often": 429}.get(answer.problem, 200)
    return _page(at, text[:LONGEST_TEXT], answer, status)


def _page(at: AtSeat, text: str, answer: Answer, status: int = 200) -> Response:
    with at.visitor.service.reading() as session:
        showed = at.showing(session)
    found = answer.checked
    page = at.page(
        "table-check",
        "check",
        showed,
        text=text,
        problem=answer.problem,
        answer=None if found is None else words.html(found, at.visitor.language),
        corrected=found is not None and bool(found.corrected),
        link=answer.link,
        longest=LONGEST_TEXT,
    )
    page.status_code = status
    return page


def _mail_link(address: str, text: str, found: Checked) -> str | None:
    """A link that writes the mail: the corrected text, or the player's own if nothing is wrong."""
    if found.corrected and found.services:
        return None  # the corrected text is of orders alone, and a message must not be lost
    if found.corrected:
        lines = [one.order for one in found.corrected]
    elif found.mistakes or not (found.understood or found.services):
        return None
    else:
        lines = text.strip().splitlines()
    subject, body = quote(f"[{found.table.game}]"), quote("\r\n".join(lines))
    link = f"mailto:{quote(address, safe='@+')}?subject={subject}&body={body}"
    return link if len(link) <= _LONGEST_LINK else None
