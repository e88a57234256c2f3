"""What a sentence without an order word most likely orders: offered for a YES, no more."""

from pbem.orders.cursor import Cursor
from pbem.orders.mistake import Repair
from pbem.orders.spelling import words
from pbem.orders.word import Word

_COUNTS = (Word.NUMBER, Word.REST, Word.ALL)


def repair(cursor: Cursor) -> Repair | None:
    """The line with the order put in, if there is one that is likely."""
    first = cursor.tokens[cursor.place]
    if first.word is Word.TOLD:
        meant = cursor.lexicon.told[words(first.text)]
        return cursor.replaced(first, first, cursor.lexicon.printed[meant])
    if _is_attack(cursor):
        _, verb, target = cursor.tokens[cursor.place : cursor.place + 3]
        attack, to = cursor.lexicon.printed[Word.ATTACK], cursor.lexicon.printed[Word.TO]
        said = f"{attack} {first.text} {to} {target.text}"
        return cursor.replaced(first, target, said) if verb.start > first.start else None
    if _is_placement(cursor):
        placing = cursor.lexicon.printed[Word.PLACE]
        return cursor.replaced(first, first, f"{placing} {first.text}")
    return None


def _is_attack(cursor: Cursor) -> bool:
    """ "Siam attacks India"."""
    if cursor.word() is not Word.NAME or cursor.word(2) is not Word.NAME:
        return False
    verb = cursor.tokens[cursor.place + 1]
    told = cursor.lexicon.told.get(words(verb.text))
    return Word.ATTACK in (verb.word, told)


def _is_placement(cursor: Cursor) -> bool:
    """ "5 in Siam", "all my armies to Siam", "Siam 5", "Siam: 5"."""
    if cursor.word() in _COUNTS:
        ahead = 1
        while cursor.word(ahead) in (*_COUNTS, Word.ARMIES, Word.AND, Word.HOLD):
            ahead += 1
        ahead += cursor.word(ahead) in (Word.ON, Word.TO)
        return cursor.word(ahead) is Word.NAME
    ahead = 2 if cursor.word(1) in (Word.COLON, Word.WITH) else 1
    return cursor.word() is Word.NAME and cursor.word(ahead) is Word.NUMBER
