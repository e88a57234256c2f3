"""Mails that came to nothing: the original beside what was read, and a text to apply instead."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from pbem.judge import parsed, people, quarantine, showing
from pbem.judge.gm import ActError, Why
from pbem.judge.parsed import Parsed
from pbem.judge.quarantine import Act, Kept, Place, Shown
from pbem.judge.roles import May
from pbem.judge.showing import Showing
from pbem.render import mistakes, refusals
from pbem.store import games, tables
from pbem.store.engine import Session
from pbem.store.tables import InboxStatus
from pbem.web.refusal import Reason, RefusedError
from pbem.web.respond import show
from pbem.web.shown import shown
from pbem.web.visitor import DeskVisitor, Known, checked_form

PAGE = 25
LONGEST_TEXT = 20_000

router = APIRouter(
    prefix="/desk/quarantine",
    default_response_class=HTMLResponse,
    dependencies=[Depends(checked_form)],
)


@router.get("")
def listing(
    here: DeskVisitor,
    status: InboxStatus | None = None,
    game: str | None = None,
    before: int | None = None,
) -> Response:
    """What is kept, newest first."""
    with here.service.reading() as session:
        try:
            found = quarantine.listing(
                session,
                game=game or None,
                status=status,
                scope=here.person.scope(May.READ_STRAY),
                before=before,
                limit=PAGE + 1,
            )
        except ActError:
            raise RefusedError(404, Reason.NO_PAGE) from None
    kept = [one for one in found[:PAGE] if _may(here, one, May.READ_STRAY)]
    chosen = "".join(f"&{name}={value}" for name, value in _chosen(status, game) if value)
    older = f"/desk/quarantine?before={found[PAGE - 1].id}{chosen}" if len(found) > PAGE else ""
    return show(
        here,
        "desk-quarantine",
        kept=kept,
        status=status,
        older=older,
        now=here.service.clock(),
    )


@router.get("/{number}")
def one(here: DeskVisitor, number: int) -> Response:
    """One mail: what came, what was read, and a text to apply in its place."""
    with here.service.reading() as session:
        found = _found(session, here, number)
        return _page(session, here, found, "\n".join(found.read.text), _place(found.kept))


@dataclass(frozen=True, slots=True)
class Draft:
    """The form of a mail as it was filled in: a text for it, and the seat if it had none."""

    text: Annotated[str, Form()] = ""
    place: Annotated[str, Form()] = ""
    reason: Annotated[str, Form()] = ""

    @property
    def orders(self) -> str:
        """The text, no longer than one may be."""
        return self.text[:LONGEST_TEXT]


Drafted = Annotated[Draft, Depends()]


@router.post("/{number}/check")
def check(here: DeskVisitor, number: int, draft: Drafted) -> Response:
    """How the text would be read. Nothing is done."""
    with here.service.reading() as session:
        found = _found(session, here, number)
        chosen = _named(draft.place) or _place(found.kept)
        return _page(session, here, found, draft.orders, chosen, reason=draft.reason)


@router.post("/{number}/apply")
def apply(here: DeskVisitor, number: int, draft: Drafted) -> Response:
    """Play the text in the player's name; the answer says who corrected it."""
    service, chosen = here.service, _named(draft.place)
    with service.writing() as session:
        found = _found(session, here, number, May.MEND_STRAY)
        to = chosen if chosen is not None and found.kept.place is None else None
        _need_place(here, to or found.kept.place)
        why = Why(here.person.address, draft.reason[:300])
        try:
            act = quarantine.correct(session, number, draft.orders, why, service.clock(), place=to)
        except ActError as error:
            problem = refusals.text(error.code, error.facts, here.language)
            about = to or found.kept.place
            return _page(
                session, here, found, draft.text, about, problem=problem, reason=draft.reason
            )
    return _done(here, act)


@router.post("/{number}/retry")
def retry(here: DeskVisitor, number: int, reason: Annotated[str, Form()] = "") -> Response:
    """Let the mail wait to be played again as it is."""
    service = here.service
    with service.writing() as session:
        found = _found(session, here, number, May.MEND_STRAY)
        try:
            why = Why(here.person.address, reason[:300])
            act = quarantine.retry(session, number, why, service.clock())
        except ActError as error:
            problem = refusals.text(error.code, error.facts, here.language)
            text, place = "\n".join(found.read.text), _place(found.kept)
            return _page(session, here, found, text, place, problem=problem, reason=reason)
    return _done(here, act)


@router.post("/{number}/discard")
def discard(here: DeskVisitor, number: int, reason: Annotated[str, Form()] = "") -> Response:
    """Nothing will come of the mail."""
    service = here.service
    with service.writing() as session:
        _found(session, here, number, May.MEND_STRAY)
        why = Why(here.person.address, reason[:300])
        act = quarantine.discard(session, number, why, service.clock())
    return _done(here, act)


def _done(here: Known, act: Act) -> Response:
    here.service.play(act.game_id)
    return RedirectResponse("/desk/quarantine", status_code=303)


def _found(session: Session, here: Known, number: int, what: May = May.READ_STRAY) -> Shown:
    """The mail, if the visitor may do this with it: for all others there is none."""
    try:
        found = quarantine.show(session, number)
    except ActError:
        raise RefusedError(404, Reason.NO_STRAY) from None
    if not _may(here, found.kept, May.READ_STRAY):
        raise RefusedError(404, Reason.NO_STRAY)
    if not _may(here, found.kept, what):
        raise RefusedError(403, Reason.NOT_YOURS)
    return found


def _may(here: Known, kept: Kept, what: May) -> bool:
    """A mail to no seat is the owners', unless its writer plays where the owner does."""
    if kept.place is None:
        rivals = {games.game_id(place.game) for place in kept.guessed}
        return here.person.owner and not rivals & set(here.person.seats)
    number = games.game_id(kept.place.game)
    return number is not None and here.person.may(number, what)


def _need_place(here: Known, place: Place | None) -> None:
    number = None if place is None else games.game_id(place.game)
    if number is not None and not here.person.may(number, May.MEND_STRAY):
        raise RefusedError(403, Reason.NOT_YOURS)


def _place(kept: Kept) -> Place | None:
    """Whose the mail is: the seat that it was sent to, else the only one that its writer has."""
    if kept.place is not None or len(kept.guessed) != 1:
        return kept.place
    return kept.guessed[0]


def _named(text: str) -> Place | None:
    """A seat as a form names it: `g7 B`."""
    game, _, seat = text.strip().partition(" ")
    return Place(game, seat) if games.game_id(game) is not None and seat else None


def _chosen(status: InboxStatus | None, game: str | None) -> list[tuple[str, str]]:
    return [("status", "" if status is None else str(status)), ("game", game or "")]


def _page(
    session: Session,
    here: Known,
    found: Shown,
    text: str,
    place: Place | None,
    *,
    problem: str = "",
    reason: str = "",
) -> Response:
    showed, seat = _seat(session, here, place)
    parse = None if showed is None or seat is None else parsed.parse(text, showed, seat)
    context: dict[str, Any] = {}
    if showed is not None:
        context = {
            "table": showed.table,
            "view": showed.view,
            "reader": showed.reader(here.language, here.zone),
        }
    return show(
        here,
        "desk-stray",
        422 if problem else 200,
        found=found,
        kept=found.kept,
        mail=None if found.raw is None else shown(found.raw),
        text=text,
        place=place,
        seat=None if seat is None else people.seat_line(seat, here.language),
        parse=parse,
        wrong=_wrong(parse, showed, here.language),
        may_mend=_may(here, found.kept, May.MEND_STRAY),
        problem=problem,
        reason=reason,
        longest=LONGEST_TEXT,
        now=here.service.clock(),
        **context,
    )


def _seat(
    session: Session, here: Known, place: Place | None
) -> tuple[Showing | None, tables.Seat | None]:
    number = None if place is None else games.game_id(place.game)
    game = None if number is None else games.find(session, number)
    if place is None or game is None or not here.person.may(game.id, May.READ_STRAY):
        return None, None
    showed = showing.show(session, game, None, here.language)
    return showed, next((seat for seat in showed.seats if seat.letter == place.seat), None)


def _wrong(parse: Parsed | None, showed: Showing | None, language: str) -> list[tuple[Any, str]]:
    """Each mistake with its words."""
    if parse is None or showed is None:
        return []
    return [
        (wrong, mistakes.text(wrong, showed.table, showed.view.board, language))
        for wrong in parse.mistakes
    ]
