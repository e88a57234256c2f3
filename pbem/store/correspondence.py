"""What came from a seat before: questions about its earlier mails, whatever became of them."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import func
from sqlmodel import Session, col, select

from pbem.store.inbox import MAILS
from pbem.store.tables import Inbox, InboxStatus

_MOST_TEXTS = 200


def sent_since(session: Session, game_id: int, seat: str, moment: datetime) -> bool:
    """Whether the seat's player has sent any mail since then.

    What machines answer is ignored, what others write is held, and reports of letters that came
    back belong to no turn: none of them is the player's.
    """
    others = (InboxStatus.IGNORED, InboxStatus.HELD, InboxStatus.SET_ASIDE)
    statement = select(Inbox.id).where(
        Inbox.game_id == game_id,
        Inbox.seat == seat,
        Inbox.received_at >= moment,
        col(Inbox.source).in_(MAILS),
        col(Inbox.status).not_in(others),
        col(Inbox.turn).is_not(None),
    )
    return session.exec(statement.limit(1)).first() is not None


def came_before(session: Session, row: Inbox, message_id: str) -> bool:
    """Whether a mail with this Message-ID came before to another address of the row's seat."""
    statement = select(Inbox.id).where(
        Inbox.game_id == row.game_id,
        Inbox.seat == row.seat,
        Inbox.id < row.id,
        col(Inbox.dedupe_key).endswith(f":{message_id}", autoescape=True),
    )
    return session.exec(statement.limit(1)).first() is not None


def results_since(session: Session, row: Inbox, results: Collection[str], moment: datetime) -> int:
    """How many other mails to the row's game and seat have such a result, since a moment."""
    statement = select(func.count()).where(
        Inbox.game_id == row.game_id,
        Inbox.seat == row.seat,
        col(Inbox.result).in_(results),
        Inbox.received_at > moment,
        Inbox.id != row.id,
    )
    return session.exec(statement).one()


def texts_since(session: Session, row: Inbox, moment: datetime) -> list[list[str]]:
    """What was read in the mails to the row's seat that came after a moment and before it."""
    statement = select(Inbox.reading).where(
        Inbox.game_id == row.game_id,
        Inbox.seat == row.seat,
        Inbox.received_at > moment,
        Inbox.id < row.id,
        col(Inbox.raw).is_not(None),
        col(Inbox.status).in_((InboxStatus.DONE, InboxStatus.SET_ASIDE)),
    )
    newest = session.exec(statement.order_by(col(Inbox.id).desc()).limit(_MOST_TEXTS))
    return [list(read["text"]) for read in newest if read is not None]
