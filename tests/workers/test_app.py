"""The settings of the Celery application: that each name is one that somebody reads."""

from typing import Any

import pytest
from celery.app.defaults import NAMESPACES, flatten
from kombu import Connection, Queue
from kombu.asynchronous import Hub

from workers.app import QUEUES, TRANSPORT_OPTIONS, make_app
from workers.hints import HINT_OPTIONS


class Watched(dict[str, Any]):
    """Options that note which of them were asked for, by whatever way."""

    def __init__(self, options: Any) -> None:
        super().__init__(options)
        self.read: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self.read.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.read.add(key)
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self.read.add(str(key))
        return super().__contains__(key)


def names_read(broker_url: str, options: Any) -> set[str]:
    """The options that kombu asks for when a worker connects and starts to consume."""
    watched = Watched(options)
    with Connection(broker_url, transport_options=watched) as connection:
        assert connection.transport_options is watched
        assert connection.default_channel
        hub = Hub()
        connection.register_with_event_loop(hub)
        hub.close()
    return watched.read


@pytest.mark.parametrize("options", [TRANSPORT_OPTIONS, HINT_OPTIONS], ids=["worker", "hints"])
def test_each_transport_option_is_read(broker_url: str, options: dict[str, Any]) -> None:
    assert set(options) - names_read(broker_url, options) == set()


def test_misspelt_transport_option_would_be_noticed(broker_url: str) -> None:
    misspelt = {**TRANSPORT_OPTIONS, "visibilty_timeout": 900}
    assert set(misspelt) - names_read(broker_url, misspelt) == {"visibilty_timeout"}


def test_each_setting_is_one_of_celery() -> None:
    known = set(dict(flatten(NAMESPACES)))
    changes = make_app("memory://").conf.changes or {}
    ours = set(changes) - {"deprecated_settings"}  # Celery's own note
    assert len(ours) > 10
    assert ours - known == set()


def test_measured_settings_stand() -> None:
    conf = make_app("memory://").conf
    assert conf.task_acks_late
    assert conf.task_reject_on_worker_lost
    assert conf.worker_prefetch_multiplier == 1
    assert conf["result_backend"] is None
    assert conf.accept_content == ["json"]
    assert conf.worker_cancel_long_running_tasks_on_connection_loss
    assert 0 < conf.worker_soft_shutdown_timeout < 13
    assert conf.task_time_limit < TRANSPORT_OPTIONS["visibility_timeout"]
    options = conf.broker_transport_options
    assert options["visibility_timeout"] == 900
    assert options["unacked_restore_interval"] == 2
    assert options["unacked_restore_throttle"] == 1
    assert options["unacked_mutex_expire"] == 10


@pytest.mark.parametrize("name", ["orders.apply", "mail.compose_and_send", "maintenance.sweep"])
def test_first_part_of_the_name_is_the_queue(name: str) -> None:
    app = make_app("memory://")
    route = app.amqp.router.route({}, name)
    assert isinstance(route["queue"], Queue)
    assert route["queue"].name == name.split(".", maxsplit=1)[0]
    assert route["queue"].name in QUEUES
