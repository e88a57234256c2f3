"""Frees the places that lost acknowledgements hold among the messages a worker may have taken.

A message whose acknowledgement fails with the broker keeps its place for ever. With all places
taken the worker reads no more from the broker, so it never notices that the connection is gone: it
would stand still until somebody restarts it. The message itself comes back by its visibility
timeout, and the sweep finds its row long before.
"""

from collections.abc import Callable, Collection
from typing import Any

from celery.worker import state
from kombu.transport import virtual


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


def look_after(consumer: Any) -> Callable[[], None]:
    """What a step of the consumer does now and then: it frees lost places."""
    places = Places()

    def look() -> None:
        held = [request.message.delivery_tag for request in set(state.reserved_requests)]
        places.free(consumer.task_consumer.channel.qos, held)

    return look
