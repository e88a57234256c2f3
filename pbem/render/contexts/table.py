"""The table as a letter shows it: its seats, and what the deadline does for the reader."""

from dataclasses import dataclass
from typing import Literal

from pbem.rules.board import Code
from pbem.rules.ruleset import Ruleset
from pbem.rules.seat import NEUTRAL, Seat


@dataclass(frozen=True, slots=True)
class SeatLine:
    """One place at the table. `colour` is one of `rules.seat.COLOURS`, or ``neutral``.

    `is_open`: nobody holds it yet, whoever comes may take it.
    """

    letter: Seat
    colour: str
    name: str
    computer: bool = False
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """The game as a letter's head and foot need it. `marker` is the line above which one writes;
    a letter without it has no answer, and is no key to a seat.

    `reader` is the seat that the letter goes to; None: somebody without a seat. `board` is how it
    wants the board in the text part: as a map in columns, or as a plain list for screen readers.
    """

    game: str
    seats: tuple[SeatLine, ...]
    reader: Seat | None
    ruleset: Ruleset
    marker: str
    board: Literal["map", "list"] = "map"

    def seat(self, letter: Seat) -> SeatLine:
        """The seat of that letter; raises LookupError for one that is not at the table.

        The neutral army is always there, without a name.
        """
        if letter == NEUTRAL:
            return SeatLine(NEUTRAL, "neutral", "")
        for line in self.seats:
            if line.letter == letter:
                return line
        raise LookupError(f"no seat {letter} in {self.game}")

    @property
    def you(self) -> SeatLine | None:
        """The reader's own seat."""
        return None if self.reader is None else self.seat(self.reader)


@dataclass(frozen=True, slots=True)
class Late:
    """What the deadline will do with armies not placed (orders.md, "Keys of SET").

    `place` is the territory of the policy ``place``.
    """

    policy: Literal["border", "place", "nothing"] = "border"
    place: Code | None = None


USUAL_LATE = Late()
"""What the deadline does for a seat that has said nothing about it."""
