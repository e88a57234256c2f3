"""The same people once more: a new game as an old one was made."""

from typing import NamedTuple

from pbem.judge import atlas
from pbem.judge.lobby import NewSeat
from pbem.judge.options import Options
from pbem.rules.ruleset import Ruleset
from pbem.store import games, tables
from pbem.store.engine import Session


class Rematch(NamedTuple):
    """What the new game is made of."""

    ruleset: Ruleset
    options: Options
    seats: tuple[NewSeat, ...]
    language: str


def again(session: Session, game: tables.Game) -> Rematch:
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
    return Rematch(rules, Options.from_json(game.options), (*others, first), game.language)
