"""Steps of Celery's consumer that do something now and then while it is connected."""

from collections.abc import Callable
from typing import Any

from celery import Celery, bootsteps

EVERY = 2.0  # seconds

Act = Callable[[], object]


def add_step(app: Celery, name: str, begin: Callable[[Any], Act]) -> None:
    """Have each worker of the application do something every two seconds while it consumes.

    `begin` is given the consumer each time it has connected, and gives what is to be done. `name`
    tells the steps of an application apart.
    """

    def start(self: Any, consumer: Any) -> None:
        act = begin(consumer)
        act()
        self.timer = consumer.timer.call_repeatedly(EVERY, act)

    def stop(self: Any, _consumer: Any) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    body = {
        "requires": ("celery.worker.consumer.tasks:Tasks",),
        "timer": None,
        "start": start,
        "stop": stop,
    }
    app.steps["consumer"].add(type(name, (bootsteps.StartStopStep,), body))
