"""`pbem serve` as a whole, seen from outside: ports, processes, signals."""

import json
import os
import signal
import smtplib
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.embedded.conftest import ROOT, alive, children_of, command_of, wait_for

pytestmark = pytest.mark.slow
START = 90  # seconds; a start takes two, but not on a machine that runs ten of them


class Serve:
    """One `pbem serve` on free ports."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        self.output = folder / "output"
        ours = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
        environment = {
            **ours,
            "PYTHONPATH": str(ROOT),
            "PBEM_DATA_DIR": str(self.data),
            "PBEM_SMTP_LISTEN": "127.0.0.1:0",
            "PBEM_HTTP_LISTEN": "127.0.0.1:0",
        }
        with self.output.open("a") as sink:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "pbem", "serve"],
                env=environment,
                cwd=folder if _is_installed() else ROOT,
                stdout=sink,
                stderr=sink,
            )
        wait_for(lambda: "Mail: " in self.said() or self.process.poll() is not None, START)
        assert self.process.poll() is None, self.said()
        self.at = json.loads((self.data / "run" / "serve.json").read_text())

    def said(self) -> str:
        return self.output.read_text()

    def ready(self) -> tuple[int, dict[str, Any]]:
        try:
            with urllib.request.urlopen(f"{self.at['url']}/readyz", timeout=10) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def wait_ready(self) -> None:
        wait_for(lambda: self.ready()[0] == 200, START)

    def child(self, part: str) -> int:
        below = children_of(self.process.pid)
        own = {pid for pid, line in below.items() if part in line}
        return min(own)


def _is_installed() -> bool:
    return (Path(sys.executable).parent / "pbem").exists()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[], Serve]]:
    running: list[Serve] = []

    def start() -> Serve:
        running.append(Serve(tmp_path))
        return running[-1]

    yield start
    for one in running:
        one.process.kill()
        one.process.wait()


def test_one_command_runs_everything_and_a_signal_ends_it(serve: Callable[[], Serve]) -> None:
    house = serve()
    house.wait_ready()
    below = children_of(house.process.pid)
    for role in ("pbem worker", "pbem sweep", "pbem front"):
        assert any(role in line for line in below.values()), below
    assert any("valkey-server" in line or "redis-server" in line for line in below.values())

    with sqlite3.connect(house.data / "pbem.sqlite3") as database:
        assert database.execute("SELECT count(*) FROM game").fetchone() == (0,)
    database.close()

    host, _, port = house.at["smtp"].rpartition(":")
    with smtplib.SMTP(host, int(port), timeout=10) as client:
        client.ehlo("robot.example")
        client.mail("a@x.example")
        code, reply = client.rcpt("nobody@pbem.localhost")
    assert code == 550
    assert b"answer the newest letter" in reply

    assert "/mailbox?key=" in house.said()
    house.process.terminate()
    assert house.process.wait(timeout=20) == 0
    assert not any(map(alive, below))
    assert "Traceback" not in house.said()


def test_killed_roles_come_back_and_readiness_tells(serve: Callable[[], Serve]) -> None:
    house = serve()
    house.wait_ready()
    for role in ("pbem worker", "pbem sweep", "pbem front"):
        killed = house.child(role)
        os.kill(killed, signal.SIGKILL)
        wait_for(lambda killed=killed: not alive(killed))  # type: ignore[misc]
        wait_for(lambda role=role: role in str(children_of(house.process.pid).values()), 5)  # type: ignore[misc]
    house.child("pbem front")
    wait_for(lambda: _answers(house), START)
    house.wait_ready()


def _answers(house: Serve) -> bool:
    try:
        return house.ready()[0] in (200, 503)
    except OSError:
        return False


def test_nothing_outlives_a_killed_serve_and_the_next_one_starts(
    serve: Callable[[], Serve],
) -> None:
    house = serve()
    house.wait_ready()
    below = children_of(house.process.pid)
    assert len(below) >= 6, below
    os.kill(house.process.pid, signal.SIGKILL)
    house.process.wait()
    assert wait_for(lambda: not any(map(alive, below)), 5) < 5
    house.output.unlink()

    again = serve()
    again.wait_ready()
    assert "pbem worker" in command_of(again.child("pbem worker"))
