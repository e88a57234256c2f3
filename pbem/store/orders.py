"""What seats have sent that lasts beyond a mail: setup lists, and which orders were played."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from pbem.store.insertion import keep_first, replace
from pbem.store.tables import HandledOrders, SetupList


def put_setup_list(
    session: Session,
    game_id: int,
    seat: str,
    kind: str,
    now: datetime,
    *,
    lines: Sequence[Any],
    normal: Sequence[Any],
    inbox_id: int | None = None,
    branch: int = 0,
) -> None:
    """Keeps a seat's wishes of one kind in place of the earlier ones of the branch."""
    row = {"game_id": game_id, "branch": branch, "seat": seat, "kind": kind, "at": now}
    written = {"lines": list(lines), "normal": list(normal), "inbox_id": inbox_id}
    replace(session, SetupList, row | written)


def setup_lists(
    session: Session, game_id: int, seat: str | None = None, branch: int = 0
) -> Sequence[SetupList]:
    """The wishes of a game's seats, or of one seat, in one branch, by seat and kind."""
    statement = select(SetupList).where(SetupList.game_id == game_id, SetupList.branch == branch)
    if seat is not None:
        statement = statement.where(SetupList.seat == seat)
    fresh = statement.execution_options(populate_existing=True)
    return session.exec(fresh.order_by(col(SetupList.seat), col(SetupList.kind))).all()


def remember(
    session: Session,
    game_id: int,
    seat: str,
    turn: int,
    step: int,
    orders_hash: str,
    now: datetime,
    inbox_id: int | None = None,
) -> bool:
    """Notes that these orders were played at this step; False if they were before."""
    row = {"game_id": game_id, "seat": seat, "turn": turn, "step": step, "at": now}
    return keep_first(
        session, HandledOrders, row | {"orders_hash": orders_hash, "inbox_id": inbox_id}
    )


def handled_in(session: Session, inbox_id: int) -> str | None:
    """The hash of the orders that were played from a row of the inbox; None if it had none."""
    statement = select(HandledOrders.orders_hash).where(HandledOrders.inbox_id == inbox_id)
    return session.exec(statement.limit(1)).one_or_none()


def handled(
    session: Session, game_id: int, seat: str, turn: int, step: int, orders_hash: str
) -> HandledOrders | None:
    """The note that these orders were played at this step, or None."""
    return session.get(HandledOrders, (game_id, seat, turn, step, orders_hash))
