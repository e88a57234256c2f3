"""`pbem serve` as a whole, seen from outside: ports, processes, signals."""

import json
import os
import pwd
import signal
import smtplib
import socket
import sqlite3
import subprocess
import sys
import sysconfig
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.embedded.conftest import ROOT, alive, children_of, command_of, wait_for

pytestmark = pytest.mark.slow
START = 90  # seconds; a start takes two, but not on a machine that runs ten of them


class Serve:
    """One `pbem serve` on free ports, run by an interpreter with some settings of its own."""

    def __init__(self, folder: Path, program: str = sys.executable, **settings: str) -> None:
        self.data = folder / "data"
        self.output = folder / "output"
        ours = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
        environment = {
            **ours,
            "PYTHONPATH": str(ROOT),
            "PBEM_DATA_DIR": str(self.data),
            "PBEM_SMTP_LISTEN": "127.0.0.1:0",
            "PBEM_HTTP_LISTEN": "127.0.0.1:0",
            **settings,
        }
        with self.output.open("a") as sink:
            self.process = subprocess.Popen(
                [program, "-m", "pbem", "serve"],
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


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may have the ports below 1024")
def test_root_has_the_low_port_and_nobody_does_the_work() -> None:
    nobody = pwd.getpwnam("nobody")
    with tempfile.TemporaryDirectory() as folder:  # pytest's own folders are closed to others
        Path(folder).chmod(0o755)
        house = Serve(
            Path(folder),
            _program_for(nobody),
            PBEM_RUN_AS="nobody",
            PBEM_SMTP_LISTEN=f"127.0.0.1:{_low_port()}",
            PYTHONPATH=os.pathsep.join((str(ROOT), sysconfig.get_path("purelib"))),
        )
        try:
            house.wait_ready()
            below = children_of(house.process.pid)
            assert len(below) >= 4, below
            owners = {Path(f"/proc/{pid}").stat().st_uid for pid in below}
            assert owners == {nobody.pw_uid}
            host, _, port = house.at["smtp"].rpartition(":")
            with smtplib.SMTP(host, int(port), timeout=10) as client:
                client.sendmail("a@x.example", "postmaster@pbem.localhost", "Subject: x\r\n\r\nx")
            with closing(sqlite3.connect(house.data / "pbem.sqlite3")) as database:
                assert database.execute("SELECT count(*) FROM inbox").fetchone() == (1,)
            files = {path.lstat().st_uid for path in (house.data, *house.data.rglob("*"))}
            assert files == {nobody.pw_uid}
            house.process.terminate()
            assert house.process.wait(timeout=20) == 0
        finally:
            house.process.kill()
            house.process.wait()
        assert "Traceback" not in house.said()


def _low_port() -> int:
    for port in range(600, 1024):
        with socket.socket() as tried, suppress(OSError):
            tried.bind(("127.0.0.1", port))
            return port
    pytest.fail("no port below 1024 is free")


def _program_for(user: pwd.struct_passwd) -> str:
    """An interpreter that the user may run: that of the tests may be in root's home."""
    for program in (sys.executable, "/usr/bin/python3"):
        asked = [program, "-c", "import sys; print(sys.version_info[:2])"]
        with suppress(OSError):
            told = subprocess.run(
                asked, user=user.pw_uid, capture_output=True, text=True, check=False
            )
            if told.stdout.strip() == str(sys.version_info[:2]):
                return program
    pytest.skip("no interpreter of this version that another user may run")


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
