"""Names of territories that orders cannot say: there the code stands for them.

Ours can all be said; on a board of another maker a territory may be called "Capital", "Sector 7"
or like a continent.
"""

from functools import lru_cache

from pbem.orders.lexicon import MOST_AT_HAND, Lexicon, Places, lexicon
from pbem.orders.scan import scan
from pbem.orders.word import Word
from pbem.rules import board as boards
from pbem.rules.board import Board, Code


def unsaid(language: str, board: Board) -> frozenset[Code]:
    """The territories whose printed name does not read back as they, alone, in a language."""
    return _unsaid(language, board.id)


@lru_cache(maxsize=MOST_AT_HAND)
def _unsaid(language: str, board_id: str) -> frozenset[Code]:
    board = boards.load(*board_id.split("/"))
    known = lexicon(language, board)
    return frozenset(
        code
        for code, territory in board.territories.items()
        if not _is_said(territory.names.get(language, territory.name), code, known)
    )


def unsaid_continents(language: str, board: Board) -> tuple[str, ...]:
    """The names of continents that do not read back as they, alone; no code stands for them."""
    known = lexicon(language, board)
    names = {key: c.names.get(language, c.name) for key, c in board.continents.items()}
    return tuple(
        name
        for key, name in names.items()
        if [token.places for token in scan(name, known)] != [Places(continents=(key,))]
    )


def _is_said(name: str, code: Code, known: Lexicon) -> bool:
    """Whether the name is read as the territory between the words that orders put around it."""
    return all(_is_read(name, code, joint, known) for joint in (Word.FROM, Word.TO))


def _is_read(name: str, code: Code, joint: Word, known: Lexicon) -> bool:
    found = scan(f"{name} {known.printed[joint]} {name}", known)
    return [token.word for token in found] == [Word.NAME, joint, Word.NAME] and all(
        (token.places.territories, token.places.continents) == ((code,), ())
        for token in (found[0], found[-1])
    )
