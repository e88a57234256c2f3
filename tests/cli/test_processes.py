"""The commands as a person meets them: start-up, one clear line for what is wrong, exit codes."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import pbem
from pbem.cli.processes import COMMANDS
from pbem.embedded.privileges import RunAsError
from tests.embedded.conftest import ROOT


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    return {
        **ours,
        "PYTHONPATH": str(ROOT),
        "PBEM_DATA_DIR": str(tmp_path / "data"),
        "PBEM_SMTP_LISTEN": "127.0.0.1:0",
        "PBEM_HTTP_LISTEN": "127.0.0.1:0",
    }


def run(environment: dict[str, str], *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "pbem", *words],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_version_is_printed(environment: dict[str, str]) -> None:
    done = run(environment, "--version")
    assert done.returncode == 0
    assert done.stdout == f"pbem {pbem.__version__}\n"


def test_version_needs_nothing_heavy(environment: dict[str, str]) -> None:
    heavy = (
        "celery",
        "sqlalchemy",
        "pydantic_settings",
        "fastapi",
        "uvicorn",
        "aiosmtpd",
        "redis",
        "jinja2",
    )
    code = (
        "import sys, contextlib\n"
        "from pbem.cli import app\n"
        "with contextlib.suppress(SystemExit): app(['--version'])\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_unknown_command_is_wrong_usage(environment: dict[str, str]) -> None:
    assert run(environment, "conquer").returncode == 2


@pytest.mark.parametrize("role", ["serve", "front", "smtp", "web", "worker", "sweep", "migrate"])
def test_wrong_setting_ends_every_role_with_one_line(
    environment: dict[str, str], role: str
) -> None:
    done = run({**environment, "PBEM_SMTP_LISTEN": "everywhere"}, role)
    assert done.returncode == 2
    assert done.stderr.startswith("pbem: PBEM_SMTP_LISTEN is wrong ('everywhere'); allowed: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("role", ["worker", "sweep"])
def test_role_without_a_broker_says_so(environment: dict[str, str], role: str) -> None:
    done = run(environment, role)
    assert done.returncode == 2
    assert done.stderr.startswith("pbem: no broker: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("role", [role.__name__ for role in COMMANDS])
def test_every_role_becomes_who_it_is_told_to(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, role: str
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PBEM_RUN_AS", "no-such-user")
    command = next(each for each in COMMANDS if each.__name__ == role)
    with pytest.raises(RunAsError, match="there is no user or group no-such-user"):
        command()


def test_taken_port_ends_serve_with_one_line(environment: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        begun = time.monotonic()
        done = run({**environment, "PBEM_SMTP_LISTEN": address}, "serve")
    assert done.returncode == 2
    assert done.stderr.startswith(f"pbem: PBEM_SMTP_LISTEN: {address} is taken")
    assert done.stderr.count("\n") == 1
    assert time.monotonic() - begun < 10


def test_database_that_cannot_be_reached_ends_serve(environment: dict[str, str]) -> None:
    nowhere = "postgresql://nobody@127.0.0.1:1/none"
    done = run({**environment, "PBEM_DATABASE_URL": nowhere}, "serve")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("pbem: PBEM_DATABASE_URL: the database cannot be used")


def test_migration_makes_the_database(environment: dict[str, str]) -> None:
    for _ in range(2):
        done = run(environment, "migrate")
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
    assert (Path(environment["PBEM_DATA_DIR"]) / "pbem.sqlite3").exists()


def test_without_a_mailbox_there_is_nothing_to_fetch(environment: dict[str, str]) -> None:
    ended = run(environment, "imap")
    said = "pbem: PBEM_IMAP_URL is not set, so there is no mailbox to fetch from\n"
    assert (ended.returncode, ended.stderr) == (2, said)
