"""What became of a row of the inbox."""

from typing import NamedTuple

from pbem.store.tables import InboxStatus


class Outcome(NamedTuple):
    """The row's status at rest, and one word for the people who look at it."""

    status: InboxStatus
    result: str


def done(result: str) -> Outcome:
    """Answered, whatever the answer was."""
    return Outcome(InboxStatus.DONE, result)


def kind_of(error: str | None) -> str:
    """The kind of error that a stored traceback ends with; what it says besides could tell a hand.

    A process that was killed leaves none: it crashed.
    """
    return (error or "").strip().rpartition("\n")[2].partition(":")[0] or "crashed"
