"""The lobby: the games that wait for players and those that may be watched, as everybody sees them.

Names and addresses of who sits there are nobody's business before the game: only what is free is
told, and how the game is played.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from pbem.judge import seating
from pbem.judge.options import Options
from pbem.rules import notation
from pbem.rules.ruleset import Ruleset
from pbem.store import games, lobby, tables
from pbem.store.engine import Session

MOST = 50
"""So many games of each kind are shown at once."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A listed game. `free` are the colours of its open seats; `languages` those of its players."""

    game: str
    rules: Ruleset
    options: Options
    seats: int
    free: tuple[str, ...]
    language: str
    languages: tuple[str, ...]
    turn: int
    running: bool

    @property
    def pace(self) -> timedelta:
        """The time for a turn."""
        return timedelta(seconds=self.options.pace)

    @property
    def may_be_watched(self) -> bool:
        """Whether anybody may look at it."""
        return self.options.spectators != "no"


@dataclass(frozen=True, slots=True)
class Hall:
    """Games that wait for players, and games that may be watched; newest first."""

    waiting: tuple[Offer, ...]
    watched: tuple[Offer, ...]


def hall(session: Session) -> Hall:
    """What the lobby shows to everybody."""
    waiting = offers_of(session, lobby.waiting(session, MOST))
    running = offers_of(session, lobby.running(session, MOST))
    return Hall(waiting, tuple(one for one in running if one.may_be_watched))


def offers_of(session: Session, rows: Sequence[tables.Game]) -> tuple[Offer, ...]:
    """Games as the lobby shows them."""
    seats = games.seats_of(session, [game.id for game in rows])
    return tuple(_offer(game, seats[game.id]) for game in rows)


def open_game(session: Session, public_id: str) -> tables.Game | None:
    """The game of that name if the lobby may speak of it: it is listed, may be watched, or has a
    seat for whoever comes. Others are answered as if they were not there."""
    number = games.game_id(public_id)
    game = None if number is None else games.find(session, number)
    if game is None:
        return None
    watched = Options.from_json(game.options).spectators != "no"
    is_open = game.listed or watched or seating.open_seats(games.seats(session, game.id))
    return game if is_open else None


def _offer(game: tables.Game, seats: Sequence[tables.Seat]) -> Offer:
    spoken = [seat.language for seat in seats if seat.address is not None]
    return Offer(
        game=games.public_id(game.id),
        rules=notation.ruleset_of(game.state),
        options=Options.from_json(game.options),
        seats=len(seats),
        free=tuple(seat.colour for seat in seating.open_seats(seats)),
        language=game.language,
        languages=tuple(dict.fromkeys([game.language, *spoken])),
        turn=game.turn,
        running=game.phase != "invited",
    )
