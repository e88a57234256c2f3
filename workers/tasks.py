"""The tasks. Each takes the id of a row, calls one function of the judge, and passes hints on."""

from collections.abc import Iterator
from datetime import UTC, datetime
from secrets import token_bytes

from celery import shared_task

from pbem.judge import dispatch, lobby_mail, sweep, webhooks
from pbem.judge.drain import drain
from pbem.judge.intake import LOBBY
from pbem.judge.sweep import APPLY, APPLY_DUE, CALL_WEBHOOK, SEND, SEND_NEWS
from workers.app import TIDY
from workers.context import current
from workers.webhooks import ways

MOST_LETTERS = 10
"""So many letters in one task: they are composed within one lease."""


@shared_task(name=APPLY)
def apply(game_id: int) -> None:
    """Play what waits for the game; its letters are on their way before the next row is played."""
    _apply(game_id, APPLY, SEND)


@shared_task(name=APPLY_DUE)
def apply_due(game_id: int) -> None:
    """The same where a deadline waits and no mail: its letters may wait for those of mails."""
    _apply(game_id, APPLY_DUE, SEND_NEWS)


def _apply(game_id: int, again: str, send_by: str) -> None:
    here = current()

    def ring(letters: tuple[int, ...]) -> None:
        for together in parcels(letters):
            here.hint(send_by, *together)

    if game_id == LOBBY:
        lobby_mail.drain(here.engine, here.house, _clock, token_bytes, on_letters=ring)
    elif drain(here.engine, here.house, game_id, _clock, on_letters=ring):
        here.hint(again, game_id)


def parcels(letters: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The letters of one act as tasks: its answer by itself, since somebody waits for it, and what
    shows the same position together."""
    if letters:
        yield letters[:1]
    for start in range(1, len(letters), MOST_LETTERS):
        yield letters[start : start + MOST_LETTERS]


@shared_task(name=SEND)
def send(*outbox_ids: int) -> None:
    """Compose the letters, each once, and try to send them."""
    _send(outbox_ids)


@shared_task(name=SEND_NEWS)
def send_news(*outbox_ids: int) -> None:
    """The same for letters that the clock led to."""
    _send(outbox_ids)


def _send(outbox_ids: tuple[int, ...]) -> None:
    here = current()
    dispatch.send_all(here.engine, here.house, here.post, outbox_ids, _clock)


@shared_task(name=CALL_WEBHOOK)
def call_webhook(call_id: int, attempt: int) -> None:
    """Make one attempt at a call of a webhook."""
    webhooks.send(current().engine, ways(), call_id, attempt, _clock)


@shared_task(name=TIDY)
def tidy() -> None:
    """Drop what nobody needs any more."""
    sweep.tidy(current().engine, _clock())


def _clock() -> datetime:
    return datetime.now(UTC)
