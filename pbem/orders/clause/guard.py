"""( IF | UNLESS ) condition { AND condition } [ ":" | "," | THEN ].

Beside the conditions of the grammar stand those that people say in their place: "if I captured
India", "if I have more than 4 in Siam", "if Siam has 5 or more".
"""

from dataclasses import replace

from pbem.orders.clause.attack import passed_verb, percent
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
from pbem.orders.scan import Token
from pbem.orders.spelling import words
from pbem.orders.word import Word
from pbem.rules.board import Code


def read(cursor: Cursor, *, unless: bool) -> Guard:
    """The guard behind its first word, its closing mark included."""
    idle_not = unless and _takes_idle_not(cursor)
    conditions = [*_condition(cursor, idle_not=idle_not)]
    while cursor.take(Word.AND):
        conditions += _condition(cursor, idle_not=idle_not)
    cursor.take(Word.COLON, Word.COMMA)
    cursor.take(Word.THEN)
    if idle_not:
        conditions = _undenied(cursor, conditions)
    return Guard(tuple(conditions), unless)


def _takes_idle_not(cursor: Cursor) -> bool:
    """Whether NOT denies nothing behind this UNLESS; a colon behind it says that it does."""
    said = words(cursor.tokens[cursor.place - 1].text)
    return not cursor.take(Word.COLON) and said in cursor.lexicon.idle_not


def _undenied(cursor: Cursor, conditions: list[Condition]) -> list[Condition]:
    """The conditions without their NOT; of several nobody can tell which one it is idle in."""
    denied = [getattr(condition, "negated", False) for condition in conditions]
    if any(denied) and len(conditions) > 1:
        raise cursor.misread()
    return [
        replace(one, negated=False) if isinstance(one, Captured | Hold | Eliminated) else one
        for one in conditions
    ]


def _condition(cursor: Cursor, *, idle_not: bool) -> tuple[Condition, ...]:
    """What is said between IF, AND and the end: one condition, or two that are said as one."""
    return _own_armies(cursor) or (_plain(cursor, idle_not=idle_not),)


def _own_armies(cursor: Cursor) -> tuple[Condition, ...]:
    """ "I have at least 4 armies in Siam": it is held, and so many stand there."""
    begun = cursor.place
    cursor.take(Word.HOLD)
    bound = _bound(cursor)
    cursor.take(Word.HOLD)  # Dutch says its verb last
    if bound is None or not cursor.take(Word.ON, Word.TO):
        cursor.place = begun
        return ()
    territory = cursor.territory(own=True)
    cursor.take(Word.HOLD)
    return Hold(territory), Armies(territory, *bound)


def _plain(cursor: Cursor, *, idle_not: bool) -> Condition:
    negated = cursor.take(Word.NOT, Word.NO) is not None
    if said := cursor.take(Word.CAPTURED, Word.MINE):
        if not (idle_not and negated) and (code := _code_within(cursor, said)):
            return Captured(code, negated) if said.word is Word.CAPTURED else Hold(code, negated)
        return Captured(cursor.territory() if _is_named(cursor) else None, negated)
    if cursor.take(Word.ELIMINATED):
        return Eliminated(negated)
    if not negated and cursor.take(Word.LACK):
        return Hold(continent(cursor) or cursor.territory(or_continent=True), negated=True)
    if cursor.take(Word.HOLD):
        return Hold(continent(cursor) or cursor.territory(or_continent=True), negated)
    if not negated and cursor.take(Word.NO_CARD):
        return NoCard()
    if not negated and cursor.take(Word.ODDS):
        passed_verb(cursor)
        at_most = cursor.need(Word.AT_LEAST, Word.AT_MOST).word is Word.AT_MOST
        return Chance(percent(cursor), at_most)
    return _about_territory(cursor, negated=negated)


def _code_within(cursor: Cursor, said: Token) -> Code | None:
    """The territory whose code the first word is: "se SIA conquistata" is if Siam is captured.

    Only behind "a meno che non" is that "sia" the form of a verb, for all that can be told.
    """
    first, *others = words(said.text)
    found = cursor.lexicon.names.get((first,)) if others else None
    return found.territories[0] if found and len(found.territories) == 1 else None


def _is_named(cursor: Cursor) -> bool:
    """Whether a territory follows, and not the path of an attack ("if captured Siam -> India")."""
    return cursor.sees(Word.NAME) and cursor.word(1) not in (Word.TO, Word.FROM)


def _about_territory(cursor: Cursor, *, negated: bool) -> Condition:
    """Who holds a territory, or how many armies; a NOT in front says the same as one behind."""
    territory = cursor.territory()
    bound = None if negated else _bound(cursor)
    if bound:
        return Armies(territory, *bound)
    negated = negated or cursor.take(Word.NOT) is not None
    if cursor.take(Word.HOLD, Word.MINE):  # Dutch says its verb last
        return Hold(territory, negated)
    if cursor.sees(Word.AND, Word.CAPTURED):
        cursor.place += 1  # Italian "è" folds to "e": it is conquered, not one condition more
    cursor.need(Word.CAPTURED)
    return Captured(territory, negated)


_BOUNDS = (Word.AT_LEAST, Word.AT_MOST, Word.MORE_THAN, Word.LESS_THAN)


def _bound(cursor: Cursor) -> tuple[int, bool] | None:
    """So many armies, and whether at most: "at least 4", "more than 3", "4 armies or more"."""
    if bound := cursor.take(*_BOUNDS):
        count = cursor.number_of()
        cursor.take(Word.ARMIES)
        more, less = bound.word is Word.MORE_THAN, bound.word is Word.LESS_THAN
        return count + more - less, less or bound.word is Word.AT_MOST
    begun, said = cursor.place, cursor.take(Word.NUMBER)
    if said is not None:
        cursor.take(Word.ARMIES)
        behind = cursor.take(Word.AT_LEAST, Word.AT_MOST)
        cursor.take(Word.ARMIES)
        if behind is not None:
            return said.value, behind.word is Word.AT_MOST
    cursor.place = begun
    return None
