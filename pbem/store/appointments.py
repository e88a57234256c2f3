"""Who holds an office in a game."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from pbem.store.tables import Appointment, Office


def appoint(
    session: Session, game_id: int, address: str, office: Office, by: str, now: datetime
) -> None:
    """Gives an address an office in a game, in place of the one that it may have."""
    session.merge(Appointment(game_id=game_id, address=address, office=office, by=by, at=now))
    session.flush()


def dismiss(session: Session, game_id: int, address: str) -> bool:
    """Takes an address's office in a game away; whether it had one."""
    held = session.get(Appointment, (game_id, address))
    if held is None:
        return False
    session.delete(held)
    session.flush()
    return True


def of_game(session: Session, game_id: int) -> Sequence[Appointment]:
    """The offices of a game, by address."""
    statement = select(Appointment).where(Appointment.game_id == game_id)
    return session.exec(statement.order_by(col(Appointment.address))).all()


def of_address(session: Session, address: str) -> Sequence[Appointment]:
    """The offices of an address, by game."""
    statement = select(Appointment).where(Appointment.address == address)
    return session.exec(statement.order_by(col(Appointment.game_id))).all()


def office(session: Session, game_id: int, address: str) -> Office | None:
    """The office of an address in a game."""
    held = session.get(Appointment, (game_id, address))
    return None if held is None else held.office
