"""What comes in a crowd is taken together: one transaction, one message, for many at once."""

import queue
from collections.abc import Iterator
from contextlib import suppress
from time import monotonic, sleep
from typing import Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)


class Waiting(Protocol[T_co]):
    """A queue of the standard library, as whoever empties it sees it."""

    def get(self) -> T_co:
        """Waits for the next one."""
        ...

    def get_nowait(self) -> T_co:
        """The next one; `queue.Empty` if there is none."""
        ...


T = TypeVar("T")


def groups(waiting: Waiting[T | None], breath: float, most: int) -> Iterator[list[T]]:
    """What waits, group by group and `most` at once at most, until a None ends it all.

    A group begins `breath` seconds behind the one before at the soonest, so that in a crowd more
    share it; what comes alone waits for nothing.
    """
    next_at = 0.0
    while (first := waiting.get()) is not None:
        if (pause := next_at - monotonic()) > 0:
            sleep(pause)
        next_at = monotonic() + breath
        group = [first]
        with suppress(queue.Empty):
            while len(group) < most:
                following = waiting.get_nowait()
                if following is None:
                    yield group
                    return
                group.append(following)
        yield group
