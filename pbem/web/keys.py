"""Keys of a person's programs, made and taken back on the own page."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from pbem.judge import keys
from pbem.web.respond import show
from pbem.web.visitor import KnownVisitor, checked_form

router = APIRouter(
    prefix="/you/keys",
    default_response_class=HTMLResponse,
    dependencies=[Depends(checked_form)],
)


@router.get("")
def own(here: KnownVisitor) -> Response:
    """The keys that there are."""
    return _page(here, "")


@router.post("")
def make(here: KnownVisitor, name: Annotated[str, Form()] = "") -> Response:
    """Make a key. It is shown on this one page and never again."""
    service = here.service
    with service.writing() as session:
        made = keys.make(session, here.person.address, name, service.clock(), service.entropy)
    return _page(here, made or "")


@router.post("/{number}/revoke")
def revoke(here: KnownVisitor, number: int) -> Response:
    """Take a key back; it is good for nothing from now on."""
    service = here.service
    with service.writing() as session:
        keys.revoke(session, here.person.address, number, service.clock())
    return RedirectResponse("/you/keys", status_code=303)


def _page(here: KnownVisitor, made: str) -> Response:
    with here.service.reading() as session:
        held = keys.of(session, here.person.address)
    answer = show(
        here, "keys", keys=held, made=made, most=keys.MOST, url=here.service.house.public_url
    )
    answer.headers["cache-control"] = "no-store"
    return answer
