"""What a picture shows, as a value: the same scene always gives the same picture."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from pbem.rules import board as boards
from pbem.rules.board import Board, Code, ContinentId
from pbem.rules.seat import Seat

DRAWING = "picture/1"
"""To be counted up when the same scene is to be drawn in another way."""


@dataclass(frozen=True, slots=True)
class Attack:
    """An arrow; dashed where the target held."""

    source: Code
    target: Code
    captured: bool


@dataclass(frozen=True, slots=True)
class Player:
    """A field of the legend. `colour` is one of `rules.seat.COLOURS`, or ``neutral``."""

    letter: Seat
    colour: str
    name: str
    holds: str
    has: str
    on_turn: bool = False
    out: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """A board as everybody at the table may see it, in the words of one language.

    `changed` are territories whose armies changed, `captured` those of them with a new owner.
    """

    board_id: tuple[str, str | None]
    language: str
    title: str
    subtitle: str
    players: tuple[Player, ...]
    owner: Mapping[Code, Seat]
    armies: Mapping[Code, int]
    changed: tuple[Code, ...] = ()
    captured: tuple[Code, ...] = ()
    attacks: tuple[Attack, ...] = ()

    @property
    def board(self) -> Board:
        """The board that is drawn."""
        return boards.load(*self.board_id)

    @property
    def colours(self) -> Mapping[Seat, str]:
        """The colour of each player; what nobody here plays is neutral."""
        played = {player.letter: player.colour for player in self.players}
        return dict.fromkeys(self.owner.values(), "neutral") | played

    @property
    def held(self) -> Mapping[ContinentId, Seat]:
        """The continents that one seat holds whole."""
        owners = {
            continent.id: {self.owner.get(code) for code in continent.territories}
            for continent in self.board.continents.values()
        }
        sole = {name: seats.pop() for name, seats in owners.items() if len(seats) == 1}
        return {name: seat for name, seat in sole.items() if seat is not None}

    @property
    def key(self) -> str:
        """The hash of all that the picture shows (64 hex characters)."""
        table = (self.board_id, self.language, self.title, self.subtitle, self.players)
        land = (sorted(self.owner.items()), sorted(self.armies.items()))
        shown = (DRAWING, *table, *land, self.changed, self.captured, self.attacks)
        return hashlib.sha256(repr(shown).encode()).hexdigest()
