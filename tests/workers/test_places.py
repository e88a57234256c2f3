"""Places of messages whose acknowledgement was lost with the broker."""

from types import SimpleNamespace
from typing import Any

from kombu.transport import virtual

from workers.places import Places


def taken(*tags: str) -> virtual.QoS:
    """Two places, held by messages with these tags."""
    channel: Any = SimpleNamespace(do_restore=False)
    qos = virtual.QoS(channel, prefetch_count=2)
    for tag in tags:
        qos.append(SimpleNamespace(delivery_tag=tag), tag)
    return qos


def test_lost_places_are_free_at_the_second_look() -> None:
    qos, places = taken("one", "two"), Places()
    assert not qos.can_consume()
    assert places.free(qos, held=["two"]) == 0
    assert not qos.can_consume()
    assert places.free(qos, held=["two"]) == 1
    assert qos.can_consume()
    assert places.free(qos, held=["two"]) == 0


def test_a_message_that_is_being_handed_over_keeps_its_place() -> None:
    qos, places = taken("one", "two"), Places()
    assert places.free(qos, held=[]) == 0
    assert places.free(qos, held=["one", "two"]) == 0
    assert places.free(qos, held=["one", "two"]) == 0
    assert not qos.can_consume()


def test_an_acknowledged_message_is_not_freed_again() -> None:
    qos, places = taken("one"), Places()
    virtual.QoS.ack(qos, "one")
    assert [places.free(qos, held=[]) for _ in range(3)] == [0, 0, 0]
