"""The worker's heartbeat: a step of Celery's consumer, so it beats only while that is connected."""

from collections.abc import Callable
from typing import Any

from celery import Celery, bootsteps

EVERY = 2.0  # seconds


def add_heartbeat(app: Celery, beat: Callable[[], None]) -> None:
    """Have each worker of the application call `beat` every two seconds while it consumes."""

    class Heartbeat(bootsteps.StartStopStep):
        requires = ("celery.worker.consumer.tasks:Tasks",)

        def __init__(self, consumer: Any, **options: Any) -> None:
            super().__init__(consumer, **options)
            self._timer: Any = None

        def start(self, consumer: Any) -> None:
            beat()
            self._timer = consumer.timer.call_repeatedly(EVERY, beat)

        def stop(self, consumer: Any) -> None:  # noqa: ARG002  (named by the base class)
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    app.steps["consumer"].add(Heartbeat)
