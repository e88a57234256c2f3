"""A real broker on a socket, and real worker processes on it."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.embedded import broker
from pbem.embedded.health import beats
from tests.embedded.conftest import ROOT, wait_for

RunWorker = Callable[[], "subprocess.Popen[bytes]"]


@pytest.fixture
def broker_url(tmp_path: Path) -> Iterator[str]:
    """The URL of a server of this test alone."""
    socket = tmp_path / "broker.sock"
    server = subprocess.Popen(broker.server_command(broker.find_server(), socket, tmp_path))
    url = broker.socket_url(socket)
    try:
        wait_for(lambda: broker.answers(url))
        yield url
    finally:
        server.kill()
        server.wait()


@pytest.fixture
def run_worker(broker_url: str, tmp_path: Path) -> Iterator[RunWorker]:
    """Starts worker processes with the tasks of `notes.py`; they are killed with the test."""
    workers: list[subprocess.Popen[bytes]] = []
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PBEM_DATA_DIR": str(tmp_path / "data"),
        "PBEM_BROKER_URL": broker_url,
        "PBEM_DOMAIN": "noted.example",
    }

    def run() -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "tests.workers.program"]
        workers.append(subprocess.Popen(command, env=environment, cwd=ROOT))
        wait_for(lambda: beats(broker_url, "worker"))
        return workers[-1]

    yield run
    for worker in workers:
        worker.kill()
        worker.wait()
