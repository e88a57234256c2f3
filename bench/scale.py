"""How much is measured: enough for a figure, or just enough to see that the bench runs."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Scale:
    """Sizes of all benches, and the folder for what they write.

    `postgres` is the URL of a server on which a database may be made, if there is one.
    """

    folder: Path
    postgres: str | None = None
    repeats: int = 5
    mails: int = 40
    sessions: int = 50
    mails_a_session: int = 40
    games: int = 10_000
    memory_mails: int = 2_000
    actions: int = 20_000
    samples: int = 200


def tiny(folder: Path, postgres: str | None = None) -> Scale:
    """Seconds in all; its figures say nothing."""
    return Scale(
        folder,
        postgres,
        repeats=1,
        mails=2,
        sessions=2,
        mails_a_session=2,
        games=20,
        memory_mails=4,
        actions=200,
        samples=10,
    )
