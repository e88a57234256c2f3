"""Whether a mail is from where its From says: found out before the lock, for it may ask others."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from pbem.judge import gm_mail, senders
from pbem.judge.house import House
from pbem.mail import proof
from pbem.mail.proof import Came, Later, Proved, Unproved, Verdict
from pbem.mail.reading import Reading
from pbem.mail.resolver import Lookup
from pbem.store import games, inbox, tables
from pbem.store.engine import Engine
from pbem.store.engine import reading as open_reading
from pbem.store.engine import session as open_session

Lookups = Callable[[float], Lookup]
"""A way to ask the name system that may take so many seconds in all."""

SECONDS = 5.0
"""For all that one mail makes us ask: well within the time that an attempt is left alone."""

PATIENCE = timedelta(hours=1)
"""How long a mail waits for name servers that do not answer; then its player is asked."""

_SHORTEST, _LONGEST = timedelta(seconds=5), timedelta(minutes=10)


def prove(
    engine: Engine,
    house: House,
    row: tables.Inbox,
    read: Mapping[str, Any],
    now: datetime,
    lookups: Lookups,
) -> Mapping[str, Any] | None:
    """The reading with the proof of its sender, or None if the row was put back to wait for one.

    Only mails whose From is their seat's own address are worth a question.
    """
    if not house.proofs or row.raw is None or not _may_be_the_players(engine, house, row, read):
        return read
    return _proved(engine, house, row, read, now, lookups)


def prove_caller(
    engine: Engine,
    house: House,
    row: tables.Inbox,
    read: Mapping[str, Any],
    now: datetime,
    lookups: Lookups,
) -> Mapping[str, Any] | None:
    """The same for a mail to the lobby, where any person may write."""
    found = Reading.from_json(read)
    if not house.proofs or found.kind in senders.MACHINES or found.sender is None:
        return read
    return _proved(engine, house, row, read, now, lookups)


def _proved(
    engine: Engine,
    house: House,
    row: tables.Inbox,
    read: Mapping[str, Any],
    now: datetime,
    lookups: Lookups,
) -> Mapping[str, Any] | None:
    verdict = _verdict(house, row, lookups)
    if isinstance(verdict, Later):
        if now - row.received_at < PATIENCE:
            with open_session(engine) as session:
                inbox.defer(session, row.id, _next_try(row, now), verdict.reason)
            return None
        verdict = Unproved("no-answer")
    match verdict:
        case Proved(by):
            return senders.with_proof(read, proved=True, why=by)
        case Unproved(reason):
            return senders.with_proof(read, proved=False, why=reason)


def _may_be_the_players(
    engine: Engine, house: House, row: tables.Inbox, read: Mapping[str, Any]
) -> bool:
    found = Reading.from_json(read)
    if found.kind in senders.MACHINES or row.game_id is None:
        return False
    with open_reading(engine) as session:
        if row.seat is None:
            return gm_mail.is_masters(session, house, row, found)
        seats = games.seats(session, row.game_id)
    return any(seat.letter == row.seat and senders.is_the_players(seat, found) for seat in seats)


def _verdict(house: House, row: tables.Inbox, lookups: Lookups) -> Verdict:
    assert row.raw is not None
    came = Came(row.raw, row.mail_from or "", row.peer, row.helo)
    if house.authserv is not None:
        return proof.by_server(came, house.authserv)
    # A signature has to be good when the mail comes, not when we get to it.
    return proof.by_own_check(came, lookups(SECONDS), row.received_at, house.arc_sealers)


def _next_try(row: tables.Inbox, now: datetime) -> datetime:
    """After half of the time that the mail is old: each wait is longer than the last."""
    return now + min(max((now - row.received_at) / 2, _SHORTEST), _LONGEST)
