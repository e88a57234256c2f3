"""The web application, made from what the door hands in; no page knows a setting or a global."""

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from pbem.settings import StartError
from pbem.web import (
    feeds,
    health,
    keys,
    lobby,
    login,
    mail_in,
    mailbox,
    metrics,
    new_game,
    rematch,
    rules,
    schemas,
    static_files,
    unsubscribe,
)
from pbem.web.api import games as api
from pbem.web.desk import (
    acts,
    consents,
    game,
    games,
    house,
    live,
    persons,
    post,
    quarantine,
    sight,
    webhooks,
)
from pbem.web.headers import Headers
from pbem.web.limit import Limit
from pbem.web.refusal import Reason, RefusedError
from pbem.web.respond import html_page
from pbem.web.site import Site
from pbem.web.table import board, check, letters, voice


class OpenMailboxError(StartError):
    """The mailbox would be shown to other machines."""


def make_app(site: Site) -> FastAPI:
    """All pages of one process.

    Raises OpenMailboxError for a site with a mailbox whose HTTP does not listen on loopback.
    """
    if site.mailbox is not None and not site.mailbox.http.on_loopback:
        raise OpenMailboxError(
            f"PBEM_HTTP_LISTEN is {site.mailbox.http}, but the mailbox page shows everybody's "
            "letters, so it needs an address on loopback, e.g. 127.0.0.1:8000"
        )
    app = FastAPI(title="pbem", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.site = site
    app.state.login_limit = Limit(login.MOST_ASKED, login.ASKED_WITHIN)
    if site.service is not None:
        app.state.watcher = live.watcher(site.service)
    app.add_middleware(Headers)
    app.add_exception_handler(RefusedError, _refused)
    app.add_exception_handler(404, _no_page)
    app.add_api_route("/", _index)
    for router in (
        health.router,
        static_files.router,
        rules.router,
        schemas.router,
        mailbox.router,
        login.router,
        unsubscribe.router,
        mail_in.router,
        feeds.router,
        metrics.router,
    ):
        app.include_router(router)
    app.include_router(api.router)
    app.state.turnstile = check.Turnstile()
    app.include_router(new_game.router)
    app.include_router(lobby.router)
    app.include_router(rematch.router)
    app.include_router(keys.router)
    for table in (board, letters, check, voice):
        app.include_router(table.router)
    for desk in (games, game, acts, consents, webhooks, sight):
        app.include_router(desk.router)
    for desk in (quarantine, post, persons, house, live):
        app.include_router(desk.router)
    return app


def _index(request: Request) -> Response:
    site: Site = request.app.state.site
    return html_page(
        request,
        "index",
        version=site.version,
        has_mailbox=site.mailbox is not None,
        has_login=site.service is not None,
    )


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError)
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": error.reason}, error.status)
    return html_page(request, "refused", error.status, reason=error.reason)


def _no_page(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": Reason.NO_PAGE}, error.status_code)
    return html_page(request, "refused", error.status_code, reason=Reason.NO_PAGE)
