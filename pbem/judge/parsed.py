"""How a text would be read as orders of a seat: for the desk, before it is applied.

Only the language is read, against the public board. What the seat holds stays out of it, so that
nobody learns of a hand by trying.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.judge import people
from pbem.judge.showing import Showing
from pbem.mail.normalise import order_lines
from pbem.orders import check, reader, write
from pbem.orders.mistake import Mistake
from pbem.orders.plan import Line, Otherwise, Trade
from pbem.orders.preview import preview, supposed
from pbem.orders.sheet import Ignored
from pbem.rules.position import TURN
from pbem.rules.seat import Seat
from pbem.store import tables


@dataclass(frozen=True, slots=True)
class ParsedLine:
    """A line as it was understood, in canonical orders; `chance` if it is one attack."""

    number: int
    orders: str
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class Parsed:
    """What was read; `mode` is what the first line makes of it (yes, no, try ...)."""

    lines: tuple[ParsedLine, ...]
    mistakes: tuple[Mistake, ...]
    ignored: tuple[Ignored, ...]
    services: int
    mode: str

    @property
    def is_good(self) -> bool:
        """Whether there is something to do and nothing that cannot be read."""
        return not self.mistakes and bool(self.lines or self.services or self.mode != "none")


def parse(text: str, showed: Showing, seat: tables.Seat) -> Parsed:
    """Read a text as if the seat had sent it, in the seat's language."""
    board = showed.view.board
    vocabulary = people.vocabulary(board, showed.seats, seat.language)
    sheet = reader.read(order_lines(text), seat.language, vocabulary)
    chances = _chances(sheet.lines, showed, seat)
    return Parsed(
        lines=tuple(
            ParsedLine(
                line.number,
                write.line(line, seat.language, board),
                chances.get(line.number),
            )
            for line in sheet.lines
        ),
        mistakes=sheet.mistakes,
        ignored=sheet.ignored,
        services=len(sheet.services),
        mode=sheet.mode,
    )


def _chances(lines: Sequence[Line], showed: Showing, seat: tables.Seat) -> dict[int, float]:
    """The chance of each line that is one attack, as on the public board at a turn's begin."""
    letter = Seat(seat.letter)
    seen = replace(showed.view, reader=letter)
    fighting = [line for line in lines if not _trades(line)]
    if seen.phase not in TURN or letter in seen.eliminated or not fighting:
        return {}
    own = seen if seen.on_turn == letter else supposed(seen)
    sheet = reader.read(
        [write.line(line, "en", seen.board) for line in fighting],
        "en",
        people.vocabulary(seen.board, showed.seats, "en"),
    )
    checked = check.check(sheet, own)
    if checked.plan is None:
        return {}
    fought = preview(checked.plan, own, Otherwise.GO_ON).lines
    numbers = [line.number for line in fighting]
    return {
        numbers[line.number - 1]: float(line.capture)
        for line in fought
        if line.number is not None and len(line.battles) == 1 and line.capture is not None
    }


def _trades(line: Line) -> bool:
    return any(isinstance(order, Trade) for said in line.sentences for order in said.orders)
