"""In which language a mail that says nothing to us may have been written (orders.md, "Words")."""

from collections.abc import Sequence

from pbem.orders.lexicon import LANGUAGES, lexicon
from pbem.orders.scan import scan
from pbem.orders.word import IDLE, ORDER_WORDS, Word
from pbem.rules.board import Board

MANY = 2
"""So many words of another language make it likely that the mail is written in it."""

MOST_LINES = 40
_NO_WORDS = IDLE | frozenset({Word.UNKNOWN, Word.NAME, Word.NUMBER, Word.PERCENT})
_MARKS = frozenset({Word.COMMA, Word.COLON, Word.PERIOD, Word.THEN, Word.TO})


def other(lines: Sequence[str], language: str, board: Board) -> str | None:
    """Another language that the lines are likely in, if none is an order in the player's own.

    English counts as the player's own: it is always understood.
    """
    lines = [line for line in lines[:MOST_LINES] if line.strip()]
    if _count(lines, language, board)[0]:
        return None
    counts = {name: _count(lines, name, board) for name in LANGUAGES if name != language}
    orders, words = max(counts.values(), default=(0, 0))
    best = [name for name, count in counts.items() if count == (orders, words)]
    return best[0] if orders and words >= MANY and len(best) == 1 else None


def _count(lines: Sequence[str], language: str, board: Board) -> tuple[int, int]:
    """Order words, and all words that mean something in orders."""
    known = lexicon(language, board)
    classes = [token.word for line in lines for token in scan(line, known)]
    orders = sum(word in ORDER_WORDS for word in classes)
    return orders, sum(word not in _NO_WORDS | _MARKS for word in classes)
