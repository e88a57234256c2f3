"""What can be told of lines before it is known in which language they are (orders.md, "Words")."""

from collections.abc import Collection, Sequence
from functools import cache

from pbem.orders.lexicon import LANGUAGES, Phrase, lexicon
from pbem.orders.scan import scan
from pbem.orders.spelling import words
from pbem.orders.word import IDLE, MODES, ORDER_WORDS, Word
from pbem.rules.board import Board, load

MANY = 2
"""So many words of another language make it likely that the mail is written in it."""

MOST_LINES = 40
_LONGEST_PHRASE = 6
_NO_WORDS = IDLE | frozenset({Word.UNKNOWN, Word.NAME, Word.NUMBER, Word.PERCENT})
_MARKS = frozenset({Word.COMMA, Word.COLON, Word.PERIOD, Word.THEN, Word.TO})


def begins_an_order(line: str) -> bool:
    """Whether the line begins as an order or a service does in some language, or is a mode.

    Some lines of prose do as well ("Hand ..."); no name, address or number does.
    """
    said = words(line)
    return said in _phrases(MODES) or _begins(said, _phrases(ORDER_WORDS))


def mentions_an_order(line: str) -> bool:
    """Whether an order word, a service or a mode of some language stands anywhere in the line."""
    said = words(line)
    known = _phrases(ORDER_WORDS | MODES)
    return any(_begins(said[start:], known) for start in range(len(said)))


def ends_the_orders(line: str) -> bool:
    """Whether the line says in some language that no orders follow."""
    return _begins(words(line), _phrases(frozenset({Word.END})))


@cache
def _phrases(classes: frozenset[Word]) -> frozenset[Phrase]:
    """What says one of these words in some language; the board makes no difference to it."""
    lexica = (lexicon(name, load("classic-world")) for name in LANGUAGES)
    return frozenset(
        phrase for each in lexica for phrase, (word, _) in each.phrases.items() if word in classes
    )


def _begins(said: Phrase, known: Collection[Phrase]) -> bool:
    return any(said[:end] in known for end in range(1, min(len(said), _LONGEST_PHRASE) + 1))


def other(lines: Sequence[str], language: str, board: Board) -> str | None:
    """Another language that the lines are likely in, if none is an order in the player's own.

    English counts as the player's own: it is always understood.
    """
    lines = [line for line in lines[:MOST_LINES] if line.strip()]
    if _count(lines, language, board)[0]:
        return None
    counts = {name: _count(lines, name, board) for name in LANGUAGES if name != language}
    orders, meant = max(counts.values(), default=(0, 0))
    best = [name for name, count in counts.items() if count == (orders, meant)]
    return best[0] if orders and meant >= MANY and len(best) == 1 else None


def _count(lines: Sequence[str], language: str, board: Board) -> tuple[int, int]:
    """Order words, and all words that mean something in orders."""
    known = lexicon(language, board)
    classes = [token.word for line in lines for token in scan(line, known)]
    orders = sum(word in ORDER_WORDS for word in classes)
    return orders, sum(word not in _NO_WORDS | _MARKS for word in classes)
