"""Spectators by mail: who gets the public reports of a game, and how they stop.

They see what everybody may see (`rules.view` without a reader), a turn later in a delayed game.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from pbem.judge.house import House
from pbem.judge.options import Options
from pbem.mail import lobby_address
from pbem.mail.lobby_address import LobbyErrand
from pbem.store import games, lobby, tables
from pbem.store.engine import Session

MOST = 200
"""So many spectators by mail may a game have."""


class Watched(StrEnum):
    """What came of an OBSERVE."""

    NEW = "new"
    ALREADY = "already"
    CLOSED = "closed"
    PLAYS = "plays"
    OVER = "over"
    MANY = "many"


def observe(
    session: Session, game: tables.Game, address: str, language: str, now: datetime
) -> tuple[Watched, tables.Spectator | None]:
    """Send the public reports of a game to an address from now on."""
    if Options.from_json(game.options).spectators == "no":
        return Watched.CLOSED, None
    if game.over_at is not None:
        return Watched.OVER, None
    seats = games.seats(session, game.id)
    if any((seat.address or "").casefold() == address.casefold() for seat in seats):
        return Watched.PLAYS, None
    found = lobby.of_address(session, game.id, address)
    if found is not None:
        return Watched.ALREADY, found
    if len(lobby.spectators(session, game.id)) >= MOST:
        return Watched.MANY, None
    new = tables.Spectator(game_id=game.id, address=address, language=language, since=now)
    return Watched.NEW, lobby.watch(session, new)


def leave(session: Session, game: tables.Game, address: str) -> bool:
    """Send no more of them; whether any were sent."""
    found = lobby.of_address(session, game.id, address)
    return found is not None and lobby.unwatch(session, found.id)


def find(session: Session, house: House, token: str) -> tables.Spectator | None:
    """The spectator whose link or address this is."""
    named = lobby_address.parse(token)
    if named is None or named.errand is not LobbyErrand.STOP:
        return None
    if not lobby_address.genuine(named, house.secret):
        return None
    return lobby.spectator(session, named.number)


def stop_link(house: House, number: int) -> str:
    """The page that ends the reports for a spectator."""
    token = lobby_address.issue(house.secret, LobbyErrand.STOP, number).token
    return f"{house.public_url}/stop/{token}"


def headers(house: House, number: int) -> Mapping[str, str]:
    """The headers of a letter to a spectator that offer to stop such letters."""
    mail = lobby_address.issue(house.secret, LobbyErrand.STOP, number).at(house.domain)
    return {
        "List-Unsubscribe": f"<{stop_link(house, number)}>, <mailto:{mail}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
