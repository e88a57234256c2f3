"""Acts on a game, all by the same four pages: form, preview, done, and what else came between.

Nothing is done before the preview was seen. Its form carries the version of the game that it
showed; if the game has moved on since, nothing is done, and both are shown.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.datastructures import FormData

from pbem.judge import showing
from pbem.judge.acts import form, terms
from pbem.judge.acts.act import Act, Grade
from pbem.judge.acts.performing import Conflict, Foreseen, Refused, Waiting, perform, preview
from pbem.judge.acts.registry import ACTS
from pbem.judge.gm import ActError, Why
from pbem.judge.roles import May
from pbem.render import refusals
from pbem.store import consents, desk, games
from pbem.store.scope import Scope
from pbem.store.tables import Audit
from pbem.web.desk.offered import act_named, offered
from pbem.web.refusal import Reason, RefusedError
from pbem.web.respond import show_game
from pbem.web.visitor import AtGame, GivenForm, at_game, checked_form

LONGEST_REASON = 300
LONGEST_FIELD = 20_000

router = APIRouter(
    prefix="/desk/games/{public_id}",
    default_response_class=HTMLResponse,
    dependencies=[Depends(checked_form)],
)
Here = Annotated[AtGame, Depends(at_game(May.LOOK))]


@dataclass(frozen=True, slots=True)
class Draft:
    """What stands in an act's form: its fields as they were written, and the reason.

    `was` is what the preview had told, `seen` the newest event then, for who meets a conflict.
    """

    texts: Mapping[str, str]
    reason: str = ""
    version: int | None = None
    typed: str = ""
    was: tuple[tuple[str, str, str], ...] = ()
    seen: int = 0


@router.get("/acts")
def all_acts(at: Here) -> Response:
    """Everything that the visitor may do here."""
    with at.visitor.service.reading() as session:
        waiting = consents.open_of(session, at.game_id)
    return show_on(at, "desk-acts", offered=offered(at), waiting=waiting)


@router.get("/acts/{name}")
def write(request: Request, at: Here, name: str) -> Response:
    """The form of an act; its fields can be filled by the address."""
    act = act_named(at, name)
    return _form(at, act, Draft(_texts(act, request.query_params), _reason(request.query_params)))


@router.post("/acts/{name}/preview")
def foresee(at: Here, name: str, given: GivenForm) -> Response:
    """What the act would do. Nothing is done."""
    act = act_named(at, name)
    return _foresee(at, act, _draft(act, given))


@router.post("/acts/{name}")
def do(at: Here, name: str, given: GivenForm) -> Response:
    """Do what was previewed."""
    act = act_named(at, name)
    draft = _draft(act, given)
    problem = _not_yet(at, act, draft)
    if problem:
        return _foresee(at, act, draft, problem)
    return _do(at, act, draft)


@router.get("/done/{number}")
def done(at: Here, number: int) -> Response:
    """What an act did, and how it is undone."""
    with at.visitor.service.reading() as session:
        line = session.get(Audit, number)
    if line is None or line.game_id != at.game_id:
        raise RefusedError(404, Reason.NO_PAGE)
    undo = line.detail.get("undo")
    act = ACTS.get(undo["name"]) if undo else None
    return show_on(
        at,
        "desk-done",
        line=line,
        undo=undo if act is not None and act.name in offered(at) else None,
        changed=line.detail.get("changed", {}),
    )


def _do(at: AtGame, act: type[Act], draft: Draft) -> Response:
    service = at.visitor.service
    try:
        wanted = form.read(act, draft.texts, str(at.visitor.zone))
    except ActError as error:
        return _form(at, act, draft, _said(at, error), 422)
    why = Why(at.visitor.person.address, draft.reason)
    outcome = perform(
        service.engine, service.house, at.game_id, wanted, why, service.clock(), draft.version
    )
    match outcome:
        case Conflict():
            return _conflict(at, act, draft)
        case Refused(code, facts):
            problem = refusals.text(code, facts, at.visitor.language)
            return _form(at, act, draft, problem, 409)
    service.send(outcome.letters)
    if isinstance(outcome, Waiting):
        page = f"/desk/games/{at.public_id}/consents/{outcome.number}"
        return RedirectResponse(page, status_code=303)
    service.play(at.game_id)
    return RedirectResponse(_after(at), status_code=303)


def _after(at: AtGame) -> str:
    """The page of what was done: its line of the audit is the visitor's newest."""
    scope = Scope(frozenset({at.game_id}))
    with at.visitor.service.reading() as session:
        lines = desk.audit(session, scope, who=at.visitor.person.address, limit=1)
    return f"/desk/games/{at.public_id}/done/{lines[0].id}"


def _not_yet(at: AtGame, act: type[Act], draft: Draft) -> str:
    """Why it is not done yet, by a code of the preview's page; "" if it may be."""
    if draft.version is None:
        return "look-first"
    if act.grade is not Grade.SAFE and not draft.reason:
        return "reason"
    if act.grade is Grade.DEEP and draft.typed.lower() != at.public_id:
        return "typed"
    return ""


def _foresee(at: AtGame, act: type[Act], draft: Draft, problem: str = "") -> Response:
    try:
        wanted = form.read(act, draft.texts, str(at.visitor.zone))
    except ActError as error:
        return _form(at, act, draft, _said(at, error), 422)
    foreseen = _look(at, wanted, draft.reason)
    if foreseen.refused is not None:
        said = refusals.text(foreseen.refused, foreseen.facts or {}, at.visitor.language)
        return _form(at, act, draft, said, 409)
    return show_on(
        at,
        "desk-preview",
        422 if problem else 200,
        act=act,
        fields=form.fields_of(act),
        draft=draft,
        foreseen=foreseen,
        was=json.dumps(_told(foreseen)),
        problem=problem,
        board=foreseen.after.board,
    )


def _conflict(at: AtGame, act: type[Act], draft: Draft) -> Response:
    """Somebody was quicker: what was seen, what it would do now, and what came between."""
    service = at.visitor.service
    foreseen = _look(at, form.read(act, draft.texts, str(at.visitor.zone)), draft.reason)
    scope = Scope(frozenset({at.game_id}))
    with service.reading() as session:
        lines = desk.audit(session, scope, limit=10)
        rows = games.events_of(session, at.game_id, draft.seen + 1)
        since = [row.at for row in rows]
    refused = foreseen.refused
    return show_on(
        at,
        "desk-conflict",
        409,
        act=act,
        fields=form.fields_of(act),
        draft=draft,
        foreseen=foreseen,
        refused=refusals.text(refused, foreseen.facts or {}, at.visitor.language)
        if refused
        else "",
        was=json.dumps(_told(foreseen)),
        lines=lines,
        happened=len(since),
    )


def _look(at: AtGame, act: Act, reason: str) -> Foreseen:
    service = at.visitor.service
    why = Why(at.visitor.person.address, reason)
    return preview(service.engine, service.house, at.game_id, act, why, service.clock())


def _form(
    at: AtGame, act: type[Act], draft: Draft, problem: str = "", status: int = 200
) -> Response:
    return show_on(
        at,
        "desk-act",
        status,
        act=act,
        fields=form.fields_of(act),
        draft=draft,
        problem=problem,
        changeable=terms.CHANGEABLE,
    )


def _said(at: AtGame, error: ActError) -> str:
    return refusals.text(error.code, error.facts, at.visitor.language)


def _told(foreseen: Foreseen) -> list[list[str]]:
    """What a preview tells, in short, for who is shown it again."""
    board = [[str(one.territory), _held(one.before), _held(one.after)] for one in foreseen.board]
    facts = [[one.fact, str(one.before), str(one.after)] for one in foreseen.changed]
    return [*board, *facts][:60]


def _held(held: tuple[str, int] | None) -> str:
    return "-" if held is None else f"{held[0]} {held[1]}"


def _draft(act: type[Act], given: FormData) -> Draft:
    """What a form brought; whatever was meddled with counts as not there."""
    version, seen = (str(given.get(name, "")) for name in ("version", "seen"))
    return Draft(
        texts=_texts(act, given),
        reason=_reason(given),
        version=int(version) if version.isdecimal() and len(version) < 10 else None,
        typed=str(given.get("typed", "")).strip(),
        was=_was(str(given.get("was", ""))),
        seen=int(seen) if seen.isdecimal() and len(seen) < 10 else 0,
    )


def _was(given: str) -> tuple[tuple[str, str, str], ...]:
    try:
        lines = json.loads(given)
    except ValueError:
        return ()
    if not isinstance(lines, list):
        return ()
    whole = [line for line in lines if isinstance(line, list) and len(line) == 3]
    return tuple((str(fact), str(before), str(after)) for fact, before, after in whole)


def _texts(act: type[Act], given: Mapping[str, Any]) -> dict[str, str]:
    found = {one.name: str(given.get(one.name, "")) for one in form.fields_of(act)}
    return {name: text[:LONGEST_FIELD].replace("\r\n", "\n") for name, text in found.items()}


def _reason(given: Mapping[str, Any]) -> str:
    return " ".join(str(given.get("reason", "")).split())[:LONGEST_REASON]


def show_on(at: AtGame, name: str, status: int = 200, **context: Any) -> Response:
    """A page with the game's head, in the language of the visitor."""
    here = at.visitor
    with here.service.reading() as session:
        showed = showing.show(session, at.game(session), None, here.language)
    role = here.person.role(at.game_id)
    return show_game(here, name, showed, status, at=at, face="acts", role=role, **context)
