"""What becomes of a letter that an attempt did not bring away, by what the server said.

For now: it is tried again, and a server that asks for less gets less. For good: without its picture
if it was too big, else given up, and whoever can do something about it is told.
"""

from datetime import datetime

from pbem.judge import atlas, bounced, moving
from pbem.judge.house import House
from pbem.judge.post import GmNote, post_to_gm
from pbem.judge.progress import Progress
from pbem.mail import errand, outbound
from pbem.mail.bounces import Bounced, shown_reply
from pbem.mail.outbound import Deferred, Failed, FailedKind, Unknown
from pbem.store import domains, games, outbox, tables
from pbem.store.engine import Engine, Session
from pbem.store.engine import session as open_session

PICTURE = "picture"
"""The key of a recipe that says whether the letter may hold its picture; missing: it may."""


def may_hold_picture(row: tables.Outbox) -> bool:
    """Whether no server has refused the letter for its size."""
    return bool(row.recipe.get(PICTURE, True))


def settle(
    engine: Engine,
    house: House,
    row: tables.Outbox,
    outcome: Deferred | Unknown | Failed,
    again_at: datetime | None,
    now: datetime,
) -> None:
    """Note what became of an attempt; `again_at` is when the next one is due, None: never."""
    with open_session(engine) as session:
        if again_at is not None and not isinstance(outcome, Failed):
            _wait(session, row, outcome, again_at)
            return
        too_large = isinstance(outcome, Failed) and outcome.kind is FailedKind.TOO_LARGE
        if too_large and may_hold_picture(row) and row.seat is not None:
            outbox.compose_again(session, row.id, row.attempts, row.recipe | {PICTURE: False}, now)
            return
        given_up = outbox.mark_failed(session, row.id, row.attempts, _reply(outcome))
    if given_up and row.game_id is not None:
        _tell(engine, house, row, outcome, now)


def _wait(
    session: Session, row: tables.Outbox, outcome: Deferred | Unknown, until: datetime
) -> None:
    if isinstance(outcome, Unknown):
        outbox.mark_unknown(session, row.id, row.attempts, until)
        return
    outbox.mark_retry(session, row.id, row.attempts, until, _reply(outcome))
    if outcome.slows_domain:
        domain = outbound.domain_of(row.to_address)
        domains.slow(session, domain, until, _said(outcome))
        outbox.slow_down(session, domain, until)


def _tell(
    engine: Engine,
    house: House,
    row: tables.Outbox,
    outcome: Deferred | Unknown | Failed,
    now: datetime,
) -> None:
    """The seat bears what its address is to blame for; the rest is for the game master to mend."""
    assert row.game_id is not None
    with open_session(engine) as session:
        game = games.lock(session, row.game_id)
        if isinstance(outcome, Failed) and outcome.kind is not FailedKind.BOUNCE:
            domain = outbound.domain_of(row.to_address)
            told = {"domain": domain, "said": _said(outcome)}
            note = GmNote("refused", f"{domain}.{now:%Y%m%d}", told, of_house=True)
            post_to_gm(session, house, game, atlas.state_of(session, game), note, now)
        elif row.seat is not None:
            progress = Progress(session, house, game, now, None)
            _count(progress, row, outcome)
            progress.close()


def _count(progress: Progress, row: tables.Outbox, outcome: Deferred | Unknown | Failed) -> None:
    assert row.seat is not None
    seat = progress.seat(row.seat)
    named = errand.parse(row.envelope_from)
    if named is not None:
        moving.came_back(progress, named)
    elif seat.address == row.to_address:
        kind = Bounced.HARD if isinstance(outcome, Failed) else Bounced.SOFT
        bounced.count(progress, seat, f"outbox:{row.id}", kind, progress.now, _said(outcome))


def _reply(outcome: Deferred | Unknown | Failed) -> str:
    return f"{getattr(outcome, 'code', None) or ''} {outcome.text}".strip()


def _said(outcome: Deferred | Unknown | Failed) -> str:
    """The reply as people are told it, in one line."""
    return shown_reply(_reply(outcome))
