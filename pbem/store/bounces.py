"""Reports that letters did not reach their seat, counted until the seat is heard of again."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete
from sqlmodel import Session, col, select

from pbem.store.insertion import keep_first
from pbem.store.tables import Bounce


def keep(session: Session, bounce: Bounce) -> bool:
    """Stores a report; False if its source has told of it before."""
    return keep_first(session, Bounce, bounce.model_dump())


def since(session: Session, game_id: int, seat: str, moment: datetime) -> Sequence[Bounce]:
    """The reports about a seat after a moment."""
    statement = select(Bounce).where(
        Bounce.game_id == game_id, Bounce.seat == seat, Bounce.at > moment
    )
    return session.exec(statement).all()


def forget(session: Session, game_id: int, seat: str) -> None:
    """Lets go of what was counted against a seat; the reports themselves stay in the inbox."""
    statement = delete(Bounce).where(col(Bounce.game_id) == game_id, col(Bounce.seat) == seat)
    session.exec(statement)
