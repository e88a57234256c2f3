"""What `pbem sweep` runs: rounds of the judge's sweep, until it is asked to end."""

import logging
import signal
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import FrameType

from pbem.cli.database import unusable
from pbem.judge.sweep import sweep
from pbem.settings import Settings
from pbem.store.engine import OperationalError, open_engine
from workers.app import TIDY
from workers.hints import hints

log = logging.getLogger(__name__)

_LOOK = 0.1  # seconds between two looks at whether to end
_TIDY_EVERY = timedelta(hours=1)


def sweeper(settings: Settings) -> Callable[[], object]:
    """One round of the sweep, on an engine of this process."""
    engine = open_engine(settings.database_url)
    house = settings.house
    hint = hints(settings.broker_url)
    tidied = datetime.now(UTC)

    def sweep_once() -> None:
        nonlocal tidied
        now = datetime.now(UTC)
        sweep(engine, house, now, hint)
        if now - tidied >= _TIDY_EVERY:
            tidied = now
            hint(TIDY)

    return sweep_once


def sweep_until_stopped(
    sweep_once: Callable[[], object], beat: Callable[[], None], every: float
) -> None:
    """Call `sweep_once` every so many seconds until SIGTERM or SIGINT, `beat` after each success.

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
            sweep_once()
        except OperationalError as error:
            log.error("the sweep failed: %s", unusable(error))  # no fault of ours
        except Exception:
            log.exception("the sweep failed")
        else:
            beat()
