"""Letters on their way out: what waits, what was sent, what failed or came back."""

from enum import StrEnum

from fastapi import APIRouter, Depends, Response
from fastapi.responses import HTMLResponse

from pbem.judge.acts.act import NEEDED
from pbem.judge.acts.registry import ACTS
from pbem.judge.roles import Role
from pbem.store import games, post
from pbem.store.tables import OutboxStatus
from pbem.web.desk.game import OPEN_KINDS
from pbem.web.refusal import Reason, RefusedError
from pbem.web.respond import show
from pbem.web.visitor import DeskVisitor, Known, checked_form

PAGE = 50

RESEND = "resend"
"""The act that sends a letter of a game again."""

router = APIRouter(
    prefix="/desk/outbox",
    default_response_class=HTMLResponse,
    dependencies=[Depends(checked_form)],
)


class Which(StrEnum):
    """Which letters are listed."""

    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"


STATUSES = {
    Which.SENT: (OutboxStatus.SENT,),
    Which.FAILED: (OutboxStatus.FAILED, OutboxStatus.DROPPED),
}


@router.get("")
def listing(here: DeskVisitor, which: Which = Which.QUEUED, before: int | None = None) -> Response:
    """Letters in lines; what they say stays with their readers."""
    with here.service.reading() as session:
        if which is Which.QUEUED:
            found = post.queued(session, here.person.watched, limit=PAGE)
        else:
            found = post.letters(
                session,
                here.person.watched,
                statuses=STATUSES[which],
                before=before,
                limit=PAGE + 1,
            )
        failed = post.count_letters(session, (OutboxStatus.FAILED,))
    older = f"/desk/outbox?which={which}&before={found[PAGE - 1].id}" if len(found) > PAGE else ""
    return show(
        here,
        "desk-outbox",
        letters=[line for line in found[:PAGE] if _may_see(here, line)],
        which=which,
        failed=failed if here.person.owner else 0,
        older=older,
        now=here.service.clock(),
        public_id=games.public_id,
    )


@router.get("/{number}")
def one(here: DeskVisitor, number: int) -> Response:
    """One letter: to whom, when, how often, and what the last attempt came to."""
    with here.service.reading() as session:
        line = post.letter(session, number)
    if line is None or not here.person.watched.holds(line.game_id) or not _may_see(here, line):
        raise RefusedError(404, Reason.NO_LETTER)
    return show(
        here,
        "desk-letter",
        letter=line,
        resend=_resend(here, line),
        now=here.service.clock(),
        public_id=games.public_id,
    )


def _may_see(here: Known, line: post.LetterLine) -> bool:
    """A host learns of the letters to rivals only what the whole table knows."""
    if line.game_id is None or here.person.role(line.game_id) is not Role.HOST:
        return True
    own = here.person.seats.get(line.game_id, ())
    return line.seat in own or line.kind in OPEN_KINDS


def _resend(here: Known, line: post.LetterLine) -> str:
    """Where the letter can be sent again; "" where it cannot."""
    act = ACTS.get(RESEND)
    if act is None or line.game_id is None or line.seat is None:
        return ""
    if not here.person.may(line.game_id, NEEDED[act.grade]):
        return ""
    return f"/desk/games/{games.public_id(line.game_id)}/acts/{RESEND}?letter={line.id}"
