"""A child process that answers questions, and is killed when it takes too long.

Started once and reused. A plain subprocess, since a worker of a task queue may not fork its own
children by the usual means, and because nothing but the question reaches it.
"""

import atexit
import base64
import json
import os
import select
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

_CHUNK = 64 * 1024
_STARTS_WITHIN = 30.0


class TooSlowError(Exception):
    """The answer did not come in time; the child was killed."""


class Sandbox:
    """One child that runs a module; its protocol is one line of JSON each way."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def ask(self, question: dict[str, Any], raw: bytes, timeout: float) -> dict[str, Any]:
        """The child's answer to a question about these bytes.

        TooSlowError after `timeout` seconds, OSError if the child died: the next question finds
        a new child either way. Starting one does not count as its time.
        """
        content = base64.b64encode(raw).decode()
        asked = json.dumps({**question, "timeout": timeout, "raw": content})
        line = asked.encode() + b"\n"
        with self._lock:
            child = self._running()
            try:
                answer = self._exchange(child, line, timeout)
            except BaseException:
                self._kill()
                raise
        found: dict[str, Any] = json.loads(answer)
        return found

    def close(self) -> None:
        """End the child."""
        with self._lock:
            self._kill()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._child is not None and self._owner != os.getpid():
            # Ours by a fork only: it answers the process that started it.
            self._child.returncode = 0
            self._child = None
        if self._child is None or self._child.poll() is not None:
            self._kill()
            self._child, self._owner = self._start(), os.getpid()
        return self._child

    def _start(self) -> subprocess.Popen[bytes]:
        path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", self._module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env={**os.environ, "PYTHONPATH": path},
        )
        atexit.unregister(self.close)
        atexit.register(self.close)
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
        try:
            self._receive(child, time.monotonic() + _STARTS_WITHIN)
        except BaseException:
            _end(child)
            raise
        return child

    def _exchange(self, child: subprocess.Popen[bytes], line: bytes, timeout: float) -> bytes:
        deadline = time.monotonic() + timeout
        self._send(child, line, deadline)
        return self._receive(child, deadline)

    def _send(self, child: subprocess.Popen[bytes], line: bytes, deadline: float) -> None:
        assert child.stdin is not None
        rest = memoryview(line)
        while rest:
            _wait(child.stdin.fileno(), select.POLLOUT, deadline)
            rest = rest[os.write(child.stdin.fileno(), rest[:_CHUNK]) :]

    def _receive(self, child: subprocess.Popen[bytes], deadline: float) -> bytes:
        assert child.stdout is not None
        answer = bytearray()
        while not answer.endswith(b"\n"):
            _wait(child.stdout.fileno(), select.POLLIN, deadline)
            part = os.read(child.stdout.fileno(), _CHUNK)
            if not part:
                raise BrokenPipeError("the child died")
            answer += part
        return bytes(answer)

    def _kill(self) -> None:
        child, self._child = self._child, None
        if child is not None and self._owner == os.getpid():
            _end(child)


def _end(child: subprocess.Popen[bytes]) -> None:
    child.kill()
    child.wait()
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            pipe.close()


def _wait(descriptor: int, event: int, deadline: float) -> None:
    poll = select.poll()
    poll.register(descriptor, event)
    left = deadline - time.monotonic()
    if left <= 0 or not poll.poll(left * 1000):
        raise TooSlowError
