"""The house: who did what to all games, how it goes, and the switch that lets everything stand."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from pbem.judge import clock, health, standstill
from pbem.judge.clock import ClockError
from pbem.judge.gm import ActError, Why
from pbem.render import refusals
from pbem.store import audit as lines_of
from pbem.store import desk, games
from pbem.store import standstill as stillness
from pbem.store.engine import Session
from pbem.web.desk.acts import LONGEST_REASON
from pbem.web.respond import show
from pbem.web.visitor import DeskVisitor, Owner, checked_form

PAGE = 50

router = APIRouter(
    prefix="/desk", default_response_class=HTMLResponse, dependencies=[Depends(checked_form)]
)


@router.get("/audit")
def audit(here: DeskVisitor, who: str = "", before: int | None = None) -> Response:
    """Who did what, in all games on the desk; newest first."""
    with here.service.reading() as session:
        found = desk.audit(
            session, here.person.watched, who=who.strip(), before=before, limit=PAGE + 1
        )
    older = f"/desk/audit?before={found[PAGE - 1].id}" if len(found) > PAGE else ""
    return show(
        here,
        "desk-audit",
        lines=found[:PAGE],
        who=who,
        older=older,
        public_id=games.public_id,
    )


@router.get("/health")
def state(here: Owner) -> Response:
    """Queues, the sweep, the clock, and what is due next."""
    return _health(here)


@router.post("/health/release")
def release(
    here: Owner,
    reason: Annotated[str, Form()] = "",
    as_they_are: Annotated[str, Form()] = "",
) -> Response:
    """Let deadlines pass again after the safety stop."""
    service = here.service
    now = service.clock()
    try:
        with service.writing() as session:
            clock.release(session, now, as_they_are=bool(as_they_are))
            lines_of.record(
                session,
                now,
                who=here.person.address,
                what="release-clock",
                reason=reason[:LONGEST_REASON],
                detail={"as_they_are": bool(as_they_are)},
            )
    except ClockError:
        return _health(here, not_held=True, status=409)
    return RedirectResponse("/desk/health", status_code=303)


@router.post("/health/stop")
def stop(here: Owner, reason: Annotated[str, Form()] = "") -> Response:
    """The panic switch: nothing is played and nothing sent until it is switched back."""
    return _switched(here, standstill.stop, reason)


@router.post("/health/go-on")
def go_on(here: Owner, reason: Annotated[str, Form()] = "") -> Response:
    """Let the house run again; what was due comes later by as long as it stood."""
    return _switched(here, standstill.go_on, reason)


def _switched(
    here: Owner, switch: Callable[[Session, Why, datetime], object], reason: str
) -> Response:
    service = here.service
    why = Why(here.person.address, " ".join(reason.split())[:LONGEST_REASON])
    try:
        with service.writing() as session:
            switch(session, why, service.clock())
    except ActError as error:
        said = refusals.text(error.code, error.facts, here.language)
        return _health(here, problem=said, status=409)
    return RedirectResponse("/desk/health", status_code=303)


def _health(here: Owner, status: int = 200, **context: Any) -> Response:
    now = here.service.clock()
    with here.service.reading() as session:
        queues = health.queues(session, now)
        ticking = clock.overview(session, now)
        still = stillness.find(session)
    told = {"problem": "", "not_held": False, **context}
    return show(
        here,
        "desk-health",
        status,
        queues=queues,
        clock=ticking,
        still=still,
        moment=health.moment,
        now=now,
        **told,
    )
