"""The open sight of a game master who does not play: written down, and told to every player."""

from datetime import datetime, timedelta

from pbem.judge.gm import Why
from pbem.judge.house import House
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.store import audit, games
from pbem.store.engine import Session

LOOK = timedelta(minutes=15)
"""How long one look lasts; the next one is told again."""

REVEAL = "reveal"


def reveal(
    session: Session, house: House, game_id: int, why: Why, now: datetime
) -> tuple[int, ...]:
    """Open the hands for a while; the outbox ids of the letters that tell of it."""
    progress = Progress(session, house, games.lock(session, game_id), now, None)
    audit.record(
        session, now, who=why.who, what=REVEAL, game_id=game_id, reason=why.reason, detail={}
    )
    n = f"{REVEAL}{now:%Y%m%d%H%M%S%f}"
    facts = {"about": REVEAL, "told": {"by": "", "reason": why.reason}}
    for seat in progress.seats:
        progress.tell(Recipe("note", seat.letter, n, facts))
    return progress.close()


def open_until(session: Session, game_id: int, who: str, now: datetime) -> datetime | None:
    """Until when somebody may look at the hands; None if it was not asked for lately."""
    at = audit.last_done(session, game_id, who, REVEAL)
    return at + LOOK if at is not None and now < at + LOOK else None
