"""The board of a game now and at the close of each turn, its story, its dice and its record."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.responses import HTMLResponse, PlainTextResponse

from pbem.judge import chronicle, export, rematch, showing, watching
from pbem.judge.showing import Showing, Turn
from pbem.render import narrate, textboard
from pbem.render.enclosed import Fallen
from pbem.rules.board import Code
from pbem.store import consents
from pbem.store.engine import Session
from pbem.store.tables import Consent
from pbem.web.refusal import Reason, RefusedError
from pbem.web.table.looking import AtTable, Looking

TURNS = 8
"""Turns on one page of the story."""

router = APIRouter(prefix="/games/{public_id}", default_response_class=HTMLResponse)


@router.get("")
def board(
    at: Looking,
    turn: Annotated[int | None, Query()] = None,
    close: Annotated[str | None, Query()] = None,
) -> Response:
    """The board, how the seats stand and, to a player, what is the player's own."""
    with at.visitor.service.reading() as session:
        showed = at.showing(session, turn)
        shown = turn if turn in [closed.turn for closed in at.look.closed] else None
        told = _told(session, at, shown)
        once_more = _may_play_again(session, at)
        asked = _asked(session, at)
        fallen = _fallen(session, at, showed) if shown is None else None
    return at.page(
        "table-board",
        "board",
        showed,
        standings=textboard.standings(showed.view),
        lands=textboard.continents(showed.view),
        turn=shown,
        turns=[closed.turn for closed in at.look.closed],
        close=close if close in showed.view.board.continents else None,
        told=told,
        changed=_changed(told),
        once_more=once_more,
        asked=asked,
        fallen=fallen,
    )


@router.get("/story")
def story(at: Looking, before: Annotated[int | None, Query()] = None) -> Response:
    """What happened, turn by turn, newest first."""
    with at.visitor.service.reading() as session:
        showed = at.showing(session)
        turns = watching.story(session, at.look, before=before, count=TURNS)
    last = turns[-1].number if turns else 0
    older = at.address("/story", before=last) if last else ""
    return at.page("table-story", "story", showed, turns=turns, older=older)


@router.get("/dice")
def dice(at: Looking) -> Response:
    """How the dice fell, whom they favoured, and the links that prove them."""
    limit = at.look.last
    with at.visitor.service.reading() as session:
        showed = at.showing(session)
        fallen = chronicle.fallen(session, at.look.game.id, showed.view.seats, last=limit)
        links = showing.published(session, at.look.game)
    shown = [link for link in links if limit is None or link.turn <= limit]
    return at.page("table-dice", "dice", showed, fallen=fallen, links=shown)


@router.get("/record.txt")
def record(at: Looking) -> Response:
    """The record of the game in its public form, as a file. Raises RefusedError."""
    if at.look.is_late:  # it would tell the turns that are kept back
        raise RefusedError(404, Reason.NOT_YET)
    with at.visitor.service.reading() as session:
        text = export.export(session, at.look.game, public=True)
    name = f'attachment; filename="{at.public_id}.record"'
    return PlainTextResponse(text, headers={"Content-Disposition": name})


def _may_play_again(session: Session, at: AtTable) -> bool:
    """Whether to offer a rematch: the game is over, and its table is the visitor's to ask."""
    here, game = at.visitor, at.look.game
    if game.over_at is None or here.person is None:
        return False
    return rematch.may(session, here.service.house, game, here.person, here.service.clock())


def _asked(session: Session, at: AtTable) -> Sequence[Consent]:
    """The questions that wait for the player's word, from this seat."""
    if at.look.seat is None or at.visitor.person is None:
        return ()
    return consents.asked_at(session, at.look.game.id, at.visitor.person.address, at.look.seat)


def _told(session: Session, at: AtTable, turn: int | None) -> Turn | None:
    """The turn that the board shows: the one that was closed, else the newest."""
    before = None if turn is None else turn + 1
    found = watching.story(session, at.look, before=before, count=1)
    return found[0] if found else None


def _fallen(session: Session, at: AtTable, showed: Showing) -> Fallen | None:
    """How the dice fell, once the game is over: before, it has its own page."""
    if at.look.game.over_at is None or at.look.is_late:
        return None
    return chronicle.fallen(session, at.look.game.id, showed.view.seats)


def _changed(told: Turn | None) -> tuple[Code, ...]:
    """The territories that the turn changed; of the setup none, for all would be new."""
    if told is None or told.seat is None:
        return ()
    return tuple(narrate.touched(told.counting))
