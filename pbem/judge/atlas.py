"""The board of a game, found from its row: the one way from a stored state to a state to play.

A state names its board. Those of the package are always at hand; one of another maker has to be
read from the database once a process, before anything asks the state for its board.
"""

from collections.abc import Mapping
from typing import Any

from pbem.rules import board as boards
from pbem.rules import notation
from pbem.rules.board import Board
from pbem.rules.state import State
from pbem.store import boards as stored
from pbem.store import tables
from pbem.store.engine import Session


def state_of(session: Session, game: tables.Game) -> State:
    """The game's state, its board at hand."""
    return state_from(session, game.state)


def state_from(session: Session, document: Mapping[str, Any]) -> State:
    """A state as a row keeps it: a game's own, a snapshot's, or one that letters show."""
    learn(session, notation.board_of(document)[0])
    return notation.state_from_json(document)


def board_of(session: Session, game: tables.Game) -> Board:
    """The board that a game is played on."""
    board_id = notation.board_of(game.state)
    learn(session, board_id[0])
    return boards.load(*board_id)


def learn(session: Session, name: str) -> None:
    """Takes in a board of another maker, if it is one that this process does not know yet.

    A board that is not kept is left to fail where it is asked for.
    """
    if not boards.is_foreign(name) or boards.is_known(name):
        return
    source = stored.source(session, boards.checksum_of(name))
    if source is not None:
        boards.keep(source)
