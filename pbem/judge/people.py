"""The people of a game as letters name them, and what they have set."""

from collections.abc import Mapping, Sequence

from pbem.judge import standing
from pbem.mail.marker import MARKERS
from pbem.orders.lexicon import colour_forms
from pbem.orders.sheet import Table as Vocabulary
from pbem.render.contexts import Late, SeatLine, Table
from pbem.render.letters import colour_name
from pbem.rules.board import Board
from pbem.rules.ruleset import Ruleset
from pbem.rules.seat import Seat
from pbem.store import games, tables
from pbem.store.desk import Chair


def seat_line(seat: tables.Seat | Chair, language: str) -> SeatLine:
    """One place at the table. Who has no name but the colour is called so in every language."""
    unnamed = seat.name == seat.colour.capitalize()
    name = colour_name(seat.colour, language) if unnamed else seat.name
    is_open = seat.address is None and seat.open_since is not None
    return SeatLine(Seat(seat.letter), seat.colour, name, seat.computer, is_open)


def table(
    game_id: int,
    seats: Sequence[tables.Seat],
    ruleset: Ruleset,
    reader: Seat | None,
    language: str,
) -> Table:
    """The table as the letters to one reader show it; None: somebody without a seat."""
    own = next((seat for seat in seats if seat.letter == reader), None)
    wants_list = own is not None and standing.of(own).values["BOARD"] == "LIST"
    return Table(
        game=games.public_id(game_id),
        seats=tuple(seat_line(seat, language) for seat in seats),
        reader=reader,
        ruleset=ruleset,
        marker=MARKERS[language],
        board="list" if wants_list else "map",
    )


def names(seats: Sequence[tables.Seat]) -> Mapping[Seat, str]:
    """Names by seat, for the reader of orders."""
    return {Seat(seat.letter): seat.name for seat in seats}


def vocabulary(board: Board, seats: Sequence[tables.Seat], language: str) -> Vocabulary:
    """Whom and what a player's orders can name."""
    return Vocabulary(board, names(seats), nicknames(seats, language))


def late_policy(seat: tables.Seat) -> Late:
    """What the deadline does for the seat (orders.md, "Keys of SET": LATE)."""
    held = standing.of(seat)
    if held.late_place is not None:
        return Late("place", held.late_place)
    return Late("nothing" if held.values["LATE"] == "NOTHING" else "border")


def nicknames(seats: Sequence[tables.Seat], language: str) -> Mapping[Seat, tuple[str, ...]]:
    """What else a mail may call the seats: their colours, in English and in the language."""
    return {Seat(seat.letter): colour_words(seat.colour, language) for seat in seats}


def colour_words(colour: str, language: str) -> tuple[str, ...]:
    """A colour as mails may write it, in the cases and genders of the language too."""
    return colour, colour_name(colour, language), *colour_forms(language, colour)
