"""Who calls the API: a browser that has logged in, a program with a key, or nobody known."""

from dataclasses import dataclass
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import Depends, Path, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from pbem.judge import keys, roles, watching
from pbem.judge.roles import Person
from pbem.judge.watching import Watch
from pbem.store import games
from pbem.store import keys as rows
from pbem.web.refusal import Reason, RefusedError
from pbem.web.site import Service
from pbem.web.visitor import AnyVisitor, Known, Visitor

BEARER = HTTPBearer(
    auto_error=False, scheme_name="key", description="a key that was made on the page /you"
)
Bearer = Annotated[HTTPAuthorizationCredentials | None, Depends(BEARER)]


def caller(request: Request, here: AnyVisitor, bearer: Bearer) -> Visitor:
    """Who calls. A key that is none is refused, never taken for nobody. Raises RefusedError."""
    if "authorization" not in request.headers:
        return here
    found = None if bearer is None else _person(here.service, bearer.credentials)
    if found is None:
        raise RefusedError(401, Reason.NO_LOGIN)
    return Known(here.service, found, here.language, ZoneInfo("UTC"), here.path)


def _person(service: Service, given: str) -> Person | None:
    now = service.clock()
    with service.reading() as session:
        key = keys.find(session, given)
        person = None if key is None else roles.person(session, service.house, key.address)
    if key is not None and keys.is_to_note(key, now):
        with service.writing() as session:
            rows.used(session, key.id, now)
    return person


Caller = Annotated[Visitor, Depends(caller)]


@dataclass(frozen=True, slots=True)
class AtGame:
    """A caller in front of a game that it may look at."""

    caller: Visitor
    look: Watch

    @property
    def name(self) -> str:
        """The game's public name."""
        return games.public_id(self.look.game.id)


GameId = Annotated[str, Path(description="the game's name, e.g. g7", pattern="^g[1-9][0-9]{0,8}$")]
SeatLetter = Annotated[
    str | None, Query(description="the seat to look from, for who has several", pattern="^[A-F]$")
]


def at_game(here: Caller, public_id: GameId, seat: SeatLetter = None) -> AtGame:
    """The game in the path. Raises RefusedError; a game of others is as one that there is not."""
    person = here.person
    number = games.game_id(public_id)
    with here.service.reading() as session:
        game = None if number is None else games.find(session, number)
        look = None if game is None else watching.watch(session, game, person, seat)
    if look is None:
        raise RefusedError(*((401, Reason.NO_LOGIN) if person is None else (404, Reason.NO_PAGE)))
    if look.sees_nothing:
        raise RefusedError(404, Reason.NOT_YET)
    return AtGame(here, look)


Looking = Annotated[AtGame, Depends(at_game)]
