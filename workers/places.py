"""Frees the places that lost acknowledgements hold among the messages a worker may have taken.

A message whose acknowledgement fails with the broker keeps its place for ever. With all places
taken the worker reads no more from the broker, so it never notices that the connection is gone: it
would stand still until somebody restarts it. The message itself comes back by its visibility
timeout, and the sweep finds its row long before.
"""

from collections.abc import Collection
from typing import Any

from celery import Celery, bootsteps
from celery.worker import state
from kombu.transport import virtual

EVERY = 2.0  # seconds


class Places:
    """Looks twice, so that a message that is just being handed over is never taken for lost."""

    def __init__(self) -> None:
        self._suspected: frozenset[str] = frozenset()

    def free(self, qos: Any, held: Collection[str]) -> int:
        """Free the places of messages that no request holds, now and at the last look; how many.

        `qos` keeps the places of one channel, `held` are the delivery tags of all requests.
        """
        lost = frozenset(qos._delivered) - frozenset(qos._dirty) - frozenset(held)
        freed = lost & self._suspected
        for tag in freed:
            # The place alone: the broker's own bookkeeping is what could not be reached.
            virtual.QoS.ack(qos, tag)
        self._suspected = lost - freed
        return len(freed)


def add_places(app: Celery) -> None:
    """Have each worker of the application look after its places while it consumes."""

    class FreePlaces(bootsteps.StartStopStep):
        requires = ("celery.worker.consumer.tasks:Tasks",)

        def __init__(self, consumer: Any, **options: Any) -> None:
            super().__init__(consumer, **options)
            self._timer: Any = None

        def start(self, consumer: Any) -> None:
            places = Places()

            def look() -> None:
                held = [request.message.delivery_tag for request in set(state.reserved_requests)]
                places.free(consumer.task_consumer.channel.qos, held)

            self._timer = consumer.timer.call_repeatedly(EVERY, look)

        def stop(self, consumer: Any) -> None:  # noqa: ARG002  (named by the base class)
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    app.steps["consumer"].add(FreePlaces)
