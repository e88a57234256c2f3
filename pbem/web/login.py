"""Logging in and out: a link is asked for, comes by mail, and is used up by a button.

Looking at a link changes nothing, since programs that look after mail open every link in it.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.background import BackgroundTask

from pbem.judge import login
from pbem.render import pages
from pbem.store import desk, visits
from pbem.store.desk import GameLine
from pbem.web.limit import Limit
from pbem.web.refusal import Reason, RefusedError
from pbem.web.respond import show
from pbem.web.site import Service
from pbem.web.visitor import (
    AnyVisitor,
    KnownVisitor,
    checked_form,
    forget_visit,
    set_visit,
    visit_cookie,
)

MOST_ASKED, ASKED_WITHIN = 10, timedelta(minutes=10)
"""So many links may one client ask for."""


router = APIRouter(default_response_class=HTMLResponse, dependencies=[Depends(checked_form)])


@router.get("/login")
def form(here: AnyVisitor) -> Response:
    """Where a link is asked for."""
    return show(here, "login")


@router.post("/login")
def ask(request: Request, here: AnyVisitor, address: Annotated[str, Form()] = "") -> Response:
    """Send a link, if the address is known here; the answer and its time do not tell."""
    client = request.client.host if request.client else ""
    limit: Limit = request.app.state.login_limit
    if not limit.allows(client, here.service.clock()):
        raise RefusedError(429, Reason.TOO_OFTEN)
    sent = RedirectResponse("/login/sent", status_code=303)
    if "@" in address and len(address) <= login.LONGEST_ADDRESS:
        sent.background = BackgroundTask(_send_link, here.service, address, here.language)
    return sent


@router.get("/login/sent")
def sent(here: AnyVisitor) -> Response:
    """What to do next."""
    return show(here, "login-sent", minutes=int(login.LINK_LIFE.total_seconds()) // 60)


@router.get("/login/{token}")
def button(here: AnyVisitor, token: str) -> Response:
    """The page of a link: one button, which does it."""
    with here.service.reading() as session:
        if not login.is_good(session, token, here.service.clock()):
            raise RefusedError(410, Reason.DEAD_LINK)
    return show(here, "login-button", token=token)


@router.post("/login/{token}")
def enter(request: Request, here: AnyVisitor, token: str) -> Response:
    """Use the link up and begin a visit with a key of its own."""
    service, left = here.service, request.cookies.get(visit_cookie(here.service), "")
    with service.writing() as session:
        key = login.enter(
            session, token, service.clock(), service.entropy, here.language, left=left
        )
    if key is None:
        raise RefusedError(410, Reason.DEAD_LINK)
    home = RedirectResponse("/you", status_code=303)
    set_visit(service, home, key)
    return home


@router.get("/you")
def you(here: KnownVisitor) -> Response:
    """Who has logged in, with all that belongs to this address."""
    if here.person.has_desk and not here.person.seats:
        return RedirectResponse("/desk", status_code=303)
    return _you(here)


@router.get("/you/visits")
def your_visits(here: KnownVisitor) -> Response:
    """The same, for who would be led to the desk at once."""
    return _you(here)


@router.post("/you/language")
def speak(here: KnownVisitor, language: Annotated[str, Form()] = "") -> Response:
    """Set the language of the pages, in this browser."""
    if language in pages.spoken():
        with here.service.writing() as session:
            visits.speak(session, login.digest(here.key), language)
    return RedirectResponse("/you/visits", status_code=303)


@router.post("/logout")
def leave(here: KnownVisitor) -> Response:
    """End this visit."""
    with here.service.writing() as session:
        login.leave(session, here.key)
    return _gone(here.service)


@router.post("/logout/everywhere")
def leave_everywhere(here: KnownVisitor) -> Response:
    """End all visits of this address, on whatever machine."""
    service = here.service
    with service.writing() as session:
        login.leave_everywhere(session, here.person.address, service.clock())
    return _gone(service)


def _you(here: KnownVisitor) -> Response:
    now = here.service.clock()
    with here.service.reading() as session:
        open_visits = visits.count(session, here.person.address, now)
        played = desk.games_named(session, here.person.seats)
    return show(
        here,
        "you",
        visits=open_visits,
        languages=pages.spoken(),
        games=sorted(played, key=lambda line: _rank(line, here.person.seats[line.id])),
        now=now,
    )


def _rank(line: GameLine, letters: Sequence[str]) -> int:
    """Games that wait for the player come first, those that are over last."""
    if line.over_at is not None:
        return 2
    return 0 if line.on_turn in letters else 1


def _gone(service: Service) -> Response:
    home = RedirectResponse("/", status_code=303)
    forget_visit(service, home)
    return home


def _send_link(service: Service, address: str, language: str) -> None:
    with service.writing() as session:
        letters = login.ask(
            session, service.house, address, service.clock(), service.entropy, language
        )
    service.send(letters)
