"""The dependency of every page of a game: who looks at it, and from which seat."""

from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Depends, Path, Query, Response

from pbem.judge import watching
from pbem.judge.showing import Showing
from pbem.judge.watching import Watch
from pbem.rules.seat import Seat
from pbem.store import games
from pbem.store.engine import Session
from pbem.web.refusal import Reason, RefusedError
from pbem.web.respond import show_game
from pbem.web.visitor import AnyVisitor, Known, Visitor


@dataclass(frozen=True, slots=True)
class AtTable:
    """A visitor at a game's table, with the look that it may take."""

    visitor: Visitor
    public_id: str
    look: Watch
    seats: tuple[str, ...]

    @property
    def start(self) -> str:
        """Where the pages of the game begin."""
        return f"/games/{self.public_id}"

    def address(self, path: str = "", **query: object) -> str:
        """A page of the game, from the same seat."""
        seat = {"seat": self.look.seat} if len(self.seats) > 1 else {}
        asked = {name: value for name, value in {**seat, **query}.items() if value is not None}
        return self.start + path + (f"?{urlencode(asked)}" if asked else "")

    def showing(self, session: Session, turn: int | None = None) -> Showing:
        """The game as it may be seen now, or at the close of a turn. Raises RefusedError."""
        if self.look.sees_nothing:
            raise RefusedError(404, Reason.NOT_YET)
        return watching.showing_of(session, self.look, self.visitor.language, turn)

    def page(self, name: str, face: str, showed: Showing, **context: Any) -> Response:
        """A page of the game's: all of them have the same head."""
        return show_game(self.visitor, name, showed, at=self, face=face, **context)


def at_table(
    here: AnyVisitor,
    public_id: Annotated[str, Path()],
    seat: Annotated[str | None, Query()] = None,
) -> AtTable:
    """Somebody who may look at the game. Raises RefusedError.

    A game that nobody else may watch and a game that there is not are answered alike.
    """
    person = here.person if isinstance(here, Known) else None
    number = games.game_id(public_id)
    with here.service.reading() as session:
        game = None if number is None else games.find(session, number)
        look = None if game is None else watching.watch(session, game, person, seat)
    if look is None:
        raise RefusedError(*((401, Reason.NO_LOGIN) if person is None else (404, Reason.NO_PAGE)))
    held = () if person is None else person.seats.get(look.game.id, ())
    return AtTable(here, games.public_id(look.game.id), look, held)


Looking = Annotated[AtTable, Depends(at_table)]


@dataclass(frozen=True, slots=True)
class AtSeat(AtTable):
    """A player at the own seat."""

    visitor: Known
    seat: Seat


def at_seat(at: Looking) -> AtSeat:
    """A player of the game. Raises RefusedError."""
    if at.look.seat is None or not isinstance(at.visitor, Known):
        raise RefusedError(404, Reason.NO_PAGE)
    return AtSeat(at.visitor, at.public_id, at.look, at.seats, at.look.seat)


Seated = Annotated[AtSeat, Depends(at_seat)]
