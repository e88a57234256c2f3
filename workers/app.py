"""The Celery application. Celery is a doorbell here: tasks carry row ids, the database the truth.

Every setting was measured against killed workers and brokers. Nobody complains about a misspelt
transport option, it is silently ignored: a test proves that each one is read.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from celery import Celery
from kombu import Queue

QUEUES = ("orders", "mail", "clock", "maintenance")
"""Taken from in turn: whatever waits in `clock`, where thousands of deadlines may fall due in one
minute, an order mail waits for a few tasks at most."""

TASKS = ("workers.tasks",)
TIDY = "maintenance.tidy"

TRANSPORT_OPTIONS: Mapping[str, Any] = {
    # What a worker took and never acknowledged goes back after this many seconds at the latest ...
    "visibility_timeout": 900,
    # ... looked for every 2 s, each time for real, under a lock that does not outlive its owner
    # for long: tasks of a killed worker are back in 11 s, with the defaults in more than 40.
    "unacked_restore_interval": 2,
    "unacked_restore_throttle": 1,
    "unacked_mutex_expire": 10,
    # A broker that is gone without a word is noticed.
    "socket_timeout": 15,
    "socket_connect_timeout": 2,
    "socket_keepalive": True,
    "health_check_interval": 10,
}


def make_app(
    broker_url: str,
    tasks: Sequence[str] = TASKS,
    transport_options: Mapping[str, Any] = TRANSPORT_OPTIONS,
) -> Celery:
    """The application for one broker; `tasks` are the modules that a worker imports.

    A task's queue is the first part of its name: `orders.apply` waits in `orders`.
    """
    app = Celery("pbem", broker=broker_url, set_as_current=False)
    app.conf.update(
        imports=tuple(tasks),
        # A task is done when it is done, not when it is taken; one that kills its worker comes
        # back, and the attempt count in the database ends that.
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_cancel_long_running_tasks_on_connection_loss=True,
        worker_soft_shutdown_timeout=5.0,
        task_time_limit=600,  # less than the visibility timeout: nothing runs twice at once
        # No results: the outcome is in the database.
        result_backend=None,
        task_ignore_result=True,
        task_serializer="json",
        accept_content=["json"],
        task_queues=[Queue(name) for name in QUEUES],
        task_default_queue="maintenance",
        task_create_missing_queues=False,
        task_routes={f"{name}.*": {"queue": name} for name in QUEUES},
        # Nothing reads events or sends commands, and each costs connections.
        worker_send_task_events=False,
        worker_enable_remote_control=False,
        worker_hijack_root_logger=False,
        worker_redirect_stdouts=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_connection_timeout=2.0,
        broker_transport_options=dict(transport_options),
        timezone="UTC",
    )
    return app
