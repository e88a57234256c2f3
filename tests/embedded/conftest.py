"""Real supervised services in data directories of their own, ended with each test."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.embedded import broker

ROOT = Path(__file__).parents[2]


def alive(pid: int) -> bool:
    """Whether a process is there and not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children_of(pid: int) -> dict[int, str]:
    """All processes below one, with their command lines."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(entry.parent.name)] = int(entry.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found: set[int] = {pid}
    while grown := {child for child, parent in parents.items() if parent in found} - found:
        found |= grown
    return {child: command_of(child) for child in found - {pid} if alive(child)}


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip()
    except OSError:
        return ""


def wait_for(holds: Callable[[], Any], seconds: float = 60.0) -> float:
    """Wait until something holds; the seconds that it took. Fails after `seconds`."""
    begun = time.monotonic()
    while not holds():
        if time.monotonic() - begun > seconds:
            pytest.fail(f"still not so after {seconds} s: {holds}")
        time.sleep(0.02)
    return time.monotonic() - begun


@dataclass
class Service:
    """A running supervisor, seen from outside."""

    process: "subprocess.Popen[str]"
    output: Path

    @property
    def pid(self) -> int:
        return self.process.pid

    def said(self) -> str:
        return self.output.read_text()

    def child(self, part: str) -> int:
        """The process below the supervisor whose command line holds `part`."""
        wait_for(lambda: any(part in line for line in children_of(self.pid).values()))
        return next(pid for pid, line in children_of(self.pid).items() if part in line)

    def wait_up(self) -> None:
        wait_for(lambda: "up " in self.said() or self.process.poll() is not None)
        assert self.process.poll() is None, self.said()


Start = Callable[..., Service]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Settings of a service on free ports in an empty directory. PATH has no server, so that the
    broker is the wheel's."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    return {
        **ours,
        "PATH": "/nowhere",
        "PYTHONPATH": str(ROOT),
        "PBEM_DATA_DIR": str(tmp_path / "data"),
        "PBEM_SMTP_LISTEN": "127.0.0.1:0",
        "PBEM_HTTP_LISTEN": "127.0.0.1:0",
    }


@pytest.fixture
def start(tmp_path: Path, environment: dict[str, str]) -> Iterator[Start]:
    """Starts `service.py` with a plan; whatever still runs at the end of the test is killed."""
    services: list[Service] = []

    def start(children: dict[str, list[str]], **plan: Any) -> Service:
        output = tmp_path / f"output-{len(services)}"
        told = json.dumps({"children": children, **plan})
        with output.open("w") as sink:
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.embedded.service", told],
                env=environment,
                cwd=ROOT,
                stdout=sink,
                stderr=sink,
                text=True,
            )
        services.append(Service(process, output))
        return services[-1]

    yield start
    for service in services:
        below = list(children_of(service.pid)) if service.process.poll() is None else []
        service.process.kill()
        service.process.wait()
        wait_for(partial(_all_gone, below))


def _all_gone(pids: list[int]) -> bool:
    return not any(map(alive, pids))


@pytest.fixture
def run_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The socket of a running server from the wheel."""
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    socket = tmp_path / "running.sock"
    store = tmp_path / "store"
    store.mkdir()
    server = subprocess.Popen(broker.server_command(broker.find_server(), socket, store))
    try:
        wait_for(lambda: broker.answers(broker.socket_url(socket)))
        yield socket
    finally:
        server.kill()
        server.wait()
