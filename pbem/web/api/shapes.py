"""What the API answers, as its description has it."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Shape(BaseModel):
    """Anything that the API answers with; new fields may come at any time."""

    model_config = ConfigDict(extra="allow")


class ApiSeat(Shape):
    """A place at the table. Addresses are never shown."""

    letter: str = Field(description="A to F")
    colour: str
    name: str
    computer: bool
    open: bool = Field(description="whoever comes may take it")


class ApiGame(Shape):
    """A game as the caller may see it."""

    id: str = Field(description="the game's name, e.g. g7")
    ruleset: str
    changes: dict[str, str] = Field(description="options of the rules that are not the ruleset's")
    language: str
    phase: str
    turn: int
    on_turn: str | None
    paused: bool
    deadline: datetime | None
    over: bool
    winner: str | None
    delayed: bool = Field(description="seen as it stood a closed turn ago")
    seat: str | None = Field(description="the caller's own seat")
    dice_commitment: str
    luck: str
    seats: list[ApiSeat]


class ApiGames(Shape):
    """A page of games, newest first."""

    games: list[ApiGame]
    next: str | None = Field(description="`before` for the next page; null: there is none")


class ApiLand(Shape):
    """A territory: whose it is (N is the neutral army), and how many armies stand there."""

    owner: str
    armies: int


class ApiBoard(Shape):
    """The board; `hand` are the caller's own cards: codes of territories, or WILD."""

    game: str
    turn: int
    phase: str
    on_turn: str | None
    to_place: int
    territories: dict[str, ApiLand]
    hand: list[str]
    hand_sizes: dict[str, int]


class ApiTurn(Shape):
    """A turn that is closed; 0 is the setup."""

    turn: int
    closed_at: datetime


class ApiTurns(Shape):
    """All closed turns, oldest first."""

    game: str
    turns: list[ApiTurn]


class ApiEvent(Shape):
    """Something that happened; its other fields depend on its kind, as in the record."""

    seq: int
    turn: int
    at: datetime
    kind: str


class ApiEvents(Shape):
    """The events of one turn."""

    game: str
    turn: int
    events: list[ApiEvent]


class ApiError(Shape):
    """Why there is no answer."""

    error: str


Answers = dict[int | str, dict[str, Any]]
