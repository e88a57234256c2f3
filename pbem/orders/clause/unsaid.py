"""What a sentence without an order word most likely orders: offered for a YES, no more."""

from collections.abc import Callable

from pbem.orders.cursor import Cursor
from pbem.orders.mistake import Repair
from pbem.orders.spelling import words
from pbem.orders.word import Word

_COUNTS = (Word.NUMBER, Word.REST, Word.ALL)
_AMOUNT = (*_COUNTS, Word.ARMIES, Word.AND, Word.HOLD, Word.ROLLS)
"""What a number of armies is said with; ROLLS is the x of "4x Brazil"."""

_FROM = (Word.FROM, Word.WITH)
_TO = (Word.TO, Word.ON)


def repair(cursor: Cursor) -> Repair | None:
    """The line with the order put in, if there is one that is likely."""
    first = cursor.tokens[cursor.place]
    if first.word is Word.TOLD:
        meant = cursor.lexicon.told[words(first.text)]
        if meant is Word.FORTIFY and _is_placement(cursor, 1) and not _names_source(cursor):
            meant = Word.PLACE  # Italian "manda 5 armate in Siam"
        return cursor.replaced(first, first, cursor.lexicon.printed[meant])
    return next((found for likely in _LIKELY if (found := likely(cursor))), None)


def _attack(cursor: Cursor) -> Repair | None:
    """ "Siam attacks India", "use Siam to attack India", "with Siam I capture India"."""
    begun = 1 if cursor.word() in _FROM else 0
    verb = begun + 1 + (cursor.word(begun + 1) is Word.TO)
    if not (cursor.word(begun) is cursor.word(verb + 1) is Word.NAME):
        return None
    if not _says(cursor, verb, Word.ATTACK) and cursor.word(verb) is not Word.CAPTURED:
        return None
    first, source = cursor.tokens[cursor.place], cursor.tokens[cursor.place + begun]
    said, target = cursor.tokens[cursor.place + verb : cursor.place + verb + 2]
    attack, to = cursor.lexicon.printed[Word.ATTACK], cursor.lexicon.printed[Word.TO]
    text = f"{attack} {source.text} {to} {target.text}"
    return cursor.replaced(first, target, text) if said.start > source.start else None


def _capture(cursor: Cursor) -> Repair | None:
    """ "Capture India from Siam"."""
    verb = cursor.tokens[cursor.place]
    if not cursor.sees(Word.CAPTURED, Word.NAME):
        return None
    return cursor.replaced(verb, verb, cursor.lexicon.printed[Word.ATTACK])


def _sending(cursor: Cursor) -> Repair | None:
    """ "Peru sends 2 to Brazil"."""
    if cursor.word() is not Word.NAME or not _says(cursor, 1, Word.FORTIFY):
        return None
    ahead = _behind_amount(cursor, 2)
    if ahead == 2 or cursor.word(ahead) not in _TO or cursor.word(ahead + 1) is not Word.NAME:
        return None
    source, amount = cursor.tokens[cursor.place], cursor.tokens[cursor.place + 2]
    armies = cursor.tokens[cursor.place + ahead - 1]
    move, start = cursor.lexicon.printed[Word.FORTIFY], cursor.lexicon.printed[Word.FROM]
    count = cursor.text[amount.start : armies.end]
    return cursor.replaced(source, armies, f"{move} {count} {start} {source.text}")


def _path(cursor: Cursor) -> Repair | None:
    """ "Siam to India" attacks; with a number of armies, "2 from Peru to Brazil", it fortifies."""
    ahead = _behind_amount(cursor, 0)
    begun = ahead + (cursor.word(ahead) is Word.FROM)
    joint = cursor.word(begun + 1)
    if not (cursor.word(begun) is cursor.word(begun + 2) is Word.NAME):
        return None
    if joint not in (*_TO, Word.AGAINST):
        return None
    counted = ahead or _is_count(cursor, begun + 3)
    order = Word.FORTIFY if counted else Word.ATTACK
    return None if counted and joint is Word.AGAINST else _ordered(cursor, order)


def _placement(cursor: Cursor) -> Repair | None:
    """ "5 in Siam", "my 5 armies: 3 in Siam", "I have 5 in Siam", "Siam 5", "Siam: 5"."""
    first = cursor.tokens[cursor.place]
    begun = 1 if cursor.word() is Word.HOLD else 0
    if cursor.word(heading := _behind_amount(cursor, begun)) is Word.COLON and heading:
        begun = heading + 1
    if not _is_placement(cursor, begun):
        return None
    if not begun:
        return _ordered(cursor, Word.PLACE)
    last = cursor.tokens[cursor.place + begun - 1]
    return cursor.replaced(first, last, cursor.lexicon.printed[Word.PLACE])


def _is_placement(cursor: Cursor, begun: int) -> bool:
    if cursor.word(begun) in _COUNTS:
        ahead = _behind_amount(cursor, begun)
        ahead += cursor.word(ahead) in _TO
        return cursor.word(ahead) is Word.NAME
    ahead = begun + (2 if cursor.word(begun + 1) in (Word.COLON, Word.WITH) else 1)
    return cursor.word(begun) is Word.NAME and cursor.word(ahead) is Word.NUMBER


_LIKELY: tuple[Callable[[Cursor], Repair | None], ...] = (
    _attack,
    _capture,
    _sending,
    _path,
    _placement,
)


def _ordered(cursor: Cursor, order: Word) -> Repair:
    """The line with an order word before the sentence."""
    first = cursor.tokens[cursor.place]
    return cursor.replaced(first, first, f"{cursor.lexicon.printed[order]} {first.text}")


def _behind_amount(cursor: Cursor, ahead: int) -> int:
    """How far ahead a number of armies ends that begins `ahead`; there if none does."""
    if cursor.word(ahead) not in _COUNTS:
        return ahead
    while cursor.word(ahead) in _AMOUNT:
        ahead += 1
    return ahead


def _names_source(cursor: Cursor) -> bool:
    return any(token.word is Word.FROM for token in cursor.tokens[cursor.place :])


def _is_count(cursor: Cursor, ahead: int) -> bool:
    """Whether a number of armies stands there, not one of rolls: "Siam to India, 3 rolls"."""
    counted = cursor.word(ahead) is Word.NUMBER
    return counted and cursor.word(ahead + 1) not in (Word.ROLLS, Word.DICE, Word.HOLD)


def _says(cursor: Cursor, ahead: int, order: Word) -> bool:
    """Whether a word is of the order, or tells of it: "attacks"."""
    if cursor.word(ahead) is None:
        return False
    token = cursor.tokens[cursor.place + ahead]
    return order in (token.word, cursor.lexicon.told.get(words(token.text)))
