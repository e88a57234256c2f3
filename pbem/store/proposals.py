"""Proposals: what a player takes by answering YES."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, String, bindparam, or_, update
from sqlmodel import Session, col, select

from pbem.store.insertion import core
from pbem.store.tables import Proposal, ProposalStatus

# What every mail asks stands here built once: building it takes longer than running it.
_OPEN = (
    select(Proposal)
    .where(
        Proposal.game_id == bindparam("game"),
        Proposal.seat == bindparam("seat"),
        Proposal.status == ProposalStatus.OPEN,
    )
    .order_by(col(Proposal.id).desc())
)
_C = core(Proposal).c


def _all_or(column: Any, name: str) -> ColumnElement[bool]:
    """The column is what the parameter of that name says; None: whatever it is."""
    return or_(bindparam(name, type_=String).is_(None), column == bindparam(name))


_LAPSE = (
    update(core(Proposal))
    .where(
        _C.game_id == bindparam("game"),
        _C.status == ProposalStatus.OPEN,
        _all_or(_C.seat, "of_seat"),
        _all_or(_C.kind, "of_kind"),
        _C.kind.not_in(bindparam("but", expanding=True)),
    )
    .values(status=ProposalStatus.LAPSED, settled_at=bindparam("now"))
)


def offer(session: Session, proposal: Proposal, *, alone: bool = True) -> Proposal:
    """Stores a proposal and gives it its id. If `alone`, older ones of its kind and seat lapse."""
    if alone:
        lapse(
            session, proposal.game_id, proposal.created_at, seat=proposal.seat, kind=proposal.kind
        )
    session.add(proposal)
    session.flush()
    return proposal


def find(session: Session, proposal_id: int) -> Proposal | None:
    """One proposal, whatever became of it."""
    return session.get(Proposal, proposal_id)


def offered_since(
    session: Session, game_id: int, seat: str, kind: str, since: datetime
) -> Sequence[Proposal]:
    """What was offered to a seat after a moment, whatever became of it."""
    statement = select(Proposal).where(
        Proposal.game_id == game_id,
        Proposal.seat == seat,
        Proposal.kind == kind,
        Proposal.created_at > since,
    )
    return session.exec(statement).all()


def open_for(
    session: Session, game_id: int, seat: str, kind: str | None = None
) -> Sequence[Proposal]:
    """What a YES of this seat could take, newest first."""
    found = session.exec(_OPEN, params={"game": game_id, "seat": seat}).all()
    return [proposal for proposal in found if kind in (None, proposal.kind)]


def offered_by(session: Session, message_id: str) -> Proposal | None:
    """The proposal of the letter with this Message-ID, whatever became of it."""
    statement = select(Proposal).where(Proposal.message_id == message_id)
    return session.exec(statement.order_by(col(Proposal.id).desc()).limit(1)).one_or_none()


def offered_at(
    session: Session, game_id: int, seat: str, turn: int, step: int
) -> Sequence[Proposal]:
    """What was offered to a seat at a step, whatever became of it, newest first."""
    statement = select(Proposal).where(
        Proposal.game_id == game_id,
        Proposal.seat == seat,
        Proposal.turn == turn,
        Proposal.step == step,
    )
    return session.exec(statement.order_by(col(Proposal.id).desc())).all()


def settle(session: Session, proposal_id: int, status: ProposalStatus, now: datetime) -> bool:
    """Closes an open proposal; False if it was closed before."""
    statement = (
        update(Proposal)
        .where(col(Proposal.id) == proposal_id, col(Proposal.status) == ProposalStatus.OPEN)
        .values(status=status, settled_at=now)
    )
    return session.exec(statement.execution_options(synchronize_session="fetch")).rowcount == 1


def lapse(
    session: Session,
    game_id: int,
    now: datetime,
    *,
    seat: str | None = None,
    kind: str | None = None,
    but: Collection[str] = (),
) -> int:
    """Lets open proposals lapse: all of the game, or of one seat or kind; how many did.

    Those of the kinds in `but` stay open.
    """
    session.flush()
    facts = {"game": game_id, "of_seat": seat, "of_kind": kind, "but": list(but), "now": now}
    lapsed = session.exec(_LAPSE, params=facts).rowcount
    if lapsed:
        for row in session.identity_map.values():
            if isinstance(row, Proposal):
                session.expire(row)
    return lapsed
