"""Composing and sending one letter: claimed with a lease, composed once, sent till it is taken."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.judge import atlas, compose, pictures, undelivered
from pbem.judge.contents.desk import gather
from pbem.judge.house import House
from pbem.judge.outcome import kind_of
from pbem.judge.post import GmNote, post_to_gm
from pbem.mail import outbound
from pbem.mail.outbound import Deferred, Failed, Sent, Unknown
from pbem.mail.signing import Signer
from pbem.store import domains, games, outbox, tables
from pbem.store.engine import Engine
from pbem.store.engine import reading as open_reading
from pbem.store.engine import session as open_session

COMPOSING = timedelta(seconds=15)
"""How long a letter that one worker composes is left alone by the others: a killed worker must not
hold an answer back for long."""

HANDING_OVER = timedelta(seconds=40)
"""The same while a relay is spoken to: longer than one answer of it may take. A letter whose worker
was killed waits no longer than this; one whose relay is slower may go out twice, as the same."""


MOST_COMPOSINGS = 5
"""A letter that could not be composed so often is given up."""


@dataclass(frozen=True, slots=True)
class Post:
    """The way out: a relay's sender, or None for the local mailbox; when to try again.

    `signer` signs what goes to the relay, where that does not sign itself.
    """

    sender: outbound.Sender | None
    retry_steps: tuple[timedelta, ...]
    outcome_unknown: timedelta
    signer: Signer | None = None


def send(
    engine: Engine, house: House, post: Post, outbox_id: int, clock: Callable[[], datetime]
) -> bool:
    """Try to send the letter now; whether it is sent. What fails is noted for the next try."""
    with open_session(engine) as session:
        row = outbox.claim(session, outbox_id, clock(), COMPOSING)
    if row is None:
        return False
    try:
        subject, raw = _final_bytes(engine, house, row, clock())
    except Exception:
        _not_composed(engine, house, post, row, traceback.format_exc(), clock())
        return False
    if post.sender is None:
        return _put_into_mailbox(engine, row, subject, raw, clock())
    if post.signer is not None and row.composed is None:
        raw = post.signer.sign(raw)
    with open_session(engine) as session:
        raw = outbox.store_composed(session, row.id, raw, subject)
        slow = domains.slow_until(session, outbound.domain_of(row.to_address), clock())
        if slow is not None:
            outbox.postpone(session, row.id, row.attempts, slow)
            return False
        held = outbox.prolong(session, row.id, row.attempts, clock() + HANDING_OVER)
    if not held:
        return False
    outcome = _hand_over(engine, post, row, raw, clock)
    if isinstance(outcome, Sent):
        with open_session(engine) as session:
            return outbox.mark_sent(session, row.id, clock())
    _not_sent(engine, house, post, row, outcome, clock())
    return False


def _final_bytes(
    engine: Engine, house: House, row: tables.Outbox, now: datetime
) -> tuple[str, bytes]:
    """Subject and bytes of the letter: those that stand, else composed now."""
    if row.composed is not None:
        return row.subject or "", row.composed
    if row.game_id is None:
        return compose.write_of_house(house, row)
    with open_reading(engine) as session:
        desk = gather(session, row)
    artist = pictures.artist(engine, now) if undelivered.may_hold_picture(row) else None
    return compose.write(house, row, desk, artist)


def _not_composed(
    engine: Engine, house: House, post: Post, row: tables.Outbox, error: str, now: datetime
) -> None:
    """Try again later; a letter that cannot be made is given up, and the game masters are told.

    They are told the kind of the error only: its message could tell a hand.
    """
    if row.attempts < MOST_COMPOSINGS:
        _not_sent(engine, house, post, row, Deferred(None, error), now)
        return
    with open_session(engine) as session:
        given_up = outbox.mark_failed(session, row.id, row.attempts, error)
        game = None if row.game_id is None else games.find(session, row.game_id)
        if not given_up or game is None or row.seat is None:
            return
        told = {"seat": row.seat, "reason": f"{row.kind}, {kind_of(error)}"}
        state = atlas.state_of(session, game)
        post_to_gm(session, house, game, state, GmNote("set-aside", f"letter{row.id}", told), now)


def _put_into_mailbox(
    engine: Engine, row: tables.Outbox, subject: str, raw: bytes, now: datetime
) -> bool:
    """Where nothing leaves the house, a letter that is stored has arrived."""
    with open_session(engine) as session:
        return outbox.keep_sent(session, row.id, raw, subject, now)


def _hand_over(
    engine: Engine, post: Post, row: tables.Outbox, raw: bytes, clock: Callable[[], datetime]
) -> outbound.Outcome:
    assert post.sender is not None

    def may_be_taken() -> None:
        with open_session(engine) as session:
            outbox.mark_unknown(session, row.id, row.attempts, clock() + post.outcome_unknown)

    return post.sender.send_sync(row.envelope_from, row.to_address, raw, may_be_taken)


def _not_sent(
    engine: Engine,
    house: House,
    post: Post,
    row: tables.Outbox,
    outcome: Deferred | Unknown | Failed,
    now: datetime,
) -> None:
    at = outbound.retry_at(now, row.attempts, post.retry_steps, outcome, post.outcome_unknown)
    undelivered.settle(engine, house, row, outcome, at, now)
