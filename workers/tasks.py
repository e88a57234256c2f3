"""The tasks. Each takes the id of a row, calls one function of the judge, and passes hints on."""

from datetime import UTC, datetime

from celery import shared_task

from pbem.judge import dispatch, sweep
from pbem.judge.drain import drain
from pbem.judge.sweep import APPLY, SEND
from pbem.judge.thinking import think
from workers.context import current

TIDY = "maintenance.tidy"


@shared_task(name=APPLY)
def apply(game_id: int) -> None:
    """Play what waits for the game; then its computers write, which is more to play."""
    here = current()
    drained = drain(here.engine, here.house, game_id, _clock)
    for letter in drained.letters:
        here.hint(SEND, letter)
    if think(here.engine, game_id, _clock()):
        here.hint(APPLY, game_id)


@shared_task(name=SEND)
def send(outbox_id: int) -> None:
    """Compose the letter, once, and try to send it."""
    here = current()
    dispatch.send(here.engine, here.house, here.post, outbox_id, _clock)


@shared_task(name=TIDY)
def tidy() -> None:
    """Drop what nobody needs any more."""
    sweep.tidy(current().engine, _clock())


def _clock() -> datetime:
    return datetime.now(UTC)
