"""The panic switch of the house: nothing is played and nothing sent, while mails are still taken.

What it cost goes to nobody's account: when the house runs again, what was due comes later by as
long as it stood.
"""

from datetime import datetime, timedelta

from pbem.judge.gm import ActError, Why
from pbem.store import audit, games, standstill
from pbem.store.engine import Engine, Session
from pbem.store.engine import reading as open_reading


def stands_still(engine: Engine) -> bool:
    """Whether the switch is on."""
    with open_reading(engine) as session:
        return standstill.find(session) is not None


def stop(session: Session, why: Why, now: datetime) -> None:
    """Stop the house. ActError if it stands still already."""
    if not standstill.begin(session, now, by=why.who, reason=why.reason):
        raise ActError("stands-still")
    audit.record(session, now, who=why.who, what="stop", reason=why.reason)


def go_on(session: Session, why: Why, now: datetime) -> timedelta:
    """Let the house run again; how long it stood. ActError if it runs."""
    found = standstill.find(session)
    if found is None:
        raise ActError("runs")
    lost = now - found.since
    standstill.end(session)
    for game in games.listing(session, over=False):
        if game.paused_at is None:
            games.put_off(session, games.lock(session, game.id), lost)
    detail = {"stood": int(lost.total_seconds())}
    audit.record(session, now, who=why.who, what="go-on", reason=why.reason, detail=detail)
    return lost
