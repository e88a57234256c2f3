"""Acts that wait for the consent of others."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, func, update
from sqlmodel import Session, col, select

from pbem.store.tables import Consent, ConsentStatus, Voice


def ask(session: Session, consent: Consent, asked: Sequence[tuple[str, str]]) -> Consent:
    """Stores a question and who is asked, by address and seat, and gives it its id."""
    session.add(consent)
    session.flush()
    for address, seat in asked:
        session.add(Voice(consent_id=consent.id, address=address, seat=seat))
    session.flush()
    return consent


def find(session: Session, number: int) -> Consent | None:
    """One question, whatever became of it."""
    return session.get(Consent, number)


def of_game(session: Session, game_id: int, limit: int = 20) -> Sequence[Consent]:
    """The questions about a game, newest first."""
    statement = select(Consent).where(Consent.game_id == game_id)
    return session.exec(statement.order_by(col(Consent.id).desc()).limit(limit)).all()


def open_of(session: Session, game_id: int) -> Sequence[Consent]:
    """The questions about a game that are not settled, oldest first."""
    statement = select(Consent).where(
        Consent.game_id == game_id, Consent.status == ConsentStatus.OPEN
    )
    return session.exec(statement.order_by(col(Consent.id))).all()


def voices(session: Session, number: int) -> Sequence[Voice]:
    """Who is asked, and what they have said: by seat, then by address."""
    statement = select(Voice).where(Voice.consent_id == number)
    return session.exec(statement.order_by(col(Voice.seat), col(Voice.address))).all()


def awaited(session: Session, address: str) -> Sequence[int]:
    """The games in which a question waits for the word of somebody without a seat."""
    statement = select(Consent.game_id).join(Voice, col(Voice.consent_id) == col(Consent.id))
    waiting = statement.where(*_waits_for(address, "")).distinct()
    return session.exec(waiting).all()


def asked_at(session: Session, game_id: int, address: str, seat: str) -> Sequence[Consent]:
    """The questions of a game that wait for the word of whoever plays a seat, oldest first."""
    statement = select(Consent).join(Voice, col(Voice.consent_id) == col(Consent.id))
    waiting = statement.where(Consent.game_id == game_id, *_waits_for(address, seat))
    return session.exec(waiting.order_by(col(Consent.id))).all()


def _waits_for(address: str, seat: str) -> tuple[ColumnElement[bool], ...]:
    return (
        col(Consent.status) == ConsentStatus.OPEN,
        func.lower(Voice.address) == address.lower(),
        col(Voice.seat) == seat,
        col(Voice.agrees).is_(None),
    )


def overdue(session: Session, now: datetime) -> Sequence[int]:
    """The games in which a question was not answered in time."""
    statement = select(Consent.game_id).where(
        Consent.status == ConsentStatus.OPEN, Consent.lapses_at <= now
    )
    return session.exec(statement.distinct().order_by(col(Consent.game_id))).all()


def settle(session: Session, consent: Consent, status: ConsentStatus, now: datetime) -> bool:
    """Closes an open question; False if it was closed before."""
    statement = (
        update(Consent)
        .where(col(Consent.id) == consent.id, col(Consent.status) == ConsentStatus.OPEN)
        .values(status=status, settled_at=now)
    )
    return session.exec(statement.execution_options(synchronize_session="fetch")).rowcount == 1
