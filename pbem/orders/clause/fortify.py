"""FORTIFY ( number [ARMIES] | ALL [BUT number] ) [FROM] territory TO territory."""

from pbem.orders.cursor import Cursor
from pbem.orders.plan import Fortify
from pbem.orders.word import Word
from pbem.rules.board import Code

_NAME = (Word.NAME, Word.UNKNOWN)


def read(cursor: Cursor) -> Fortify:
    """One fortify; a source or a number that is not there is left for the check to ask."""
    armies, but = _amount(cursor)
    bare: Code | None = None
    source: Code | None = None
    target: Code | None = None
    while True:
        if target is None and cursor.word(1) in _NAME and cursor.take(Word.TO, Word.ON):
            target = cursor.territory()
        elif source is None and cursor.word(1) in _NAME and cursor.take(Word.FROM):
            source = cursor.territory(own=True)
        elif bare is None and cursor.word() in _NAME:
            bare = cursor.territory()
            if (source, target) == (None, None) and cursor.word() is Word.NAME:
                raise cursor.misread(repair=cursor.joined())
        elif (armies, but) == (None, None) and _amount_follows(cursor):
            armies, but = _amount(cursor)
        else:
            break
    if bare is not None:
        source, target = (source, bare) if target is None else (source or bare, target)
    if target is None:
        raise cursor.misread(source=source)
    return Fortify(source, target, armies, but)


def _amount_follows(cursor: Cursor) -> bool:
    ahead = 1 if cursor.word() in (Word.COMMA, Word.WITH) else 0
    return cursor.word(ahead) in (Word.NUMBER, Word.ALL)


def _amount(cursor: Cursor) -> tuple[int | None, int | None]:
    """Armies as a number, or as all but a number."""
    if cursor.word() in (Word.COMMA, Word.WITH) and cursor.word(1) in (Word.NUMBER, Word.ALL):
        cursor.place += 1
    if number := cursor.take(Word.NUMBER):
        while cursor.take(Word.ARMIES, Word.HOLD):
            pass
        return number.value or cursor.fail(), None
    if not cursor.take(Word.ALL):
        return None, None
    cursor.take(Word.ARMIES)
    but = 1
    if said := cursor.take(Word.BUT):
        but = said.value or cursor.number_of()  # Dutch "op een na" is the number, too
    while cursor.take(Word.ARMIES, Word.HOLD):
        pass
    return None, but or cursor.fail()
