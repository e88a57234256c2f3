"""Letters that come back: each counts against its seat, the less the older it is.

A seat that cannot be reached is marked, and the game master is told once. The game goes on: the
deadline plays for the seat. Any mail of the player's own wipes the slate clean.
"""

import math
from datetime import datetime, timedelta

from pbem.judge.outcome import Outcome, done
from pbem.judge.post import GmNote
from pbem.judge.progress import Progress
from pbem.mail.bounces import Bounced
from pbem.mail.reading import Kind, Reading
from pbem.store import bounces, tables
from pbem.store.tables import InboxStatus

HALF_LIFE = timedelta(days=7)
"""After this time a report counts half."""

WEIGHT = {Bounced.HARD: 1.0, Bounced.SOFT: 0.4}
UNREACHABLE = 1.75
"""The score from which a seat counts as unreachable: two hard bounces or five soft ones within a
few days (screens.md, "bounce, suspended")."""

_FORGOTTEN = 8 * HALF_LIFE


def play(
    progress: Progress, seat: tables.Seat, row: tables.Inbox, read: Reading, *, machine: bool
) -> Outcome:
    """What came to the address that letters to the seat are sent from.

    An answer of a machine that tells of no failure (an absence, a delivery) changes nothing; what
    a person writes there is for the game master to look at.
    """
    if not machine:
        return Outcome(InboxStatus.SET_ASIDE, "to-bounces")
    found = next((kind for kind in Bounced if f"{kind}-bounce" in read.notes), None)
    if read.kind is not Kind.BOUNCE or found is None:
        return Outcome(InboxStatus.IGNORED, read.kind)
    count(progress, seat, f"inbox:{row.id}", found, row.received_at, read.said)
    return done(f"{found}-bounce")


def count(
    progress: Progress,
    seat: tables.Seat,
    source: str,
    kind: Bounced,
    at: datetime,
    said: str = "",
) -> None:
    """Count one report against the seat; over the threshold mark it and tell the game master.

    `said` is the reason that was given, as people may be told it (`mail.bounces.shown_reply`).
    """
    bounce = tables.Bounce(
        source=source,
        game_id=progress.game.id,
        seat=seat.letter,
        hard=kind is Bounced.HARD,
        at=at,
        said=said,
    )
    if not bounces.keep(progress.session, bounce) or seat.unreachable_at is not None:
        return
    if score(progress, seat) >= UNREACHABLE:
        seat.unreachable_at = progress.now
        progress.session.add(seat)
        progress.tell_gm(GmNote("bounced", source, {"seat": seat.letter, "said": said}))


def score(progress: Progress, seat: tables.Seat) -> float:
    """What stands against the seat now."""
    found = bounces.since(
        progress.session, progress.game.id, seat.letter, progress.now - _FORGOTTEN
    )
    return sum(_weight(bounce, progress.now) for bounce in found)


def _weight(bounce: tables.Bounce, now: datetime) -> float:
    ages = max(now - bounce.at, timedelta()) / HALF_LIFE
    return WEIGHT[Bounced.HARD if bounce.hard else Bounced.SOFT] * math.exp2(-ages)


def heard_of(progress: Progress, seat: tables.Seat) -> None:
    """A mail of the player came: whatever failed, the way seems to be open again."""
    if seat.unreachable_at is not None:
        seat.unreachable_at = None
        progress.session.add(seat)
        bounces.forget(progress.session, progress.game.id, seat.letter)
