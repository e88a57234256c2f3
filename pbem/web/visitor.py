"""Who a request is from, and what it may see: the dependencies that every page of games takes.

A visit's key stands in a cookie that scripts do not get. What a browser may change is kept from
other sites three times: SameSite cookies, a token in each form that belongs to the cookie, and the
Origin of the form. The Host header is checked, so that no foreign name can be pointed at us.

What only compares is a coroutine: each plain function would wait for a thread of its own.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import Depends, Path, Request, Response
from starlette.datastructures import FormData

from pbem.judge import login, roles
from pbem.judge.roles import May, Person
from pbem.render import pages
from pbem.store import desk, games, tables
from pbem.store.engine import Session
from pbem.web.origin import is_called_by, is_own_form, own_names, same
from pbem.web.refusal import Reason, RefusedError
from pbem.web.site import Service, Site

FORM_TOKEN = "form_token"  # noqa: S105  (the name of a field)


@dataclass(frozen=True, slots=True)
class Visitor:
    """A request: who sent it (None: nobody that we know), and how to speak to it.

    `key` is the visit's secret, "" without one; `nonce` belongs to a browser that has not logged
    in, so that its forms can be told from others'.
    """

    service: Service
    person: Person | None
    language: str
    zone: ZoneInfo
    path: str
    key: str = field(default="", repr=False)
    nonce: str = field(default="", repr=False)

    @property
    def form_token(self) -> str:
        """What stands in the forms of the visitor's pages."""
        bound = self.key or self.nonce
        return hmac.new(bound.encode(), b"form/1", hashlib.sha256).hexdigest()


@dataclass(frozen=True, slots=True)
class Known(Visitor):
    """A visitor who has logged in."""

    person: Person


async def service_here(request: Request) -> Service:
    """The service, called by our own name. Raises RefusedError."""
    site: Site = request.app.state.site
    if site.service is None:
        raise RefusedError(404, Reason.NO_PAGE)
    if not is_called_by(request, own_names(site.service.house.public_url, site.service.http.host)):
        raise RefusedError(403, Reason.FOREIGN_NAME)
    return site.service


def visitor(request: Request, service: Annotated[Service, Depends(service_here)]) -> Visitor:
    """Who asks, whether we know them or not."""
    wished = pages.language_for(request.headers.get("accept-language", ""))
    path = request.url.path
    key = request.cookies.get(visit_cookie(service), "")
    now = service.clock()
    with service.reading() as session:
        visit = login.visit_of(session, key, now)
        if visit is not None:
            person = roles.person(session, service.house, visit.address)
            zone = login.speech_of(session, visit.address, visit.language).zone
    if visit is None:
        asked = request.query_params.get("lang", "")
        language = asked if asked in pages.spoken() else wished
        nonce = request.cookies.get(form_cookie(service), "") or secrets.token_hex(16)
        return Visitor(service, None, language, ZoneInfo("UTC"), path, nonce=nonce)
    if login.is_to_note(visit, now):
        with service.writing() as session:
            login.note(session, visit, now)
    language = visit.language if visit.language in pages.spoken() else wished
    return Known(service, person, language, ZoneInfo(zone), path, key=key)


AnyVisitor = Annotated[Visitor, Depends(visitor)]


async def known(here: AnyVisitor) -> Known:
    """Somebody who has logged in. Raises RefusedError."""
    if not isinstance(here, Known):
        raise RefusedError(401, Reason.NO_LOGIN)
    return here


KnownVisitor = Annotated[Known, Depends(known)]


async def at_desk(here: KnownVisitor) -> Known:
    """Somebody who looks after any game. Raises RefusedError."""
    if not here.person.has_desk:
        raise RefusedError(403, Reason.NOT_YOURS)
    return here


async def owner(here: KnownVisitor) -> Known:
    """An owner of the house. Raises RefusedError."""
    if not here.person.owner:
        raise RefusedError(403, Reason.NOT_YOURS)
    return here


DeskVisitor = Annotated[Known, Depends(at_desk)]
Owner = Annotated[Known, Depends(owner)]


@dataclass(frozen=True, slots=True)
class AtGame:
    """A visitor in front of one game whose desk it may look at."""

    visitor: Known
    game_id: int
    public_id: str

    def may(self, what: May) -> bool:
        """Whether the visitor may do this here."""
        return self.visitor.person.may(self.game_id, what)

    def need(self, what: May) -> None:
        """Raises RefusedError unless the visitor may do this here."""
        if not self.may(what):
            raise RefusedError(403, Reason.NOT_YOURS)

    def game(self, session: Session) -> tables.Game:
        """The game's row."""
        found = games.find(session, self.game_id)
        assert found is not None, "games are never deleted"
        return found


def at_game(what: May) -> Callable[..., AtGame]:
    """A dependency: the game in the path, if the visitor may do `what` there.

    Who has nothing to look at there learns no more than that: a game of others and a game that
    there is not are answered alike.
    """

    def found(here: KnownVisitor, public_id: Annotated[str, Path()]) -> AtGame:
        number = games.game_id(public_id)
        if number is None or not here.person.may(number, May.LOOK):
            raise RefusedError(404, Reason.NO_PAGE)
        with here.service.reading() as session:
            if not desk.exists(session, number):
                raise RefusedError(404, Reason.NO_PAGE)
        at = AtGame(here, number, games.public_id(number))
        at.need(what)
        return at

    return found


async def checked_form(request: Request, here: AnyVisitor) -> None:
    """A dependency of whole routers: every POST is a form of our own page. Raises RefusedError."""
    if request.method in ("GET", "HEAD"):
        return
    form = await request.form()
    given = form.get(FORM_TOKEN, "")
    if not is_own_form(request) or not isinstance(given, str) or not same(given, here.form_token):
        raise RefusedError(403, Reason.STALE_FORM)


async def given_form(request: Request) -> FormData:
    """All fields of a form, for pages that know only then which ones they need."""
    return await request.form()


GivenForm = Annotated[FormData, Depends(given_form)]


def visit_cookie(service: Service) -> str:
    """The name of the cookie with the visit's key.

    Browsers share cookies between the ports of a host, so the port stands in the name where none
    may be bound to the host by its prefix.
    """
    return "__Host-pbem" if service.is_secure else f"pbem_{service.http.port}"


def form_cookie(service: Service) -> str:
    """The name of the cookie of a browser that has not logged in."""
    return "__Host-pbem-form" if service.is_secure else f"pbem_form_{service.http.port}"


def set_visit(service: Service, response: Response, key: str) -> None:
    """Give the browser its key. Lax: who comes by a link in a letter is still known."""
    life = int(login.VISIT_LIFE.total_seconds())
    response.set_cookie(
        visit_cookie(service),
        key,
        max_age=life,
        path="/",
        httponly=True,
        secure=service.is_secure,
        samesite="lax",
    )


def forget_visit(service: Service, response: Response) -> None:
    """Take the key away."""
    response.delete_cookie(
        visit_cookie(service), path="/", httponly=True, secure=service.is_secure, samesite="lax"
    )


def set_nonce(here: Visitor, response: Response) -> None:
    """Have the browser keep what its forms belong to, until it is closed."""
    if here.nonce:
        response.set_cookie(
            form_cookie(here.service),
            here.nonce,
            path="/",
            httponly=True,
            secure=here.service.is_secure,
            samesite="strict",
        )
