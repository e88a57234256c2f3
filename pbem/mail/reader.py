"""The process behind `read_safely`: reads one mail a line from stdin, answers on stdout."""

import base64
import json
import math
import signal
import sys
from typing import Any

from .inbound import read

_GRACE_SECONDS = 1


def main() -> None:
    """Answer until stdin ends. Says one line when it is ready."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when we end
    _answer({})
    for line in sys.stdin.buffer:
        question = json.loads(line)
        # If the parent was killed meanwhile nobody else would stop us. The alarm's default is to
        # end the process, also in the midst of a regular expression.
        signal.alarm(math.ceil(question["timeout"]) + _GRACE_SECONDS)
        reading = read(
            base64.b64decode(question["raw"]), question["sent"], question["envelope_from"]
        )
        signal.alarm(0)
        _answer(reading.as_json())


def _answer(value: dict[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps(value).encode() + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
