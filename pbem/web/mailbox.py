"""The mailbox: everybody's letters on the machine of a newcomer, and a box to answer them.

An answer is a real mail to our own port, so that whoever plays here uses what players by mail use.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Form, Query, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse

from pbem.mail.outbound import Deferred, Failed, Outcome, Sent
from pbem.mail.outbound import Unknown as OutcomeUnknown
from pbem.store import mailbox as rows
from pbem.store import outbox
from pbem.store.tables import Outbox, OutboxStatus
from pbem.web import opened as marks
from pbem.web.access import Visit, admit, check_form, mailbox_here, set_cookie, visit
from pbem.web.answer import sent_mail
from pbem.web.headers import LETTER_HEADERS
from pbem.web.refusal import Reason, RefusedError
from pbem.web.reply import fresh_message_id, reply, send
from pbem.web.respond import html_page
from pbem.web.shown import Shown, shown
from pbem.web.site import Mailbox

LONGEST_ANSWER = 20_000  # characters
_YEAR = 365 * 24 * 3600  # seconds

router = APIRouter(prefix="/mailbox", default_response_class=HTMLResponse)
MayVisit = Annotated[Visit, Depends(visit)]


class Face(StrEnum):
    """How a letter is shown."""

    TEXT = "text"
    HTML = "html"
    SOURCE = "source"


@dataclass(frozen=True, slots=True)
class Draft:
    """What stands in the reply box, and why it could not be sent."""

    text: str = ""
    problem: str = ""
    answer: str = ""


@router.get("")
def everybody(
    request: Request,
    mailbox: Annotated[Mailbox, Depends(mailbox_here)],
    key: Annotated[str | None, Query()] = None,
) -> Response:
    """All people with their unread letters; with `?key=` the way in."""
    if key is not None:
        way_in = RedirectResponse("/mailbox", status_code=303)
        admit(mailbox, key, way_in)
        return way_in
    visit(request, mailbox)
    opened = _opened(request, mailbox)
    with mailbox.sessions() as session:
        people = rows.people(session, opened.ids, opened.floor)
    return html_page(request, "people", people=people, zone=mailbox.zone)


@router.get("/people/{address:path}")
def person(request: Request, may: MayVisit, address: str) -> Response:
    """One person's letters, newest first, and the mails that came from there."""
    with may.mailbox.sessions() as session:
        letters = rows.letters_to(session, address)
        mails = [
            sent_mail(row, outbox.answers_to(session, row.id))
            for row in rows.mails_from(session, address)
        ]
    if not letters:
        raise RefusedError(404, Reason.NO_PERSON)
    return html_page(
        request,
        "person",
        address=letters[0].to_address,
        letters=letters,
        mails=mails,
        opened=_opened(request, may.mailbox),
        zone=may.mailbox.zone,
    )


@router.get("/letters/{number}")
def letter(request: Request, may: MayVisit, number: int, face: Face = Face.TEXT) -> Response:
    """A letter and the box to answer it; its text, its HTML in a frame, or its source."""
    row = _letter(may.mailbox, number)
    page = _letter_page(request, may, row, face, Draft())
    if row.status is OutboxStatus.SENT:
        _mark_opened(request, may.mailbox, page, [number])
    return page


@router.get("/letters/{number}/page")
def letter_html(may: MayVisit, number: int) -> Response:
    """The HTML part alone, for the frame: it may load nothing and run nothing."""
    part = _readable(_letter(may.mailbox, number)).html
    if part is None:
        raise RefusedError(404, Reason.NO_LETTER)
    return HTMLResponse(part, headers=LETTER_HEADERS)


@router.get("/letters/{number}/source")
def letter_source(may: MayVisit, number: int) -> Response:
    """The bytes as they were sent."""
    _readable(row := _letter(may.mailbox, number))
    return PlainTextResponse(row.composed)


@router.post("/letters/{number}")
def answer(
    request: Request,
    may: MayVisit,
    number: int,
    text: Annotated[str, Form()] = "",
    form_token: Annotated[str, Form()] = "",
) -> Response:
    """Send an answer as a mail, then show what becomes of it."""
    check_form(request, may, form_token)
    row = _letter(may.mailbox, number)
    if len(text) > LONGEST_ANSWER:
        return _letter_page(request, may, row, Face.TEXT, Draft(text, "too-long"), 413)
    message_id = fresh_message_id(may.mailbox.domain)
    outcome = _send(may.mailbox, row, text, message_id)
    if not isinstance(outcome, Sent):
        draft = Draft(text, _PROBLEMS[type(outcome)], outcome.text)
        return _letter_page(request, may, row, Face.TEXT, draft, 502)
    return RedirectResponse(_after(may.mailbox, row.to_address, message_id), status_code=303)


@router.get("/mails/{number}")
def mail(request: Request, may: MayVisit, number: int) -> Response:
    """A mail that was sent from here: what it said, its state, and the answer."""
    with may.mailbox.sessions() as session:
        row = rows.mail(session, number)
        found = sent_mail(row, outbox.answers_to(session, number)) if row is not None else None
    if row is None or found is None:
        raise RefusedError(404, Reason.NO_LETTER)
    again = found.unsettled(may.mailbox.clock())
    page = html_page(
        request, "mail", sent=found, address=row.mail_from, again=again, zone=may.mailbox.zone
    )
    _mark_opened(request, may.mailbox, page, [answer_id for answer_id, _ in found.answers])
    return page


_PROBLEMS: dict[type[Outcome], str] = {
    Failed: "refused",
    Deferred: "not-now",
    OutcomeUnknown: "unknown",
}


def _letter_page(
    request: Request, may: Visit, row: Outbox, face: Face, draft: Draft, status: int = 200
) -> Response:
    ready = row.status is OutboxStatus.SENT
    return html_page(
        request,
        "letter",
        status,
        row=row,
        letter=_readable(row) if ready else None,
        face=face,
        draft=draft,
        form_token=may.form_token,
        longest=LONGEST_ANSWER,
        zone=may.mailbox.zone,
    )


def _letter(mailbox: Mailbox, number: int) -> Outbox:
    with mailbox.sessions() as session:
        row = rows.letter(session, number)
    if row is None:
        raise RefusedError(404, Reason.NO_LETTER)
    return row


def _readable(row: Outbox) -> Shown:
    """A letter that has arrived; before that, nobody has read it anywhere."""
    if row.status is not OutboxStatus.SENT or row.composed is None:
        raise RefusedError(404, Reason.NO_LETTER)
    return shown(row.composed)


def _send(mailbox: Mailbox, row: Outbox, text: str, message_id: str) -> Outcome:
    answered = _readable(row)
    raw = reply(answered, row.to_address, text, message_id, mailbox.clock())
    return send(mailbox.smtp, row.to_address, answered, raw)


def _after(mailbox: Mailbox, address: str, message_id: str) -> str:
    """Where to look for the answer: our door has stored the mail before it said yes."""
    with mailbox.sessions() as session:
        for row in rows.mails_from(session, address, limit=10):
            if shown(row.raw or b"").message_id == message_id:
                return f"/mailbox/mails/{row.id}"
    return f"/mailbox/people/{quote(address)}"


def _opened(request: Request, mailbox: Mailbox) -> marks.Opened:
    return marks.read(request.cookies.get(_opened_name(mailbox), ""))


def _mark_opened(
    request: Request, mailbox: Mailbox, page: Response, letters: Iterable[int]
) -> None:
    opened = reduce(marks.Opened.with_letter, letters, _opened(request, mailbox))
    set_cookie(page, _opened_name(mailbox), marks.write(opened), max_age=_YEAR)


def _opened_name(mailbox: Mailbox) -> str:
    return f"pbem_opened_{mailbox.http.port}"
