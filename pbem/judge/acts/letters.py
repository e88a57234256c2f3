"""Acts that only write: a note to one seat or to all, and a letter once more."""

from dataclasses import dataclass
from typing import ClassVar

from pbem.judge.acts.act import ALL, Act, Grade, Lines, Number, SeatOrAll
from pbem.judge.acts.notice import named, tell
from pbem.judge.gm import ActError, Why
from pbem.judge.progress import Progress
from pbem.store import outbox


@dataclass(frozen=True, slots=True)
class Note(Act):
    """Write to one seat or to all."""

    name: ClassVar[str] = "note"
    grade: ClassVar[Grade] = Grade.SAFE
    to: SeatOrAll
    text: Lines

    def play(self, progress: Progress, why: Why) -> None:
        readers = progress.seats if self.to == ALL else (named(progress, self.to),)
        if all(seat.address is None for seat in readers):
            raise ActError("computer-seat", seat=self.to)
        for seat in readers:
            tell(progress, seat.letter, "gm-note", why, {"lines": self.text.splitlines()})


@dataclass(frozen=True, slots=True)
class Resend(Act):
    """Send a letter of the game once more, as it was; `letter` is its number in the outbox."""

    name: ClassVar[str] = "resend"
    grade: ClassVar[Grade] = Grade.SAFE
    letter: Number

    def play(self, progress: Progress, why: Why) -> None:
        del why  # the letter itself says what it is
        row = outbox.find(progress.session, self.letter)
        seat = next((s for s in progress.seats if row is not None and s.letter == row.seat), None)
        mine = row is not None and row.game_id == progress.game.id
        # Whoever has left a seat gets nothing more of it.
        if not mine or (seat is not None and row is not None and seat.address != row.to_address):
            raise ActError("no-letter", number=self.letter)
        if not outbox.resend(progress.session, self.letter, progress.now):
            raise ActError("no-letter", number=self.letter)
