"""Orders that say their verb last, as Dutch does: "5 legers op Siam zetten"."""

from pbem.orders.cursor import Cursor
from pbem.orders.word import Word

_VERBS = (Word.PLACE, Word.ATTACK, Word.FORTIFY)
_OBJECTS = frozenset(
    {Word.NUMBER, Word.REST, Word.ALL, Word.ARMIES, Word.HOLD, Word.NAME, Word.ROLLS, Word.ONCE}
    | {Word.ON, Word.TO, Word.FROM, Word.WITH, Word.DICE, Word.AND}
)
"""What may stand before the verb."""

_CARDS = (Word.NUMBER, Word.WILD, Word.NAME, Word.COMMA, Word.AND)

_BEGINS = (Word.NUMBER, Word.REST, Word.ALL, Word.NAME)
"""What a further object begins with: then the verb stands between two and was not the last word."""


def turn(cursor: Cursor) -> None:
    """Puts a verb that ends its order where the order begins."""
    if cursor.sees(Word.NAME, Word.COLON, Word.ATTACK):
        cursor.tokens.pop(cursor.place + 1)  # "India: attack from Siam"
    ahead = find(cursor) or _trade(cursor)
    if ahead:
        cursor.tokens.insert(cursor.place, cursor.tokens.pop(cursor.place + ahead))


def _trade(cursor: Cursor) -> int | None:
    """How far ahead TRADE stands behind its cards: "kaarten 1, 2 en 3 inruilen"."""
    if cursor.word() is not Word.CARDS:
        return None
    ahead = 1
    while cursor.word(ahead) in _CARDS:
        ahead += 1
    return ahead if cursor.word(ahead) is Word.TRADE and cursor.word(ahead + 1) is None else None


def find(cursor: Cursor, begun: int = 0) -> int | None:
    """How far ahead the verb stands that ends the order which begins `begun` words ahead."""
    ahead = begun
    while cursor.word(ahead) in _OBJECTS:
        ahead += 1
    if ahead == begun or cursor.word(ahead) not in _VERBS or cursor.word(ahead + 1) in _BEGINS:
        return None
    # "5 in Siam and attack": another order begins there.
    return None if cursor.word(ahead - 1) is Word.AND else ahead
