"""Composing and sending letters: claimed with a lease, composed once, sent till they are taken."""

import traceback
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.judge import atlas, compose, pictures, undelivered
from pbem.judge.contents.desk import Desk, Shelf, gather
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
from pbem.store.outbox import Final

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
    return outbox_id in send_all(engine, house, post, (outbox_id,), clock)


def send_all(
    engine: Engine,
    house: House,
    post: Post,
    outbox_ids: Sequence[int],
    clock: Callable[[], datetime],
) -> Collection[int]:
    """The same for letters that one act led to; the ids of those that are sent.

    They are claimed and composed in one go, since they mostly show one position. A relay gets them
    one after another; what a slow one keeps waiting for too long is free for other workers.
    """
    with open_session(engine) as session:
        rows = outbox.claim(session, outbox_ids, clock(), COMPOSING)
    letters = _composed(engine, house, post, rows, clock) if rows else []
    if post.sender is None:
        return _put_into_mailbox(engine, [final for _, final in letters], clock())
    return [row.id for row, final in letters if _relay(engine, house, post, row, final, clock)]


def _composed(
    engine: Engine,
    house: House,
    post: Post,
    rows: Sequence[tables.Outbox],
    clock: Callable[[], datetime],
) -> list[tuple[tables.Outbox, Final]]:
    """The letters as they go out; what cannot be composed is noted and left out."""
    try:
        return _written(engine, house, rows, clock())
    except Exception:
        if len(rows) > 1:  # one must not keep the others: each by itself
            parts = (_composed(engine, house, post, [row], clock) for row in rows)
            return [letter for part in parts for letter in part]
        _not_composed(engine, house, post, rows[0], traceback.format_exc(), clock())
        return []


def _written(
    engine: Engine, house: House, rows: Sequence[tables.Outbox], now: datetime
) -> list[tuple[tables.Outbox, Final]]:
    """The letters with the bytes that stand, else composed now."""
    with open_reading(engine) as session:
        shelf = Shelf(session)
        desks = [gather(shelf, row) if _is_of_game(row) else None for row in rows]
    artist = pictures.artist(engine, now)
    return [(row, _final(house, row, desk, artist)) for row, desk in zip(rows, desks, strict=True)]


def _is_of_game(row: tables.Outbox) -> bool:
    return row.composed is None and row.game_id is not None


def _final(house: House, row: tables.Outbox, desk: Desk | None, artist: pictures.Artist) -> Final:
    if row.composed is not None:
        return Final(row.id, row.subject or "", row.composed)
    if desk is None:
        return Final(row.id, *compose.write_of_house(house, row))
    drawn_by = artist if undelivered.may_hold_picture(row) else None
    return Final(row.id, *compose.write(house, row, desk, drawn_by))


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


def _put_into_mailbox(engine: Engine, letters: Sequence[Final], now: datetime) -> Collection[int]:
    """Where nothing leaves the house, a letter that is stored has arrived."""
    if letters:
        with open_session(engine) as session:
            outbox.keep_sent(session, letters, now)
    return [letter.outbox_id for letter in letters]


def _relay(
    engine: Engine,
    house: House,
    post: Post,
    row: tables.Outbox,
    final: Final,
    clock: Callable[[], datetime],
) -> bool:
    """Whether the relay took the letter; its bytes are stored before."""
    raw = final.composed
    if post.signer is not None and row.composed is None:
        raw = post.signer.sign(raw)
    with open_session(engine) as session:
        raw = outbox.store_composed(session, row.id, raw, final.subject)
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
