"""The loop of `pbem sweep`."""

import logging
import signal
import time
from collections.abc import Callable
from types import FrameType

log = logging.getLogger(__name__)

_LOOK = 0.1  # seconds between two looks at whether to end


def sweep_until_stopped(
    sweep: Callable[[], object], beat: Callable[[], None], every: float
) -> None:
    """Call `sweep` every `every` seconds until SIGTERM or SIGINT, and `beat` after each success.

    A sweep that fails is logged and tried again at its next time: the database may be away, and a
    process that is started again would find the same.
    """
    stopping = False

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal stopping
        stopping = True

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    due = time.monotonic()
    while not stopping:
        if time.monotonic() < due:
            time.sleep(_LOOK)
            continue
        due = time.monotonic() + every
        try:
            sweep()
        except Exception:
            log.exception("the sweep failed")
        else:
            beat()
