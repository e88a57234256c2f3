"""The process behind `read_safely`: reads one mail a line from stdin, answers on stdout."""

import base64
import contextlib
import json
import math
import resource
import signal
import sys
from typing import Any, BinaryIO

from pbem.orders.tongue import begins_an_order

from .inbound import read

_GRACE_SECONDS = 1
_MEMORY = 2 * 1024**3


def main() -> None:
    """Answer until stdin ends. Says one line when it is ready."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when we end
    _limit_memory()
    answers, sys.stdout = sys.stdout.buffer, sys.stderr  # nothing else may speak on this line
    begins_an_order("")  # its tables are built now, not in the first mail's time
    _answer(answers, {})
    for line in sys.stdin.buffer:
        question = json.loads(line)
        # If the parent was killed meanwhile nobody else would stop us. The alarm's default is to
        # end the process, also in the midst of a regular expression.
        signal.alarm(math.ceil(question["timeout"]) + _GRACE_SECONDS)
        reading = read(
            base64.b64decode(question["raw"]), question["sent"], question["envelope_from"]
        )
        signal.alarm(0)
        _answer(answers, reading.as_json())


def _limit_memory() -> None:
    """A mail that makes a library greedy ends this process, not the machine."""
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _answer(answers: BinaryIO, value: dict[str, Any]) -> None:
    answers.write(json.dumps(value).encode() + b"\n")
    answers.flush()


if __name__ == "__main__":
    main()
