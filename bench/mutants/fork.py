"""Work in a fork of this process, which can do no harm to it: it may break, or never end."""

import os
import resource
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from math import ceil

ROOM = 3 * 2**30
"""Bytes of memory that a fork may ask for: a mutant that counts for ever takes all there is."""

PATIENCE = 1800
"""Seconds until a fork is ended that neither works nor ends."""

BROKEN = 70
"""The exit code of a fork whose work raised."""


class ForkError(Exception):
    """The work of a fork raised an exception: the mistake is in it, not in what it tried."""


def forked(work: Callable[[], str]) -> str | None:
    """The line that the work in a fork returned; empty if it was ended, None if it took too long.

    The fork and its children are a group of their own, which ends with it. Raises ForkError if the
    work itself raises what it should have caught.
    """
    read, write = os.pipe()
    child = os.fork()
    if not child:
        _as_child(work, write)
    os.close(write)
    told = _heard(read, time.monotonic() + PATIENCE)
    os.close(read)
    if told is None:
        os.killpg(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    over_time = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == BROKEN:
        raise ForkError(told)
    return None if over_time and not told else told


def allow(seconds: float) -> None:
    """From now on this fork may compute for so many seconds more before it is ended.

    Seconds of its own, which a busy machine does not make shorter.
    """
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (ceil(time.process_time() + seconds), most))


def _as_child(work: Callable[[], str], pipe: int) -> None:
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    told, status = "", 0
    try:
        told = work()
    except MemoryError:
        pass
    except Exception as error:
        told, status = repr(error), BROKEN
    finally:
        with os.fdopen(pipe, "w", encoding="utf-8") as out:
            out.write(f"{told}\n")
        os._exit(status)


def _heard(pipe: int, end: float) -> str | None:
    """Reads to the end of the line, or of the pipe; None when the time is over."""
    os.set_blocking(pipe, False)
    told = b""
    while time.monotonic() < end:
        try:
            part = os.read(pipe, 1 << 16)
        except BlockingIOError:
            time.sleep(0.005)
            continue
        told += part
        if told.endswith(b"\n") or not part:
            return told.decode().rstrip("\n")
    return None
