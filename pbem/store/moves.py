"""Changes of a seat's address that wait for both sides."""

from datetime import datetime

from sqlalchemy import update
from sqlmodel import Session, col

from pbem.store.tables import AddressChange, ChangeStatus


def ask(session: Session, change: AddressChange) -> AddressChange:
    """Stores a change and gives it its id; an older one of the seat that is open lapses."""
    lapse(session, change.game_id, change.seat, change.asked_at)
    session.add(change)
    session.flush()
    return change


def find(session: Session, number: int) -> AddressChange | None:
    """One change, whatever became of it."""
    return session.get(AddressChange, number)


def lapse(session: Session, game_id: int, seat: str, now: datetime) -> None:
    """Lets the open change of a seat lapse, if it has one."""
    statement = (
        update(AddressChange)
        .where(
            col(AddressChange.game_id) == game_id,
            col(AddressChange.seat) == seat,
            col(AddressChange.status) == ChangeStatus.OPEN,
        )
        .values(status=ChangeStatus.LAPSED, settled_at=now)
    )
    session.exec(statement.execution_options(synchronize_session="fetch"))
