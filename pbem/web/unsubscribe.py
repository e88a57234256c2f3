"""The way out of letters that stands in their headers (RFC 8058): a POST stops them.

A GET shows what the button would do and changes nothing: programs that look at mails open every
link. No login is asked for and no cookie read; the token in the address is the key, to this alone.
"""

from fastapi import APIRouter, Request, Response

from pbem.judge import spectating, unsubscribe
from pbem.mail.errand import Errand
from pbem.store import games, lobby
from pbem.web.refusal import Reason, RefusedError
from pbem.web.respond import html_page
from pbem.web.site import Service, Site

router = APIRouter(prefix="/stop")


@router.get("/{token}")
def ask(request: Request, token: str) -> Response:
    """What would stop, and the button for it."""
    service = _service(request)
    with service.reading() as session:
        named = unsubscribe.find(session, service.house, token)
        watcher = spectating.find(session, service.house, token)
    if watcher is not None:
        return _watching(request, "asked", watcher.game_id)
    return _page(request, "asked", named)


@router.post("/{token}")
def stop(request: Request, token: str) -> Response:
    """Stop the letters, by the page's button or a mail program's own; twice is as once."""
    service = _service(request)
    with service.writing() as session:
        watcher = spectating.find(session, service.house, token)
        if watcher is not None:
            lobby.unwatch(session, watcher.id)
            return _watching(request, "stopped", watcher.game_id)
        named = unsubscribe.find(session, service.house, token)
        told = (
            () if named is None else unsubscribe.act(session, service.house, named, service.clock())
        )
    service.send(told)
    return _page(request, "stopped", named)


def _watching(request: Request, state: str, game_id: int) -> Response:
    game = games.public_id(game_id)
    return html_page(request, "stop", state=state, game=game, what="watching")


def _page(request: Request, state: str, named: Errand | None) -> Response:
    if named is None:
        return html_page(request, "stop", 404, state="closed")
    return html_page(request, "stop", state=state, game=named.game, what=named.purpose.value)


def _service(request: Request) -> Service:
    site: Site = request.app.state.site
    if site.service is None:
        raise RefusedError(404, Reason.NO_PAGE)
    return site.service
