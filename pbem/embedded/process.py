"""One process under the supervisor: how it starts, dies with its parent, and owns its folder."""

import ctypes
import fcntl
import os
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pbem.embedded.privileges import Identity
from pbem.settings import StartError

_PR_SET_PDEATHSIG = 1
_ON_LINUX = sys.platform == "linux"


class DirectoryInUseError(StartError):
    """Another `pbem serve` holds the data directory."""


@contextmanager
def locked(path: Path, data_dir: Path) -> Iterator[None]:
    """Hold the exclusive lock of the data directory. Raises DirectoryInUseError.

    The kernel drops the lock with the process, however that ends; the descriptor is closed in
    every child, so that no orphan keeps it.
    """
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            owner = file.read().strip() or "unknown"
            raise DirectoryInUseError(
                f"{data_dir} is in use by another pbem serve (process {owner})"
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def command_line(role: str) -> list[str]:
    """The command of one role, as `ps` then shows it: `.../python .../pbem worker`."""
    script = Path(sysconfig.get_path("scripts")) / "pbem"
    program = [str(script)] if script.exists() else ["-m", "pbem"]
    return [sys.executable, *program, role]


def spawn(
    command: Sequence[str],
    environment: Mapping[str, str],
    group: int,
    run_as: Identity | None = None,
) -> "subprocess.Popen[bytes]":
    """Start a child that is killed when this process dies. `group` is the process group to join,
    0 for a new one: a Ctrl-C in the terminal is the supervisor's, which then ends its children in
    order. `run_as` is who the child is, if not the one that we are."""
    who: dict[str, Any] = {}
    if run_as is not None:
        who = {"user": run_as.user, "group": run_as.group, "extra_groups": run_as.groups}
    return subprocess.Popen(
        command,
        **who,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,  # what they have to say, they say on stderr
        process_group=group,
        preexec_fn=_bound_to_parent(os.getpid()),  # noqa: PLW1509  (the supervisor has no threads)
    )


def _bound_to_parent(parent: int) -> Callable[[], None]:
    """What the child does before exec. The library is loaded here, not between fork and exec."""
    if not _ON_LINUX:
        return lambda: None
    libc = ctypes.CDLL(None, use_errno=True)

    def bind() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it died before the call
            os._exit(1)

    return bind


def die_with_parent() -> None:
    """Bind a process that was forked without exec, such as a pool's child, to its parent."""
    parent = os.getppid()
    if _ON_LINUX:
        _bound_to_parent(parent)()
    else:
        _watch_parent(parent, lambda: os._exit(1))


def die_with_supervisor(supervisor: int) -> None:
    """Where there is no parent-death signal, watch the supervisor (its process id) instead, and
    take the whole group along: the broker, which cannot watch for itself, is in it."""
    if not _ON_LINUX:
        _watch_parent(supervisor, lambda: os.killpg(0, signal.SIGKILL))


def _watch_parent(parent: int, end: Callable[[], None]) -> None:
    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        end()

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()
