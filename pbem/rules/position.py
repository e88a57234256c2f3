"""The public side of a game: what everybody at the table can see (rules.md, "Words").

`State` adds the secrets, `View` what one reader may know of them. Mappings are never changed in
place.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from pbem.rules import board as boards
from pbem.rules.board import Board, Code, ContinentId
from pbem.rules.ruleset import Ruleset
from pbem.rules.seat import Seat

__all__ = ["SETUP", "TURN", "Occupation", "Phase", "Position", "changed"]


class Phase(StrEnum):
    """Where a game stands. The names are part of the contract towards the outside."""

    INVITED = "invited"
    CLAIM = "claim"
    FILL = "fill"
    CAPITAL = "capital"
    TRADE = "trade"
    PLACE = "place"
    ATTACK = "attack"
    FORTIFY = "fortify"
    OVER = "over"


SETUP = frozenset({Phase.CLAIM, Phase.FILL, Phase.CAPITAL})
TURN = frozenset({Phase.TRADE, Phase.PLACE, Phase.ATTACK, Phase.FORTIFY})


@dataclass(frozen=True, slots=True)
class Occupation:
    """A capture whose armies have still to move in: `least` already stand there (rule 5)."""

    source: Code
    target: Code
    least: int
    most: int


@dataclass(frozen=True)
class Position:
    """The table at one moment.

    `owner` and `armies` hold every territory that is not free. `to_place` are armies at hand of
    the seat on turn; `reserve` the ones still to place in the setup. `first` won the die roll for
    the first claim, or for turn 1 where that is rolled afresh. `mid_turn` is true from an
    elimination that brings a trade at once (rule 9) until its armies are placed, `placed` what
    went where since the turn began or the last trade. `next_roll` numbers the rolls of the whole
    game, `link` is the dice link of the turn. `capitals` are known once all have chosen. `coming`
    are options of the rules that change when the next turn begins.
    """

    board_id: tuple[str, str | None]
    ruleset: Ruleset
    seats: tuple[Seat, ...]
    phase: Phase
    turn: int = 0
    on_turn: Seat | None = None
    first: Seat | None = None
    owner: Mapping[Code, Seat] = field(default_factory=dict)
    armies: Mapping[Code, int] = field(default_factory=dict)
    reserve: Mapping[Seat, int] = field(default_factory=dict)
    to_place: int = 0
    placed: Mapping[Code, int] = field(default_factory=dict)
    sets_traded: int = 0
    bonus_taken: bool = False
    mid_turn: bool = False
    captured: bool = False
    occupation: Occupation | None = None
    rolled: bool = False
    eliminated: tuple[Seat, ...] = ()
    winner: Seat | None = None
    next_roll: int = 1
    link: int = 0
    capitals: Mapping[Seat, Code] = field(default_factory=dict)
    coming: Mapping[str, str] = field(default_factory=dict)

    @property
    def board(self) -> Board:
        """The board that the game is played on (loaded once a process)."""
        return boards.load(*self.board_id)

    @property
    def standing(self) -> tuple[Seat, ...]:
        """The seats that are not eliminated, in seat order."""
        return tuple(s for s in self.seats if s not in self.eliminated)

    def after(self, seat: Seat) -> Seat:
        """The next standing seat clockwise; the seat itself if it stands alone."""
        place = self.seats.index(seat) + 1
        return next(
            (s for s in self.seats[place:] + self.seats[:place] if s not in self.eliminated), seat
        )

    def held(self, seat: Seat) -> tuple[Code, ...]:
        """The territories of a seat, in the board's order."""
        return tuple(code for code in self.board.codes if self.owner.get(code) == seat)

    def holds(self, seat: Seat, continent: ContinentId) -> bool:
        """Whether the seat holds the continent whole."""
        return all(self.owner.get(c) == seat for c in self.board.continents[continent].territories)

    def enemies(self, code: Code) -> Iterator[Code]:
        """The neighbours of a territory that belong to another seat."""
        return (n for n in self.board.neighbours[code] if self.owner.get(n) != self.owner[code])

    def threat(self, code: Code) -> int:
        """The armies of the largest enemy next to a territory; 0 where it has none."""
        return max((self.armies[n] for n in self.enemies(code) if n in self.armies), default=0)


if TYPE_CHECKING:
    from dataclasses import replace as changed
else:

    def changed(position, /, **changes):
        """A copy with the fields named in `changes`, as `dataclasses.replace` makes it.

        Copying the attributes at once takes a tenth of the time that a call of the thirty-field
        constructor takes, and every action copies the state. The type checker sees `replace`,
        which knows the fields.
        """
        copy = object.__new__(type(position))
        copy.__dict__.update(position.__dict__, **changes)
        return copy
