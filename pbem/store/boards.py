"""Boards of other makers: kept by the checksum of their text, called by the newest one's name."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import update
from sqlmodel import Session, col, select

from pbem.store.insertion import keep_first
from pbem.store.tables import Board


def keep(
    session: Session, checksum: str, name: str, source: str, *, by: str, now: datetime
) -> Board:
    """Keeps a board and gives it its name, which an older board of that name loses.

    The same text again is the same row.
    """
    session.exec(
        update(Board)
        .where(col(Board.name) == name, col(Board.checksum) != checksum)
        .values(name=None)
    )
    row = {"checksum": checksum, "name": name, "source": source, "by": by, "imported_at": now}
    keep_first(session, Board, row)
    kept = session.get_one(Board, checksum)
    kept.name = name
    session.add(kept)
    session.flush()
    return kept


def source(session: Session, checksum: str) -> str | None:
    """The text of the board with that checksum."""
    return session.exec(select(Board.source).where(Board.checksum == checksum)).first()


def named(session: Session, name: str) -> Board | None:
    """The board that a new game of that name is played on."""
    return session.exec(select(Board).where(Board.name == name)).first()


def listing(session: Session) -> Sequence[Board]:
    """All boards that a new game can be played on, by name."""
    named_ones = select(Board).where(col(Board.name).is_not(None))
    return session.exec(named_ones.order_by(col(Board.name))).all()
