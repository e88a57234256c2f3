"""The clock of the whole house: its heartbeat, the safety stop, and what its page shows.

When most of the seats that are on turn would miss their deadline in one round, the fault is
hardly theirs: mail does not reach us. Then the clock is held, the owner is told, and no deadline
passes until somebody releases it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pbem.judge import atlas
from pbem.judge.house import House
from pbem.judge.post import GmNote, post_to_gm
from pbem.store import clock, correspondence, due, games
from pbem.store.due import DueGame
from pbem.store.engine import Session

BEAT_EVERY = timedelta(seconds=5)
"""The heartbeat is written that often: an idle house need not write every second."""

LEAST_CROWD = 20
"""Fewer seats than these may well be late together."""

LONG_TURN = timedelta(hours=1)
"""Who had less time than this has not been robbed of it by a fault of the mail."""

TRUST = timedelta(hours=1)
"""So long after a release the safety stop does not look: somebody has looked."""


class ClockError(ValueError):
    """The clock is not held, so there is nothing to release."""


@dataclass(frozen=True, slots=True)
class Released:
    """The clock ran again: since when it had been held, and whether deadlines move by that."""

    since: datetime
    moved: bool


def notice(session: Session, house: House, now: datetime) -> None:
    """Note an outage if the last heartbeat is too long ago; the first call starts the clock."""
    found = clock.find(session)
    if found is None:
        clock.start(session, now)
        return
    long_ago = house.outage is not None and now - found.swept_at > house.outage
    if long_ago and found.held_at is None:
        clock.stood_still(session, found.swept_at, now, clock.DOWN)
        clock.beat(session, now, found.lag)


def beat(session: Session, now: datetime, lag: timedelta) -> None:
    """The sweep has gone round; `lag` is how late the oldest deadline was that it took up."""
    found = clock.find(session)
    seconds = int(lag.total_seconds())
    if found is None or now - found.swept_at >= BEAT_EVERY or found.lag != seconds:
        clock.beat(session, now, seconds)


def is_held(session: Session) -> bool:
    """Whether no deadline may pass now."""
    found = clock.find(session)
    return found is not None and found.held_at is not None


def hold_if_unusual(
    session: Session, house: House, late: Sequence[DueGame], now: datetime
) -> tuple[int, ...] | None:
    """Hold the clock if too many seats would miss at once; letters to the owner, None if not."""
    found = clock.find(session)
    if house.safety_stop is None or found is None or len(late) < LEAST_CROWD:
        return None
    if found.trusted_until is not None and now < found.trusted_until:
        return None
    missing, waiting = due.crowd(session, now)
    if missing * 100 < house.safety_stop * waiting or not _are_robbed(session, late):
        return None
    if not clock.hold(session, now, {"missing": missing, "waiting": waiting}):
        return ()
    return _tell_owner(session, house, late[0].game_id, now, missing, waiting)


def _are_robbed(session: Session, late: Sequence[DueGame]) -> bool:
    """Whether most of the first of these seats had a long turn, and nothing came from them."""
    looked_at = late[:LEAST_CROWD]
    robbed = [game for game in looked_at if _is_robbed(session, game)]
    return 2 * len(robbed) > len(looked_at)


def _is_robbed(session: Session, game: DueGame) -> bool:
    if game.on_turn is None:
        return False
    began = games.turn_began(session, game.game_id, game.turn)
    if began is None or game.at - began < LONG_TURN:
        return False
    return not correspondence.sent_since(session, game.game_id, game.on_turn, began)


def _tell_owner(
    session: Session, house: House, game_id: int, now: datetime, missing: int, waiting: int
) -> tuple[int, ...]:
    game = games.find(session, game_id)
    assert game is not None
    told = {"missing": missing, "waiting": waiting}
    note = GmNote("clock-held", f"{now:%Y%m%d%H%M%S}", told, of_house=True)
    return post_to_gm(session, house, game, atlas.state_of(session, game), note, now)


def release(session: Session, now: datetime, *, as_they_are: bool = False) -> Released:
    """Let deadlines pass again (a command's or a page's act); raises ClockError.

    They move by the time that the clock was held, and players are told; with `as_they_are` those
    that have passed meanwhile are played at once. What was ordered meanwhile counts either way.
    """
    since = clock.release(session, now, now + TRUST)
    if since is None:
        raise ClockError("the clock is not held")
    if not as_they_are:
        clock.stood_still(session, since, now, clock.HELD)
    return Released(since, moved=not as_they_are)


def overview(session: Session, now: datetime, limit: int = 20) -> dict[str, Any]:
    """What the clock's page and `pbem clock` show: the next things due, the last sweep, its lag.

    Moments are ISO 8601 in UTC, `lag` and `since_sweep` seconds; games by their public names, and
    nothing of what only a seat may know.
    """
    found = clock.find(session)
    newest = clock.outages(session)[-1:]
    return {
        "swept_at": None if found is None else found.swept_at.isoformat(),
        "since_sweep": None if found is None else (now - found.swept_at).total_seconds(),
        "lag": 0 if found is None else found.lag,
        "held_at": None if found is None or not found.held_at else found.held_at.isoformat(),
        "held_for": {} if found is None else found.held_for,
        "last_outage": next(
            (
                {
                    "began_at": o.began_at.isoformat(),
                    "ended_at": o.ended_at.isoformat(),
                    "cause": o.cause,
                }
                for o in newest
            ),
            None,
        ),
        "overdue": due.counts(session, now),
        "next": [
            {
                "game": games.public_id(game.game_id),
                "what": game.what,
                "on_turn": game.on_turn,
                "phase": game.phase,
                "at": game.at.isoformat(),
            }
            for game in due.coming(session, limit)
        ],
    }
