"""The tasks. Each takes the id of a row, calls one function of the judge, and passes hints on."""

from datetime import UTC, datetime

from celery import shared_task

from pbem.judge import dispatch, sweep
from pbem.judge.drain import drain
from pbem.judge.sweep import APPLY, SEND
from workers.app import TIDY
from workers.context import current


@shared_task(name=APPLY)
def apply(game_id: int) -> None:
    """Play what waits for the game; its letters are on their way before the next row is played."""
    here = current()

    def ring(letters: tuple[int, ...]) -> None:
        for letter in letters:
            here.hint(SEND, letter)

    if drain(here.engine, here.house, game_id, _clock, on_letters=ring):
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
