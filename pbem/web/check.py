"""The order checker: a text and the address of a seat's newest letter in, understanding out.

The address is the key of the seat, so it travels in the body of a form alone and stands in no link
to this site. Who has no key gets one page, whatever is wrong.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from threading import Lock
from typing import Annotated
from urllib.parse import parse_qsl, quote

from fastapi import APIRouter, Depends, Request, Response

from pbem.render import checked as words
from pbem.render.checked import Checked
from pbem.web.access import Reason, RefusedError
from pbem.web.allowance import Allowance
from pbem.web.respond import html_page
from pbem.web.site import Checker, Site

LONGEST_TEXT = 12_288  # characters
MOST_CHECKS, SPAN = 20, timedelta(minutes=10)
"""So often one seat's orders are checked."""

_LARGEST_FORM = 128 * 1024  # bytes: each character of the text may take nine
_LONGEST_ADDRESS = 254  # characters
_LONGEST_LINK = 1_800  # characters: some mail programs cut longer ones in silence

router = APIRouter()


class Checks:
    """The checker of a process with its limits: one text at a time, so that mail goes on."""

    def __init__(self, checker: Checker) -> None:
        self.checker = checker
        self._allowance = Allowance(MOST_CHECKS, SPAN)
        self._busy = Lock()

    def answer(self, address: str, text: str) -> "Answer":
        """What is to be said of a text, to whoever gave that address."""
        holder = self.checker.holder(address)
        if holder is None:
            return Answer("no-key")
        if not self._allowance.take((holder.game_id, holder.seat), self.checker.clock()):
            return Answer("too-often", holder.language)
        with self._busy:
            return Answer("", holder.language, self.checker.read(holder, text))


@dataclass(frozen=True, slots=True)
class Answer:
    """What was understood, or the problem in its place; the language is that of a proved seat."""

    problem: str = ""
    language: str | None = None
    checked: Checked | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """What was written into the form."""

    address: str = ""
    text: str = ""
    too_long: bool = False


def checks_here(request: Request) -> Checks:
    """The checker of this site. Raises RefusedError."""
    checks: Checks | None = request.app.state.checks
    if checks is None:
        raise RefusedError(404, Reason.NO_PAGE)
    return checks


async def draft(request: Request) -> Draft:
    """The form, read no further than it can be ours."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LARGEST_FORM:
            return Draft(too_long=True)
    form = _fields(bytes(body))
    address, text = form.get("address", "").strip(), form.get("text", "")
    return Draft(address[:_LONGEST_ADDRESS], text[:LONGEST_TEXT], len(text) > LONGEST_TEXT)


def make_checks(site: Site) -> Checks | None:
    """The checker of a site that has one."""
    return None if site.checker is None else Checks(site.checker)


@router.get("/check")
def blank(request: Request, _checks: Annotated[Checks, Depends(checks_here)]) -> Response:
    """The empty form."""
    return _page(request, Draft(), Answer())


@router.post("/check")
def check(
    request: Request,
    checks: Annotated[Checks, Depends(checks_here)],
    written: Annotated[Draft, Depends(draft)],
) -> Response:
    """What was understood; nothing is changed, kept or rolled."""
    if written.too_long:
        return _page(request, written, Answer("too-long"), 413)
    answer = checks.answer(written.address, written.text)
    return _page(request, written, answer, _STATUS.get(answer.problem, 200))


_STATUS = {"no-key": 403, "too-often": 429}


def _fields(body: bytes) -> Mapping[str, str]:
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=10))
    except ValueError:
        return {}


def _page(request: Request, written: Draft, answer: Answer, status: int = 200) -> Response:
    found = answer.checked
    return html_page(
        request,
        "check",
        status,
        language=answer.language,
        draft=written,
        problem=answer.problem,
        answer=None if found is None else words.html(found, answer.language or ""),
        corrected=found is not None and bool(found.corrected),
        link=None if found is None else _mail_link(written, found),
        longest=LONGEST_TEXT,
    )


def _mail_link(written: Draft, found: Checked) -> str | None:
    """A link that writes the mail: the corrected text, or the player's own if nothing is wrong."""
    if found.corrected and found.services:
        return None  # the corrected text is of orders alone, and a message must not be lost
    if found.corrected:
        lines = [one.order for one in found.corrected]
    elif found.mistakes or not (found.understood or found.services):
        return None
    else:
        lines = written.text.strip().splitlines()
    subject, body = quote(f"[{found.table.game}]"), quote("\r\n".join(lines))
    link = f"mailto:{quote(written.address, safe='@+')}?subject={subject}&body={body}"
    return link if len(link) <= _LONGEST_LINK else None
