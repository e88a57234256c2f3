"""One game on the desk: its board, its course, its mail, its people, its rules, its dice."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response
from fastapi.responses import HTMLResponse, PlainTextResponse

from pbem.judge import chronicle, export, showing
from pbem.judge.acts.terms import written
from pbem.judge.choosing import READERS
from pbem.judge.roles import May
from pbem.judge.showing import Showing
from pbem.render import textboard
from pbem.rules.ruleset import OPTIONS
from pbem.store import appointments, bounces, desk, post, visits
from pbem.store.engine import Session
from pbem.store.scope import Scope
from pbem.web.desk.offered import offered
from pbem.web.respond import show_game
from pbem.web.visitor import AtGame, at_game, checked_form

TURNS = 8
"""Turns on one page of the timeline."""

PAGE = 50
"""Lines of mail, or of the audit, on one page."""

OPEN_KINDS = frozenset(
    {
        "invitation",
        "joined",
        "setup-call",
        "setup-result",
        "turn-call",
        "reminder",
        "report",
        "eliminated",
        "game-over",
    }
)
"""Letters of which the whole table knows that they go out: a host sees no others to rivals."""

router = APIRouter(
    prefix="/desk/games/{public_id}",
    default_response_class=HTMLResponse,
    dependencies=[Depends(checked_form)],
)
Here = Annotated[AtGame, Depends(at_game(May.LOOK))]


@router.get("")
def board(at: Here, close: Annotated[str | None, Query()] = None) -> Response:
    """The board, how the seats stand, and what can be done now."""
    with at.visitor.service.reading() as session:
        showed = _showing(session, at)
        stray = desk.stray_by_game(session, Scope(frozenset({at.game_id})))
    return _page(
        at,
        "desk-board",
        "board",
        showed,
        standings=textboard.standings(showed.view),
        lands=textboard.continents(showed.view),
        stray=stray.get(at.game_id, 0) if at.may(May.READ_STRAY) else 0,
        close=close if close in showed.view.board.continents else None,
        offered=offered(at),
    )


@router.get("/timeline")
def timeline(at: Here, before: int | None = None) -> Response:
    """What happened, turn by turn, newest first; what a rollback left out is marked."""
    with at.visitor.service.reading() as session:
        showed = _showing(session, at)
        turns = showing.timeline(session, at.game_id, None, before=before, count=TURNS)
    last = turns[-1].number if turns else 0
    older = f"/desk/games/{at.public_id}/timeline?before={last}" if last else ""
    return _page(
        at,
        "desk-timeline",
        "timeline",
        showed,
        turns=turns,
        older=older,
        offered=offered(at),
    )


@router.get("/mail")
def mail(at: Here, before: int | None = None, until: int | None = None) -> Response:
    """What came in (below the row `before`) and what went out (below `until`), as lines."""
    own = None if at.may(May.READ_STRAY) else at.visitor.person.seats.get(at.game_id, ())
    with at.visitor.service.reading() as session:
        showed = _showing(session, at)
        came = post.mails(session, at.game_id, seats=own, before=before, limit=PAGE + 1)
        sent = post.letters(session, Scope(), game_id=at.game_id, before=until, limit=PAGE + 1)
    start = f"/desk/games/{at.public_id}/mail"
    return _page(
        at,
        "desk-mail",
        "mail",
        showed,
        came=came[:PAGE],
        sent=[
            line
            for line in sent[:PAGE]
            if own is None or line.seat in own or line.kind in OPEN_KINDS
        ],
        older_came=f"{start}?before={came[PAGE - 1].id}" if len(came) > PAGE else "",
        older_sent=f"{start}?until={sent[PAGE - 1].id}" if len(sent) > PAGE else "",
        offered=offered(at),
    )


@router.get("/players")
def players(at: Here) -> Response:
    """Who sits where, how they can be reached, and who holds an office."""
    service = at.visitor.service
    with service.reading() as session:
        showed = _showing(session, at)
        since = showed.game.created_at
        counted = {
            seat.letter: len(bounces.since(session, at.game_id, seat.letter, since))
            for seat in showed.seats
        }
        offices = appointments.of_game(session, at.game_id)
        logged_in = {
            held.address: visits.count(session, held.address, service.clock()) for held in offices
        }
    return _page(
        at,
        "desk-players",
        "players",
        showed,
        bounces=counted,
        offices=offices,
        logged_in=logged_in,
        owners=service.house.gm,
        offered=offered(at),
    )


@router.get("/rules")
def rules(at: Here) -> Response:
    """The rules in force, those that were chosen marked, and how the game is run."""
    with at.visitor.service.reading() as session:
        showed = _showing(session, at)
    return _page(
        at,
        "desk-rules",
        "rules",
        showed,
        rules={name: getattr(showed.view.ruleset, name) for name in OPTIONS},
        changes=showed.view.ruleset.changes(),
        coming=showed.view.coming,
        run={name: written(showed.options, name) for name in READERS},
    )


@router.get("/dice")
def dice(at: Here) -> Response:
    """What was published of the dice, and how they fell. No link that is still secret."""
    with at.visitor.service.reading() as session:
        showed = _showing(session, at)
        links = showing.published(session, showed.game)
        fallen = chronicle.fallen(session, at.game_id, showed.view.seats)
    return _page(at, "desk-dice", "dice", showed, links=links, fallen=fallen)


@router.get("/audit")
def audit(at: Here, before: int | None = None) -> Response:
    """Who did what to the game from outside its rules."""
    with at.visitor.service.reading() as session:
        showed = _showing(session, at)
        scope = Scope(frozenset({at.game_id}))
        lines = desk.audit(session, scope, before=before, limit=PAGE + 1)
    more = len(lines) > PAGE
    return _page(
        at,
        "desk-game-audit",
        "audit",
        showed,
        lines=lines[:PAGE],
        older=f"/desk/games/{at.public_id}/audit?before={lines[PAGE - 1].id}" if more else "",
    )


@router.get("/record.txt")
def record(at: Here) -> Response:
    """The record of the game in its public form, as a file."""
    with at.visitor.service.reading() as session:
        text = export.export(session, at.game(session), public=True)
    name = f'attachment; filename="{at.public_id}.record"'
    return PlainTextResponse(text, headers={"Content-Disposition": name})


def _showing(session: Session, at: AtGame) -> Showing:
    return showing.show(session, at.game(session), None, at.visitor.language)


def _page(at: AtGame, name: str, face: str, showed: Showing, **context: Any) -> Response:
    """A page of the game's: all of them have the same head."""
    role = at.visitor.person.role(at.game_id)
    return show_game(at.visitor, name, showed, at=at, face=face, role=role, **context)
