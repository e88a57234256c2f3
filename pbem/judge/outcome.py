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
    lines = (error or "").strip().splitlines()
    # Below the last frame, which is indented; what an error says may be more lines than one.
    frames = [number for number, line in enumerate(lines) if line.startswith("  ")]
    told = lines[frames[-1] + 1 :] if frames else lines
    return told[0].partition(":")[0] if told else "crashed"
