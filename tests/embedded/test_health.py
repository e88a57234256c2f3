"""Heartbeats, and what is missing for a service to be ready."""

import socket as sockets
from pathlib import Path

from pbem.embedded import broker
from pbem.embedded.health import Check, accepts, beat, beats, service_checks
from pbem.settings import Listen
from tests.embedded.conftest import wait_for


def test_heartbeat_is_seen_and_ends(run_server: Path) -> None:
    url = broker.socket_url(run_server)
    assert not beats(url, "worker")
    beat(url, "worker")
    assert beats(url, "worker")
    assert not beats(url, "sweep")
    with broker.connect(url) as client:
        assert 2_000 < client.pttl("pbem:alive:worker") <= 8_000
        client.pexpire("pbem:alive:worker", 1)
    wait_for(lambda: not beats(url, "worker"), 1)


def test_slow_role_has_a_longer_heartbeat(run_server: Path) -> None:
    url = broker.socket_url(run_server)
    beat(url, "sweep", every=60)
    with broker.connect(url) as client:
        assert client.pttl("pbem:alive:sweep") > 120_000


def test_heart_without_a_broker_beats_for_nobody(tmp_path: Path) -> None:
    url = broker.socket_url(tmp_path / "nowhere.sock")
    beat(url, "worker")
    assert not beats(url, "worker")


def unready(checks: dict[str, Check]) -> list[str]:
    return [reason for reason, passes in checks.items() if not passes()]


def test_unready_service_gives_each_reason(run_server: Path) -> None:
    nowhere = service_checks(None, lambda: False, lambda: False)
    assert unready(nowhere) == [
        "SMTP does not accept",
        "the database is not migrated",
        "the broker does not answer",
        "no worker is up",
        "no sweep is up",
    ]
    url = broker.socket_url(run_server)
    checks = service_checks(url, None, lambda: True)
    assert unready(checks) == ["SMTP does not accept", "no worker is up", "no sweep is up"]
    for role in ("smtp", "worker", "sweep"):
        beat(url, role)
    assert unready(checks) == []


def test_open_address_is_asked_on_loopback() -> None:
    with sockets.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert accepts(Listen("0.0.0.0", port))
    assert not accepts(Listen("127.0.0.1", port))
