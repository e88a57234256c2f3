"""Real supervised processes: who starts, who is started again, and that nobody is left over."""

import json
import os
import signal
import socket
import sys
import time
from pathlib import Path

import pytest

from pbem.embedded.supervisor import PATIENCE
from tests.embedded.conftest import Start, alive, children_of, command_of, wait_for

SLEEPER = ["/bin/sleep", "600"]
DEAF = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)",
]
WORKER = [sys.executable, "-m", "tests.workers.program"]


def test_killed_child_is_back_within_five_seconds(start: Start) -> None:
    service = start({"one": SLEEPER, "two": ["/bin/sleep", "601"]})
    service.wait_up()
    first, other = service.child("sleep 600"), service.child("sleep 601")
    time.sleep(0.3)
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: not alive(first))
    assert wait_for(lambda: service.child("sleep 600") != first) < 5
    assert alive(other)
    assert "one ended (exit code -9) and is started again" in service.said()


def test_child_that_always_dies_ends_the_service_with_one_line(start: Start) -> None:
    service = start({"steady": SLEEPER, "broken": ["/bin/false"]})
    steady = service.child("sleep 600")
    assert service.process.wait(timeout=60) == 1
    last = service.said().splitlines()[-1]
    assert last.startswith("gave up: broken ended 10 times in a row")
    assert service.said().count("is started again") == 9
    assert not alive(steady)


def test_child_that_is_not_there_ends_the_service(start: Start) -> None:
    service = start({"missing": ["/nowhere/to-be-found"]})
    assert service.process.wait(timeout=20) == 1
    assert service.said().startswith("missing cannot be started")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signal_ends_everything(start: Start, number: signal.Signals) -> None:
    service = start({"one": SLEEPER}, broker=True)
    service.wait_up()
    below = children_of(service.pid)
    assert len(below) == 2
    service.process.send_signal(number)
    assert service.process.wait(timeout=5) == 0
    assert not any(map(alive, below))


def test_deaf_child_is_forced_to_end(start: Start) -> None:
    service = start({"deaf": DEAF}, patience=[1.0, 1.0])
    service.wait_up()
    deaf = service.child("SIG_IGN")
    time.sleep(0.5)  # until it has closed its ears
    service.process.terminate()
    assert service.process.wait(timeout=5) == 0
    assert not alive(deaf)


def test_default_patience_stays_under_the_promise() -> None:
    assert PATIENCE.others + PATIENCE.last < 19


def test_broker_ends_after_those_who_need_it(start: Start) -> None:
    service = start({"deaf": DEAF}, broker=True, patience=[2.0, 2.0])
    service.wait_up()
    broker, deaf = service.child("valkey-server"), service.child("SIG_IGN")
    time.sleep(0.5)
    service.process.terminate()
    time.sleep(1.0)
    assert alive(deaf)
    assert alive(broker)
    assert service.process.wait(timeout=10) == 0
    assert not alive(broker)


def test_nothing_outlives_a_killed_supervisor_and_the_next_start_works(start: Start) -> None:
    service = start({"worker": WORKER, "deaf": DEAF}, broker=True)
    service.wait_up()
    pool = service.child("tests.workers.program")
    wait_for(lambda: len(children_of(pool)) >= 2)
    below = children_of(service.pid)
    assert len(below) >= 5, below
    os.kill(service.pid, signal.SIGKILL)
    service.process.wait()
    assert wait_for(lambda: not any(map(alive, below)), 5) < 5

    again = start({"one": SLEEPER}, broker=True)
    again.wait_up()
    assert "valkey-server" in command_of(again.child("valkey-server"))


def test_nothing_outlives_a_killed_worker(start: Start) -> None:
    service = start({"worker": WORKER}, broker=True)
    service.wait_up()
    worker = service.child("tests.workers.program")
    wait_for(lambda: len(children_of(worker)) >= 2)
    time.sleep(0.5)  # until each child of the pool has bound itself
    pool = children_of(worker)
    os.kill(worker, signal.SIGKILL)
    assert wait_for(lambda: not any(map(alive, pool)), 5) < 5


def test_second_service_on_one_directory_is_refused(start: Start) -> None:
    first = start({"one": SLEEPER})
    first.wait_up()
    second = start({"one": SLEEPER})
    assert second.process.wait(timeout=20) == 2
    line = second.said().strip()
    assert line.endswith(f"is in use by another pbem serve (process {first.pid})")
    assert "\n" not in line
    assert first.process.poll() is None


@pytest.mark.parametrize("name", ["PBEM_SMTP_LISTEN", "PBEM_HTTP_LISTEN", "PBEM_LMTP_LISTEN"])
def test_taken_port_is_one_line_before_anything_starts(
    start: Start, environment: dict[str, str], name: str, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        environment[name] = f"127.0.0.1:{taken.getsockname()[1]}"
        mark = tmp_path / "started"
        service = start({"one": ["/usr/bin/touch", str(mark)]})
        assert service.process.wait(timeout=20) == 2
    line = service.said().strip()
    assert line.startswith(f"{name}: {environment[name]} is taken by another program")
    assert "\n" not in line
    assert not mark.exists()


def test_free_ports_are_told_and_noted(start: Start, environment: dict[str, str]) -> None:
    service = start({"one": ["/bin/sh", "-c", "echo $PBEM_PUBLIC_URL >&2; exec sleep 600"]})
    service.wait_up()
    noted = json.loads((Path(environment["PBEM_DATA_DIR"]) / "run" / "serve.json").read_text())
    assert f"up {noted['smtp']} {noted['http']}" in service.said()
    assert not noted["smtp"].endswith(":0")
    assert noted["url"] == f"http://{noted['http']}"
    assert noted["pid"] == service.pid
    wait_for(lambda: f"http://{noted['http']}" in service.said())


def test_failed_preparation_starts_nothing(start: Start) -> None:
    service = start({"one": SLEEPER}, before=[["/bin/sh", "-c", "exit 3"]])
    assert service.process.wait(timeout=20) == 1
    assert "failed (exit code 3)" in service.said()


def test_a_command_before_them_that_says_why_it_failed_says_it_alone(start: Start) -> None:
    failing = "echo the reason >&2; exit 1"
    service = start({"one": SLEEPER}, before=[["/bin/sh", "-c", failing]])
    assert service.process.wait(timeout=20) == 1
    assert service.said().strip().splitlines() == ["the reason"]


def test_killed_broker_comes_back_with_what_it_held(
    start: Start, environment: dict[str, str]
) -> None:
    from pbem.embedded import broker

    service = start({"one": SLEEPER}, broker=True)
    service.wait_up()
    url = broker.socket_url(Path(environment["PBEM_DATA_DIR"]) / "run" / "valkey.sock")
    with broker.connect(url) as client:
        client.set("kept", "yes")
    time.sleep(1.5)  # the append-only file is written to disk every second
    killed = service.child("valkey-server")
    os.kill(killed, signal.SIGKILL)
    wait_for(lambda: not alive(killed))
    assert wait_for(lambda: broker.answers(url)) < 5
    with broker.connect(url) as client:
        assert client.get("kept") == b"yes"
