"""CLAIM wants, FILL spots, AVOID continents, CAPITAL territory: the wishes of the setup."""

from pbem.orders.clause import place
from pbem.orders.cursor import Cursor
from pbem.orders.plan import Avoid, Capital, Claim, Fill, Wish
from pbem.orders.word import Word
from pbem.rules.board import Code, ContinentId

_WISHES = {Word.NEAREST: Wish.NEAREST, Word.ANY: Wish.ANY}


def claim(cursor: Cursor) -> Claim:
    """Territories, continents, NEAREST or ANY, the dearest first."""
    wants = [_want(cursor)]
    while _another(cursor):
        wants.append(_want(cursor))
    return Claim(tuple(wants))


def fill(cursor: Cursor) -> Fill:
    """Spots as in PLACE."""
    return Fill(place.spots(cursor))


def avoid(cursor: Cursor) -> Avoid:
    """Continents."""
    continents = [_continent(cursor)]
    while _another(cursor):
        continents.append(_continent(cursor))
    return Avoid(tuple(continents))


def capital(cursor: Cursor) -> Capital:
    """One territory."""
    cursor.take(Word.ON, Word.TO)
    return Capital(cursor.territory(own=True))


def _another(cursor: Cursor) -> bool:
    wanted = (Word.NAME, Word.UNKNOWN, *_WISHES)
    if cursor.word() in (Word.COMMA, Word.AND) and cursor.word(1) in wanted:
        cursor.place += 1
    return cursor.word() in wanted


def _want(cursor: Cursor) -> Code | ContinentId | Wish:
    if word := cursor.take(*_WISHES):
        return _WISHES[word.word]
    return continent(cursor) or cursor.territory(or_continent=True)


def continent(cursor: Cursor) -> ContinentId | None:
    """The next name if it means one continent and no territory."""
    if not cursor.sees(Word.NAME):
        return None
    places = cursor.tokens[cursor.place].places
    if places.territories or len(places.continents) != 1:
        return None
    cursor.place += 1
    return places.continents[0]


def _continent(cursor: Cursor) -> ContinentId:
    found = continent(cursor)
    if found is None:
        raise cursor.misread()
    return found
