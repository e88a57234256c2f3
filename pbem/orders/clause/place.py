"""PLACE spots ("3 in Siam, the rest in India") or pots ("Siam 3, India 2"), never mixed."""

from pbem.orders.clause import verb_last
from pbem.orders.cursor import Cursor, Misread
from pbem.orders.plan import Amount, Place, PlaceNeutral, Spot
from pbem.orders.word import Word
from pbem.rules.board import Code

_AMOUNT = (Word.NUMBER, Word.REST, Word.ALL, Word.ALL_IN)
"""ALL_IN is "all in" before a name: all, in Siam."""
_NAME = (Word.NAME, Word.UNKNOWN)


def read(cursor: Cursor) -> Place | PlaceNeutral:
    """All spots of one PLACE, or of one PLACE NEUTRAL."""
    if cursor.take(Word.NEUTRAL):
        return PlaceNeutral(spots(cursor, own=False))
    return Place(spots(cursor))


def spots(cursor: Cursor, *, own: bool = True) -> tuple[Spot, ...]:
    """One or more spots, all of the form of the first; `own` if only the player's can be meant."""
    begun = cursor.place
    one, other = (_spot, _NAME) if cursor.word() in _AMOUNT else (_pot, _AMOUNT)
    found = [one(cursor, own=own)]
    while _another(cursor):
        if cursor.word() in other:
            cursor.place = begun
            raise _mixed(cursor)
        found.append(one(cursor, own=own))
    return tuple(found)


def _another(cursor: Cursor) -> bool:
    wanted = (*_AMOUNT, *_NAME)
    if cursor.word() in (Word.COMMA, Word.AND) and cursor.word(1) in wanted:
        if verb_last.find(cursor, 1):
            return False  # "5 legers op Siam zetten en India aanvallen"
        cursor.place += 1
    return cursor.word() in wanted


def _spot(cursor: Cursor, *, own: bool) -> Spot:
    armies = _amount(cursor)
    while cursor.take(Word.ARMIES, Word.HOLD):
        pass  # "all the armies I have"
    if not cursor.at_end and cursor.tokens[cursor.place].text == "x":
        cursor.place += 1  # "4x Brazil"
    # English "in" is the Slovenian "and": behind a number it can only mean the place.
    cursor.take(Word.ON, Word.TO, Word.AND)
    return Spot(cursor.territory(own=own), armies)


def _pot(cursor: Cursor, *, own: bool) -> Spot:
    cursor.take(Word.ON, Word.TO)
    territory = cursor.territory(own=own)
    cursor.take(Word.COLON, Word.WITH, Word.FROM)
    spot = Spot(territory, _amount(cursor))
    cursor.take(Word.ARMIES)
    return spot


def _amount(cursor: Cursor) -> int | Amount:
    if cursor.sees(Word.ALL, Word.NUMBER):
        cursor.place += 1  # "all 5"
    elif cursor.sees(Word.ALL, Word.AND, Word.NUMBER):
        cursor.place += 2  # Italian "tutte e 5"
    amount = cursor.need(*_AMOUNT)
    if amount.word is not Word.NUMBER:
        return Amount.REST
    return amount.value or cursor.fail()


def _mixed(cursor: Cursor) -> Misread:
    """Numbers before and after names: which belongs to which is the player's to say (E26)."""
    armies: list[int | Amount] = []
    names: list[Code] = []
    first = last = cursor.tokens[cursor.place]
    while not cursor.at_end:
        last = cursor.tokens[cursor.place]
        if cursor.word() in _AMOUNT:
            armies.append(_amount(cursor))
        elif cursor.word() in _NAME:
            names.append(cursor.territory())
        elif not cursor.take(Word.COMMA, Word.AND, Word.ARMIES, Word.ON, Word.TO):
            break
    if len(armies) != len(names) or not all(isinstance(a, int) for a in armies):
        return cursor.misread()
    language, lands = cursor.lexicon.language, cursor.table.board.territories
    said = (lands[code].names.get(language, lands[code].name) for code in names)
    likely = ", ".join(f"{count} {name}" for count, name in zip(armies, said, strict=True))
    return cursor.misread("E26", cursor.replaced(first, last, likely), example=likely)
