"""The people of a game as letters name them, and what they have set."""

from collections.abc import Mapping, Sequence

from pbem.mail.marker import MARKERS
from pbem.render.contexts import Late, SeatLine, Table
from pbem.rules.board import Code
from pbem.rules.ruleset import Ruleset
from pbem.rules.seat import Seat
from pbem.store import games, tables


def seat_line(seat: tables.Seat) -> SeatLine:
    """One place at the table."""
    return SeatLine(Seat(seat.letter), seat.colour, seat.name, seat.computer)


def table(
    game_id: int,
    seats: Sequence[tables.Seat],
    ruleset: Ruleset,
    reader: Seat | None,
    language: str,
) -> Table:
    """The table as the letters to one reader show it; None: somebody without a seat."""
    return Table(
        game=games.public_id(game_id),
        seats=tuple(seat_line(seat) for seat in seats),
        reader=reader,
        ruleset=ruleset,
        marker=MARKERS[language],
    )


def names(seats: Sequence[tables.Seat]) -> Mapping[Seat, str]:
    """Names by seat, for the reader of orders."""
    return {Seat(seat.letter): seat.name for seat in seats}


def late_policy(seat: tables.Seat) -> Late:
    """What the deadline does for the seat (orders.md, "Keys of SET": LATE)."""
    stored = seat.settings.get("late", {})
    place = stored.get("place")
    return Late(policy=stored.get("policy", "border"), place=None if place is None else Code(place))
