"""Acts that end a game: a winner by the game master's word, or none, or a draw."""

from dataclasses import dataclass
from typing import ClassVar

from pbem.judge import closing
from pbem.judge.acts.act import Act, Grade, SeatLetter
from pbem.judge.acts.notice import mark, running
from pbem.judge.closing import ClosingError
from pbem.judge.gm import ActError, Why
from pbem.judge.progress import Progress


@dataclass(frozen=True, slots=True)
class End(Act):
    """End the game, with a seat as its winner or with none."""

    name: ClassVar[str] = "end"
    grade: ClassVar[Grade] = Grade.DEEP
    winner: SeatLetter | None = None

    def play(self, progress: Progress, why: Why) -> None:
        _close(progress, why, self.name, "gm", self.winner)


@dataclass(frozen=True, slots=True)
class Draw(Act):
    """End the game as a draw of all who stand."""

    name: ClassVar[str] = "draw"
    grade: ClassVar[Grade] = Grade.DEEP

    def play(self, progress: Progress, why: Why) -> None:
        _close(progress, why, self.name, "draw", None)


def _close(progress: Progress, why: Why, name: str, how: str, winner: str | None) -> None:
    running(progress)
    mark(progress, why, name, *(() if winner is None else (winner,)))
    try:
        closing.close(progress, how, winner=winner, reason=why.reason)
    except ClosingError as error:
        raise ActError("no-end") from error
