"""Finding a server, where its socket is, and what is left of an old one."""

import os
import shutil
import stat
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.embedded import broker
from pbem.settings import Settings
from tests.embedded.conftest import wait_for


def executable(path: Path) -> Path:
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "run").mkdir()
    return Settings(data_dir=tmp_path, broker_url=None)


def test_server_on_path_comes_before_the_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "_binaries" in str(broker.find_server())
    redis = executable(tmp_path / "redis-server")
    assert broker.find_server() == redis
    valkey = executable(tmp_path / "valkey-server")
    assert broker.find_server() == valkey


def test_no_server_anywhere_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(broker, "find_spec", lambda _name: None)
    with pytest.raises(broker.NoBrokerError, match="PBEM_BROKER_URL") as caught:
        broker.find_server()
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)


def test_socket_is_in_the_data_directory(tmp_path: Path) -> None:
    assert broker.socket_path(tmp_path) == tmp_path / "valkey.sock"


@pytest.fixture
def deep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose sockets would have too long a path; the runtime directory is short."""
    runtime = Path("/tmp") / f"pbem-test-{os.getpid()}"
    runtime.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    folder = tmp_path / ("deep" * 25)
    folder.mkdir()
    yield folder
    shutil.rmtree(runtime)


def test_too_long_a_path_is_replaced_by_a_private_folder(deep: Path) -> None:
    socket = broker.socket_path(deep)
    assert len(os.fsencode(socket)) <= broker.LONGEST_SOCKET_PATH
    assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
    assert broker.socket_path(deep) == socket, "the name is kept"


@pytest.mark.parametrize("harm", ["gone", "opened", "linked"])
def test_private_folder_that_is_not_private_is_left(deep: Path, harm: str) -> None:
    first = broker.socket_path(deep).parent
    if harm == "opened":
        first.chmod(0o755)
    else:
        first.rmdir()
    if harm == "linked":
        first.symlink_to(deep)
    assert broker.socket_path(deep).parent != first


def test_server_on_a_long_path_works(deep: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    socket = broker.socket_path(deep)
    server = subprocess.Popen(broker.server_command(broker.find_server(), socket, deep))
    try:
        wait_for(lambda: broker.answers(broker.socket_url(socket)))
    finally:
        server.kill()
        server.wait()


def test_server_listens_on_a_closed_socket_only(run_server: Path) -> None:
    assert stat.S_IMODE(run_server.stat().st_mode) == 0o700
    with broker.connect(broker.socket_url(run_server)) as client:
        assert client.config_get("port")["port"] == "0"
        assert client.config_get("appendonly")["appendonly"] == "yes"
        assert client.config_get("maxmemory-policy")["maxmemory-policy"] == "noeviction"


def test_socket_of_a_dead_server_is_removed(tmp_path: Path) -> None:
    import socket as sockets

    path = tmp_path / "stale.sock"
    with sockets.socket(sockets.AF_UNIX) as dead:
        dead.bind(str(path))
    begun = time.monotonic()
    broker.clear_socket(path)
    assert not path.exists()
    assert time.monotonic() - begun < 1


def test_socket_of_a_living_server_is_left(run_server: Path) -> None:
    with pytest.raises(broker.ForeignBrokerError, match="another server answers"):
        broker.clear_socket(run_server, patience=0.3)
    assert broker.answers(broker.socket_url(run_server))


def test_set_broker_comes_first(settings: Settings) -> None:
    told = settings.model_copy(update={"broker_url": "redis://somewhere/0"})
    assert broker.running_broker(told) == "redis://somewhere/0"
    assert broker.running_broker(settings) is None


def test_process_without_a_broker_says_so(settings: Settings) -> None:
    with pytest.raises(broker.NoBrokerError, match="no pbem serve runs on"):
        broker.required_broker(settings)


def test_broker_of_a_running_service_is_found(settings: Settings, run_server: Path) -> None:
    settings.run_dir.joinpath("valkey.sock").symlink_to(run_server)
    assert broker.required_broker(settings).endswith("/run/valkey.sock")


def test_a_broker_that_is_away_is_named_in_one_line_without_its_password(
    caplog: pytest.LogCaptureFixture,
) -> None:
    broker.warn_if_away("redis://user:secret-word@127.0.0.1:1/0")
    (line,) = caplog.messages
    assert line == ("PBEM_BROKER_URL: the broker at 127.0.0.1:1 does not answer; it is waited for")


def test_nothing_is_said_of_a_broker_that_answers(
    caplog: pytest.LogCaptureFixture, redis_url: str
) -> None:
    broker.warn_if_away(redis_url)
    assert not caplog.messages
