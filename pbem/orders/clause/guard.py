"""( IF | UNLESS ) condition { AND condition } [ ":" | "," | THEN ]."""

from pbem.orders.clause.attack import percent
from pbem.orders.clause.setup import continent
from pbem.orders.cursor import Cursor
from pbem.orders.plan import (
    Armies,
    Captured,
    Chance,
    Condition,
    Eliminated,
    Guard,
    Hold,
    NoCard,
)
from pbem.orders.word import Word


def read(cursor: Cursor, *, unless: bool) -> Guard:
    """The guard behind its first word, its closing mark included."""
    conditions = [_condition(cursor)]
    while cursor.take(Word.AND):
        conditions.append(_condition(cursor))
    cursor.take(Word.COLON, Word.COMMA, Word.THEN)
    return Guard(tuple(conditions), unless)


def _condition(cursor: Cursor) -> Condition:
    negated = cursor.take(Word.NOT) is not None
    if cursor.take(Word.CAPTURED):
        return Captured(None, negated)
    if cursor.take(Word.ELIMINATED):
        return Eliminated(negated)
    if cursor.take(Word.HOLD):
        return Hold(continent(cursor) or cursor.territory(), negated)
    if not negated and cursor.take(Word.NO_CARD):
        return NoCard()
    if not negated and cursor.take(Word.ODDS):
        at_most = cursor.need(Word.AT_LEAST, Word.AT_MOST).word is Word.AT_MOST
        return Chance(percent(cursor), at_most)
    return _about_territory(cursor, negated=negated)


def _about_territory(cursor: Cursor, *, negated: bool) -> Condition:
    """Who holds a territory, or how many armies; a NOT in front says the same as one behind."""
    territory = cursor.territory()
    bound = None if negated else cursor.take(Word.AT_LEAST, Word.AT_MOST)
    if bound:
        count = cursor.number_of()
        cursor.take(Word.ARMIES)
        return Armies(territory, count, bound.word is Word.AT_MOST)
    negated = negated or cursor.take(Word.NOT) is not None
    if cursor.sees(Word.AND, Word.CAPTURED):
        cursor.place += 1  # Italian "è" folds to "e": it is conquered, not one condition more
    cursor.need(Word.CAPTURED)
    return Captured(territory, negated)
