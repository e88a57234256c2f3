"""The processes of a house: what they are called, and what becomes of them."""

import os
import signal
import time

import pytest

from tests.embedded.conftest import alive, command_of, wait_for
from tests.fault.conftest import Opened
from tests.journey.house import House

pytestmark = pytest.mark.slow
ROLES = ("pbem worker", "pbem sweep", "pbem front")


def broker_of(house: House) -> int:
    return next(p for p, line in house.tree().items() if "valkey-server" in line or "redis" in line)


def test_dead_children_return_and_the_end_is_quick(open_house: Opened) -> None:
    house = open_house()
    for role in ROLES:
        killed = house.child(role)
        os.kill(killed, signal.SIGKILL)
        begun = time.monotonic()
        wait_for(lambda killed=killed: not alive(killed))  # type: ignore[misc]
        wait_for(lambda role=role: any(role in line for line in house.tree().values()))  # type: ignore[misc]
        assert time.monotonic() - begun < 5, role
    killed = broker_of(house)
    os.kill(killed, signal.SIGKILL)
    wait_for(lambda: not alive(killed))
    wait_for(lambda: any("-server" in line for line in house.tree().values()), 5)
    house.wait_ready()
    assert house.get("/healthz")[0] == 200

    below = house.tree()
    assert house.stop() < 20
    assert not any(map(alive, below))


def test_readiness_fails_with_a_reason_while_the_worker_is_away(open_house: Opened) -> None:
    house = open_house()
    worker = house.child("pbem worker")
    os.kill(worker, signal.SIGSTOP)
    try:
        wait_for(lambda: house.get("/readyz")[0] == 503, 30)
        assert "worker" in house.get("/readyz")[1]
        assert house.get("/healthz")[0] == 200
    finally:
        os.kill(worker, signal.SIGCONT)
    house.wait_ready()


def test_nothing_outlives_a_killed_supervisor(open_house: Opened) -> None:
    house = open_house()
    assert house.process is not None
    below = house.tree()
    assert len(below) >= 6, below
    os.kill(house.process.pid, signal.SIGKILL)
    house.process.wait()
    assert wait_for(lambda: not any(map(alive, below)), 5) <= 5
    house.start()
    assert "pbem worker" in command_of(house.child("pbem worker"))
