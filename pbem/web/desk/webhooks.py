"""Where a game's public news is told: webhooks and chat rooms, made, tried out and taken away."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from pbem.judge import showing, webhooks
from pbem.judge.roles import May
from pbem.judge.webhooks import WebhookError
from pbem.render import refusals
from pbem.store import audit, tables
from pbem.store import webhooks as stored
from pbem.store.engine import Session
from pbem.web.respond import show_game
from pbem.web.visitor import AtGame, at_game, checked_form

router = APIRouter(
    prefix="/desk/games/{public_id}/webhooks",
    default_response_class=HTMLResponse,
    dependencies=[Depends(checked_form)],
)
Here = Annotated[AtGame, Depends(at_game(May.ACT_A))]


@router.get("")
def listing(at: Here) -> Response:
    """The webhooks that there are, and what became of their last calls."""
    return _page(at)


@router.post("")
def add(at: Here, url: Annotated[str, Form()] = "") -> Response:
    """Add one. The secret that signs its calls is shown on this one page and never again."""
    here, url = at.visitor, url.strip()
    service, person = here.service, here.person
    try:
        with service.writing() as session:
            made = webhooks.make(
                session,
                at.game(session),
                url,
                person.address,
                service.clock(),
                service.entropy,
                anywhere=person.owner,
            )
            _note(session, at, "webhook")
            secret, number = made.secret, made.id
    except WebhookError as error:
        problem = refusals.text(str(error), {}, here.language)
        return _page(at, status=422, url=url, problem=problem)
    return _page(at, made=number, secret=secret)


@router.post("/{number}/test")
def try_out(at: Here, number: int) -> Response:
    """Have it called once with nothing to tell."""
    with at.visitor.service.writing() as session:
        if (hook := _own(session, at, number)) is not None:
            webhooks.try_out(session, hook, at.visitor.service.clock())
            _note(session, at, "webhook-tested")
    return _back(at)


@router.post("/{number}/remove")
def remove(at: Here, number: int) -> Response:
    """Tell it nothing any more."""
    with at.visitor.service.writing() as session:
        if (hook := _own(session, at, number)) is not None:
            stored.drop(session, hook.id)
            _note(session, at, "webhook-dropped")
    return _back(at)


def _own(session: Session, at: AtGame, number: int) -> tables.Webhook | None:
    """The webhook of that number, if it is this game's."""
    hook = stored.find(session, number)
    return hook if hook is not None and hook.game_id == at.game_id else None


def _note(session: Session, at: AtGame, what: str) -> None:
    here = at.visitor
    now = here.service.clock()
    audit.record(session, now, who=here.person.address, what=what, game_id=at.game_id)


def _back(at: AtGame) -> Response:
    return RedirectResponse(f"/desk/games/{at.public_id}/webhooks", status_code=303)


def _page(
    at: AtGame,
    status: int = 200,
    *,
    url: str = "",
    problem: str = "",
    made: int = 0,
    secret: str = "",
) -> Response:
    here = at.visitor
    with here.service.reading() as session:
        showed = showing.show(session, at.game(session), None, here.language)
        held = [(hook, webhooks.shown(hook.url)) for hook in stored.of_game(session, at.game_id)]
        calls = stored.last_calls(session, at.game_id)
    answer = show_game(
        here,
        "desk-webhooks",
        showed,
        status,
        at=at,
        face="webhooks",
        role=here.person.role(at.game_id),
        held=held,
        calls=calls,
        most=webhooks.MOST,
        url=url,
        problem=problem,
        made=made,
        secret=secret,
    )
    answer.headers["cache-control"] = "no-store"
    return answer
