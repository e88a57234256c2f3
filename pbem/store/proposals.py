"""Proposals: what a player takes by answering YES."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, update
from sqlmodel import Session, col, select

from pbem.store.tables import Proposal, ProposalStatus


def offer(session: Session, proposal: Proposal) -> Proposal:
    """Stores a proposal and gives it its id. Older ones of its kind and seat lapse."""
    lapse(session, proposal.game_id, proposal.created_at, seat=proposal.seat, kind=proposal.kind)
    session.add(proposal)
    session.flush()
    return proposal


def open_for(
    session: Session, game_id: int, seat: str, kind: str | None = None
) -> Sequence[Proposal]:
    """What a YES of this seat could take, newest first."""
    statement = select(Proposal).where(
        Proposal.game_id == game_id,
        Proposal.seat == seat,
        Proposal.status == ProposalStatus.OPEN,
    )
    if kind is not None:
        statement = statement.where(Proposal.kind == kind)
    return session.exec(statement.order_by(col(Proposal.id).desc())).all()


def offered_by(session: Session, message_id: str) -> Proposal | None:
    """The proposal of the letter with this Message-ID, whatever became of it."""
    statement = select(Proposal).where(Proposal.message_id == message_id)
    return session.exec(statement.order_by(col(Proposal.id).desc()).limit(1)).one_or_none()


def settle(session: Session, proposal_id: int, status: ProposalStatus, now: datetime) -> bool:
    """Closes an open proposal; False if it was closed before."""
    where = (col(Proposal.id) == proposal_id, col(Proposal.status) == ProposalStatus.OPEN)
    return _settle(session, where, status, now) == 1


def lapse(
    session: Session,
    game_id: int,
    now: datetime,
    *,
    seat: str | None = None,
    kind: str | None = None,
) -> int:
    """Lets open proposals lapse: all of the game, or of one seat or kind; how many did."""
    where = [col(Proposal.game_id) == game_id, col(Proposal.status) == ProposalStatus.OPEN]
    if seat is not None:
        where.append(col(Proposal.seat) == seat)
    if kind is not None:
        where.append(col(Proposal.kind) == kind)
    return _settle(session, tuple(where), ProposalStatus.LAPSED, now)


def _settle(
    session: Session, where: tuple[ColumnElement[bool], ...], status: ProposalStatus, now: datetime
) -> int:
    statement = update(Proposal).where(*where).values(status=status, settled_at=now)
    return session.exec(statement.execution_options(synchronize_session="fetch")).rowcount
