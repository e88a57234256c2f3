"""Where the parts of a process are put together: what `processes` runs, made from the settings."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from pbem.judge.sweep import sweep
from pbem.settings import Settings
from pbem.store.engine import open_engine
from workers.hints import hints
from workers.tasks import TIDY

_TIDY_EVERY = timedelta(hours=1)


def clock() -> datetime:
    """The time of the house, UTC."""
    return datetime.now(UTC)


def sweeper(settings: Settings) -> Callable[[], object]:
    """One round of the sweep, on an engine of this process."""
    engine = open_engine(settings.database_url)
    house = settings.house
    hint = hints(settings.broker_url)
    tidied = clock()

    def sweep_once() -> None:
        nonlocal tidied
        now = clock()
        sweep(engine, house, now, hint)
        if now - tidied >= _TIDY_EVERY:
            tidied = now
            hint(TIDY)

    return sweep_once
