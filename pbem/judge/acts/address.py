"""The act of moving a seat to another address of the same player."""

from dataclasses import dataclass
from typing import ClassVar

from pbem.judge import moving
from pbem.judge.acts.act import Act, Grade, SeatLetter, Words
from pbem.judge.acts.notice import named, running
from pbem.judge.gm import ActError, Why
from pbem.judge.progress import Progress


@dataclass(frozen=True, slots=True)
class Move(Act):
    """Send a player's letters to another address, once that address has said YES."""

    name: ClassVar[str] = "address"
    grade: ClassVar[Grade] = Grade.SAFE
    seat: SeatLetter
    address: Words

    def play(self, progress: Progress, why: Why) -> None:
        """Asks both sides; nothing changes yet, and the old address may still say NO."""
        del why  # the letters give no reason: the new address may be a stranger's
        running(progress)
        seat = named(progress, self.seat)
        if seat.address is None:
            raise ActError("computer-seat", seat=self.seat)
        if moving.ask_for(progress, seat, self.address) is not None:
            raise ActError("address-unusable", address=self.address)
