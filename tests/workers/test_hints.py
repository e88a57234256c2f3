"""Hints: quick when there is a broker, quick and silent when there is none."""

import logging
import socket
import threading
import time
from pathlib import Path

import pytest

from pbem.embedded import broker
from pbem.store import groups
from workers.hints import BackgroundHints, hints

SOON = 20
"""Seconds, on a machine that is busy: without its limits a hint would try for ever."""


def test_hint_waits_in_its_queue(broker_url: str) -> None:
    hint = hints(broker_url)
    hint("orders.apply", "g7")
    hint("mail.compose_and_send", 12)
    with broker.connect(broker_url) as client:
        assert client.llen("orders") == 1
        assert client.llen("mail") == 1


def test_hint_without_a_broker_is_lost_in_silence() -> None:
    hints(None)("orders.apply", "g7")


def test_dead_broker_costs_no_time(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    hint = hints(broker.socket_url(tmp_path / "nowhere.sock"))
    begun = time.monotonic()
    with caplog.at_level(logging.WARNING):
        hint("orders.apply", "g7")
    assert time.monotonic() - begun < SOON
    assert "no hint for orders.apply" in caplog.text


def test_silent_broker_is_not_waited_for() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        hint = hints(f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        begun = time.monotonic()
        hint("orders.apply", "g7")
    assert time.monotonic() - begun < SOON


def test_broker_that_returns_is_used_again(broker_url: str) -> None:
    hint = hints(broker_url)
    hint("orders.apply", "g7")
    with broker.connect(broker_url) as client:
        client.client_kill_filter(_type="normal", skipme=True)
        hint("orders.apply", "g8")
        hint("orders.apply", "g9")
        assert client.llen("orders") >= 2, "at most the hint that met the cut connection is lost"


def test_hints_in_the_background_arrive_in_order_before_the_close_returns() -> None:
    published: list[tuple[object, ...]] = []
    hint = BackgroundHints(lambda *told: published.append(told))
    for number in range(100):
        hint("orders.apply", number)
    hint.close()
    assert published == [("orders.apply", number) for number in range(100)]


def test_hints_of_a_crowd_go_round_by_round_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    published: list[object] = []
    first, rested = threading.Event(), threading.Event()

    def publish(_name: str, number: int) -> None:
        published.append(number)
        first.set()

    monkeypatch.setattr(groups, "sleep", lambda _seconds: rested.wait(60))
    monkeypatch.setattr(BackgroundHints, "BREATH", 3600.0)
    hint = BackgroundHints(publish)
    hint("orders.apply", 1)
    assert first.wait(60), "what comes alone waits for nothing"
    for number in (2, 1, 2, 3, 1):
        hint("orders.apply", number)
    assert published == [1]
    rested.set()
    hint.close()
    assert published == [1, 2, 1, 3]


def test_hints_that_a_slow_broker_cannot_take_are_dropped(
    caplog: pytest.LogCaptureFixture,
) -> None:
    gate, taken = threading.Event(), threading.Event()
    calls: list[object] = []

    def slow(*told: object) -> None:
        calls.append(told)
        taken.set()
        gate.wait(60)

    hint = BackgroundHints(slow)
    hint("orders.apply", 0)
    assert taken.wait(60)
    for number in range(1, BackgroundHints.MOST_WAITING + 2):
        hint("orders.apply", number)
    assert calls == [("orders.apply", 0)], "nobody waited for the broker"
    assert "too many wait" in caplog.text
    gate.set()
    hint.close()
