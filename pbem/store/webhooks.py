"""Webhooks of games, and their calls: written with the turn, made at least once."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, update
from sqlmodel import Session, col, select

from pbem.store.insertion import core, insert_missing
from pbem.store.tables import CallStatus, Webhook, WebhookCall


def add(session: Session, webhook: Webhook) -> Webhook:
    """Keeps a webhook; one with the same address in the game gives way to it."""
    for held in of_game(session, webhook.game_id):
        if held.url == webhook.url:
            drop(session, held.id)
    session.add(webhook)
    session.flush()
    return webhook


def of_game(session: Session, game_id: int) -> Sequence[Webhook]:
    """The webhooks of a game, oldest first."""
    statement = select(Webhook).where(Webhook.game_id == game_id).order_by(col(Webhook.id))
    return session.exec(statement).all()


def find(session: Session, number: int) -> Webhook | None:
    """One webhook."""
    return session.get(Webhook, number)


def drop(session: Session, number: int) -> None:
    """Forgets a webhook with all calls of it."""
    session.exec(delete(WebhookCall).where(col(WebhookCall.webhook_id) == number))
    session.exec(delete(Webhook).where(col(Webhook.id) == number))


def write(session: Session, calls: Sequence[tuple[str, int, str]], now: datetime) -> None:
    """Writes calls down, as key, webhook and body; a key that is there is the same call."""
    rows = [
        {
            "key": key,
            "webhook_id": webhook_id,
            "body": body,
            "status": CallStatus.PENDING,
            "attempts": 0,
            "next_try_at": now,
            "made_at": now,
        }
        for key, webhook_id, body in calls
    ]
    insert_missing(session, WebhookCall, "key", rows)


def take_due(
    session: Session, now: datetime, until: datetime, limit: int = 100
) -> Sequence[tuple[int, int]]:
    """Takes the calls that are due, for one attempt each that has time `until`: id and attempt."""
    due = (
        select(WebhookCall.id)
        .where(WebhookCall.status == CallStatus.PENDING, col(WebhookCall.next_try_at) <= now)
        .order_by(col(WebhookCall.next_try_at))
        .limit(limit)
    )
    found = session.exec(due).all()
    taken: list[tuple[int, int]] = []
    for number in found:
        statement = (
            update(core(WebhookCall))
            .where(
                core(WebhookCall).c.id == number,
                core(WebhookCall).c.status == CallStatus.PENDING,
                core(WebhookCall).c.next_try_at <= now,
            )
            .values(attempts=core(WebhookCall).c.attempts + 1, next_try_at=until)
            .returning(core(WebhookCall).c.id, core(WebhookCall).c.attempts)
        )
        taken += [(call, attempt) for call, attempt in session.exec(statement).all()]
    return taken


def call(session: Session, number: int) -> tuple[WebhookCall, Webhook] | None:
    """A call that is still to be made, with its webhook."""
    found = session.get(WebhookCall, number, populate_existing=True)
    if found is None or found.status != CallStatus.PENDING:
        return None
    webhook = session.get(Webhook, found.webhook_id)
    assert webhook is not None, "calls go with their webhook"
    return found, webhook


def last_calls(session: Session, game_id: int) -> Mapping[int, WebhookCall]:
    """The newest call of each webhook of a game, by the webhook."""
    newest = (
        select(func.max(WebhookCall.id))
        .join(Webhook, col(Webhook.id) == col(WebhookCall.webhook_id))
        .where(Webhook.game_id == game_id)
        .group_by(col(WebhookCall.webhook_id))
    )
    statement = select(WebhookCall).where(col(WebhookCall.id).in_(newest))
    return {call.webhook_id: call for call in session.exec(statement)}


def done(session: Session, number: int, now: datetime) -> bool:
    """The other side took it; False if that was known before."""
    return _settle(session, number, {"status": CallStatus.DONE, "done_at": now, "last_error": None})


def retry(session: Session, number: int, at: datetime | None, error: str) -> bool:
    """It failed: the next attempt is then; None: it is given up."""
    what = {"status": CallStatus.FAILED} if at is None else {"next_try_at": at}
    return _settle(session, number, {**what, "last_error": error[:500]})


def _settle(session: Session, number: int, values: dict[str, Any]) -> bool:
    statement = update(WebhookCall).where(
        col(WebhookCall.id) == number, col(WebhookCall.status) == CallStatus.PENDING
    )
    return session.exec(statement.values(**values)).rowcount == 1
