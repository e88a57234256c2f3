"""Runs the worker of `pbem worker` in this process: Celery's prefork pool over all queues."""

import warnings
from collections.abc import Callable
from typing import Any

from celery import Celery, signals

from pbem.orders.lexicon import lexicon
from pbem.render import letters
from pbem.render.catalogue import SOURCE
from pbem.render.picture import board
from pbem.rules import board as boards
from pbem.settings import Settings
from workers import context, places
from workers.app import QUEUES
from workers.steps import add_step


def run_worker(
    app: Celery,
    settings: Settings,
    *,
    beat: Callable[[], None],
    bind_child: Callable[[], None],
) -> int:
    """Work until SIGTERM or SIGINT; the exit code, 0 when it was asked to end.

    In each child of the pool `bind_child` ties it to this process's life, then it gets a context
    of its own. `beat` is called every two seconds.
    """
    asked: list[str] = []

    def enter(**_: Any) -> None:
        bind_child()
        context.enter(settings)

    def leave(**_: Any) -> None:
        context.leave()

    def shutting_down(sig: str, **_: Any) -> None:
        asked.append(sig)

    def keep_logging(**_: Any) -> None:
        """Someone listens here, so Celery leaves the logging of this process alone."""

    signals.worker_process_init.connect(enter, weak=False)
    signals.worker_process_shutdown.connect(leave, weak=False)
    signals.worker_shutting_down.connect(shutting_down, weak=False)
    signals.setup_logging.connect(keep_logging, weak=False)
    add_step(app, "Heartbeat", lambda _consumer: beat)
    add_step(app, "Places", places.look_after)
    # Root is usual in a container, and only JSON is accepted here.
    warnings.filterwarnings("ignore", message="You're running the worker with superuser")
    _prepare()
    worker = app.Worker(
        pool_cls="prefork",
        concurrency=settings.worker_concurrency,
        queues=QUEUES,
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    return 0 if asked else int(worker.exitcode or 0)


def _prepare() -> None:
    """Make once, before the pool is forked, what else the first mail of each child waits for."""
    letters.prepare()
    board.prepare(SOURCE)
    lexicon(SOURCE, boards.load())
