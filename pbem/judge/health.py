"""How the house goes, for its owner: what waits in the boxes, and for how long."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.store import post
from pbem.store.engine import Session


@dataclass(frozen=True, slots=True)
class Queues:
    """What waits: mails to be played and letters to be sent, and since when the oldest does."""

    unplayed: int
    oldest_mail: timedelta | None
    unsent: int
    oldest_letter: timedelta | None
    stray: int
    failed: int


def queues(session: Session, now: datetime) -> Queues:
    """What waits now."""
    found = post.waiting(session)
    return Queues(
        unplayed=found.mails,
        oldest_mail=_age(found.oldest_mail, now),
        unsent=found.letters,
        oldest_letter=_age(found.oldest_letter, now),
        stray=found.stray,
        failed=found.failed,
    )


def moment(text: str | None) -> datetime | None:
    """A moment as the clock's overview writes it."""
    return None if text is None else datetime.fromisoformat(text)


def _age(since: datetime | None, now: datetime) -> timedelta | None:
    return None if since is None else max(now - since, timedelta())
