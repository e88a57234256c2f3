"""Snapshots: the states that were kept at the close of each turn."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, insert, tuple_
from sqlmodel import Session, col, select

from pbem.store.insertion import core
from pbem.store.tables import Document, Event, Game, Snapshot


class Closed(NamedTuple):
    """The close of a turn: its snapshot's key, and when it was."""

    turn: int
    branch: int
    at: datetime


def keep(
    session: Session, game: Game, now: datetime, *, turn: int, last_seq: int, state: Document
) -> None:
    """Keeps the state at the close of a turn; a second one of that turn is an IntegrityError.

    `last_seq` is the number of the last event that had made it.
    """
    row = {"game_id": game.id, "branch": game.branch, "turn": turn, "last_seq": last_seq}
    session.exec(insert(core(Snapshot)), params=row | {"state": state, "at": now})


def of_game(session: Session, number: int, branch: int | None = None) -> Sequence[Snapshot]:
    """The snapshots by the order in which they were made; only those of one branch if given."""
    statement = select(Snapshot).where(Snapshot.game_id == number)
    if branch is not None:
        statement = statement.where(Snapshot.branch == branch)
    ordered = statement.order_by(col(Snapshot.last_seq), col(Snapshot.turn))
    return session.exec(ordered).all()


def closed_turns(session: Session, number: int) -> Sequence[Closed]:
    """The turns whose close no rollback has left out, in order; 0 is the setup."""
    return closed_turns_of(session, [number])[number]


def closed_turns_of(session: Session, numbers: Iterable[int]) -> Mapping[int, Sequence[Closed]]:
    """The same of several games."""
    # A turn that was closed again after a rollback to its very end is the later one.
    newest: dict[int, dict[int, Closed]] = {number: {} for number in numbers}
    statement: Any = (
        select(Snapshot.game_id, Snapshot.turn, Snapshot.branch, Snapshot.at)
        .join(
            Event,
            and_(
                col(Event.game_id) == col(Snapshot.game_id),
                col(Event.seq) == col(Snapshot.last_seq),
            ),
        )
        .where(col(Snapshot.game_id).in_(list(newest)), col(Event.undone_in).is_(None))
        .order_by(col(Snapshot.turn), col(Snapshot.branch))
    )
    for number, *closed in session.exec(statement) if newest else ():
        newest[number][closed[0]] = Closed(*closed)
    return {number: tuple(turns.values()) for number, turns in newest.items()}


def find(session: Session, number: int, closed: Closed) -> Snapshot:
    """The state at the close of a turn."""
    found = session.get(Snapshot, (number, closed.branch, closed.turn))
    assert found is not None, "snapshots are never deleted"
    return found


def find_all(session: Session, wanted: Mapping[int, Closed]) -> Mapping[int, Snapshot]:
    """The same of several games, by the game."""
    keys = [(number, closed.branch, closed.turn) for number, closed in wanted.items()]
    key: Any = tuple_(col(Snapshot.game_id), col(Snapshot.branch), col(Snapshot.turn))
    rows = session.exec(select(Snapshot).where(key.in_(keys))) if keys else ()
    return {row.game_id: row for row in rows}
