"""The same people once more: a new game as an old one was made."""

from collections.abc import Callable
from datetime import datetime

from pbem.judge import atlas, founding, lobby
from pbem.judge.founding import Planned
from pbem.judge.house import House
from pbem.judge.lobby import NewSeat
from pbem.judge.options import Options
from pbem.judge.roles import May, Person
from pbem.store import appointments, audit, games, tables
from pbem.store.engine import Session

REMATCH = "rematch"
"""In the audit of the old game."""


def again(session: Session, game: tables.Game) -> Planned:
    """The rules, the options and the people of a game, whether it is over or not.

    The first seat becomes the last, so that nobody keeps the better place; a colour stays with
    its person. Whoever sits there now is asked, not who was replaced.
    """
    first, *others = (
        NewSeat(
            seat.colour,
            seat.name,
            seat.address,
            seat.language,
            is_open=seat.address is None and not seat.computer,
        )
        for seat in games.seats(session, game.id)
    )
    rules = atlas.state_of(session, game).ruleset
    return Planned(rules, Options.from_json(game.options), (*others, first), game.language)


def may(session: Session, house: House, game: tables.Game, who: Person, now: datetime) -> bool:
    """Whether somebody may ask the table on a page: who looks after the game, or plays in it where
    players may make games."""
    if who.may(game.id, May.ACT_A):
        return True
    return game.id in who.seats and founding.may(session, house, who.address, now)


def made(session: Session, game: tables.Game) -> str | None:
    """The newest game that was made of this one, by its name."""
    line = audit.newest(session, game.id, REMATCH)
    return None if line is None else str(line.detail["game"])


def make(
    session: Session,
    house: House,
    game: tables.Game,
    by: str,
    now: datetime,
    entropy: Callable[[int], bytes],
) -> tuple[tables.Game, tuple[int, ...]]:
    """Make the game and send the invitations: the game, and the outbox ids of its letters.

    Who only played in the old game does not look after the new one: the desk shows the addresses
    of all, and nobody was asked whether this person may know them.
    """
    new = founding.make(session, again(session, game), by, now, entropy)
    follow(session, game.id, new.id, by, now)
    return new, lobby.open_game(session, house, new, now, inviter="", start=False)


def follow(
    session: Session, old: int, new: int, by: str, now: datetime, *, reason: str = ""
) -> None:
    """Whoever looked after the old game looks after the new one; the old one's audit names it."""
    for held in appointments.of_game(session, old):
        appointments.appoint(session, new, held.address, held.office, held.by, now)
    audit.record(
        session,
        now,
        who=by,
        what=REMATCH,
        game_id=old,
        reason=reason,
        detail={"game": games.public_id(new)},
    )
