"""The board of a game, found from its row: the one way from a stored state to a state to play.

A state names its board. Those of the package are always at hand; one of another maker has to be
read from the database once a process, before anything asks the state for its board.
"""

from collections.abc import Mapping
from typing import Any

from pbem.rules import board as boards
from pbem.rules import notation
from pbem.rules.board import CLASSIC, Board
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


def named(session: Session, name: str) -> str:
    """What the option `board` of a new game has to say for a board of that name.

    A board of another maker gets its checksum here and is at hand from now on; a variant of ours
    stays as it is, and so does what is none: `choosing.choose` refuses that.
    """
    kept = stored.named(session, name)
    if kept is None:
        return name
    return boards.keep(kept.source).id


def listing(session: Session) -> list[dict[str, Any]]:
    """The facts of all boards that a game can be made with, ours first."""
    ours = [facts(boards.load(CLASSIC, variant)) for variant in (None, *boards.variants())]
    return [*ours, *(facts(boards.keep(row.source)) for row in stored.listing(session))]


def facts(board: Board) -> dict[str, Any]:
    """What a game master wants to know of a board before choosing it, as JSON."""
    name, _, checksum = board.id.rpartition(boards.MARK)
    ours = board.id.partition("/")[2] or board.id
    return {
        "name": name or ours,
        "title": board.title,
        "checksum": checksum if name else None,
        "territories": len(board.codes),
        "continents": len(board.continents),
        "borders": sum(map(len, board.neighbours.values())) // 2,
        "wild_cards": board.wild_cards,
        # Ours are played with the missions of the decks, which are no board's own.
        "missions": len([own for own in board.missions if not own.only_fallback]) if name else None,
        "land": [
            {
                "name": continent.name,
                "bonus": continent.bonus,
                "territories": {c: board.territories[c].name for c in continent.territories},
            }
            for continent in board.continents.values()
        ],
    }


def learn(session: Session, name: str) -> None:
    """Takes in a board of another maker, if it is one that this process does not know yet.

    A board that is not kept is left to fail where it is asked for.
    """
    if not boards.is_foreign(name) or boards.is_known(name):
        return
    source = stored.source(session, boards.checksum_of(name))
    if source is not None:
        boards.keep(source)
