"""A sentence: [ guard | ELSE ] order { ( ";" | THEN ) order }, read by a table of readers."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from pbem.orders.clause import attack, fortify, guard, place, setup, trade, unsaid, verb_last
from pbem.orders.cursor import Cursor
from pbem.orders.mistake import Note, Repair
from pbem.orders.plan import (
    Attack,
    Captured,
    Chance,
    Else,
    Flow,
    Guard,
    Occupy,
    Order,
    Place,
    Sentence,
    Trade,
    Trading,
)
from pbem.orders.spelling import fold
from pbem.orders.word import FLOW, MODES, ORDER_WORDS, Word
from pbem.rules.board import Code
from pbem.rules.odds import Limits

READERS: Mapping[Word, Callable[[Cursor], Order]] = {
    Word.TRADE: trade.read,
    Word.PLACE: place.read,
    Word.ATTACK: attack.read,
    Word.OCCUPY: attack.occupy,
    Word.FORTIFY: fortify.read,
    Word.CLAIM: setup.claim,
    Word.FILL: setup.fill,
    Word.AVOID: setup.avoid,
    Word.CAPITAL: setup.capital,
    Word.END: lambda _: Flow.END,
    Word.STOP: lambda _: Flow.STOP,
    Word.PAUSE: lambda _: Flow.PAUSE,
    Word.CONTINUE: lambda _: Flow.CONTINUE,
    Word.TAKE_BACK: lambda _: Flow.TAKE_BACK,
}
"""One reader an order word; it reads what follows the word."""

_JOINTS = (Word.AND, Word.THEN, Word.COMMA)
_BEGINNERS = ORDER_WORDS | {Word.TOLD}


def read(cursor: Cursor) -> tuple[Sentence, ...]:
    """The sentences of one part of a line; raises Misread.

    There is one, unless a guard stands behind an order ("attack X if captured") or before the
    second ("attack X, if captured attack Y").
    """
    while cursor.take(*_JOINTS, Word.TO, Word.COLON, Word.OR):
        pass  # "and then", "I want to", "my turn:"
    guarded = _guard(cursor)
    orders = [_order(cursor, captured=_awaits_capture(guarded))]
    while not cursor.at_end:
        if _guard_follows(cursor):
            return _with_later_guard(cursor, orders, guarded)
        _joint(cursor, orders[-1])
        if not cursor.at_end:
            _append(orders, _order(cursor))
    return (Sentence(tuple(orders), guarded),)


def _awaits_capture(guarded: Guard | Else | None) -> bool:
    match guarded:
        case Guard((Captured(_, False),), False):
            return True
    return False


def _guard_follows(cursor: Cursor) -> bool:
    """Passes the joints before a guard that stands behind an order."""
    joints = 0
    while cursor.word(joints) in _JOINTS:
        joints += 1
    if cursor.word(joints) not in (Word.IF, Word.UNLESS):
        return False
    cursor.place += joints
    return True


def _with_later_guard(
    cursor: Cursor, orders: list[Order], guarded: Guard | Else | None
) -> tuple[Sentence, ...]:
    """At the end it is the last order's, else it begins the next sentence; two may be nested."""
    if guarded is not None:
        raise cursor.misread()
    begun = cursor.place
    later = guard.read(cursor, unless=cursor.need(Word.IF, Word.UNLESS).word is Word.UNLESS)
    if not cursor.at_end:
        cursor.place = begun
        return (Sentence(tuple(orders)), *read(cursor))
    if any(isinstance(condition, Chance) for condition in later.conditions):
        raise cursor.misread()  # asked once, or before every roll?
    *before, last = orders
    first = (Sentence(tuple(before)),) if before else ()
    return (*first, Sentence((last,), later))


def _guard(cursor: Cursor) -> Guard | Else | None:
    if cursor.take(Word.IF):
        return guard.read(cursor, unless=False)
    if cursor.take(Word.UNLESS):
        return guard.read(cursor, unless=True)
    if cursor.take(Word.ELSE):
        cursor.take(Word.COLON, Word.COMMA)
        return Else()
    return None


def _order(cursor: Cursor, *, captured: bool = False) -> Order:
    """One order; `captured` if it is said for the case that the last attack captured."""
    cursor.start = cursor.place
    if _is_bare_path(cursor):
        return attack.read(cursor)
    if _is_roll(cursor):
        return _rolled(cursor)
    if _declines_trade(cursor):
        return Trade(Trading.NONE)
    if source := _leading_source(cursor):
        return attack.read(cursor, source)
    verb_last.turn(cursor)
    word = _order_word(cursor)
    cursor.place += 1
    cursor.take(Word.COLON)
    if cursor.sees(Word.THEN) and cursor.tokens[cursor.place].text != ";":
        cursor.place += 1  # Dutch "val dan India aan"
    if word is Word.FORTIFY and _moves_in(cursor, captured=captured):
        return attack.occupy(cursor)
    if word is Word.FORTIFY and _reinforces(cursor):
        return place.read(cursor)
    return READERS[word](cursor)


def _is_roll(cursor: Cursor) -> bool:
    """ "Two rolls against India from Siam", "I roll against India from Siam until I win"."""
    ahead = 1 if cursor.word() is Word.ROLLS and not cursor.tokens[cursor.place].value else 0
    if cursor.word(ahead) in (Word.ONCE, Word.ROLLS):
        ahead += 1
    elif cursor.word(ahead) is Word.NUMBER and cursor.word(ahead + 1) is Word.ROLLS:
        ahead += 2
    toward = cursor.word(ahead) in (Word.AGAINST, Word.TO, Word.ON)
    return bool(ahead) and toward and cursor.word(ahead + 1) is Word.NAME


def _rolled(cursor: Cursor) -> Attack:
    """An attack in terms of its rolls; whoever does not say how many is asked."""
    if cursor.word() is Word.ROLLS and not cursor.tokens[cursor.place].value:
        cursor.place += 1
    said = attack.read(cursor)
    if said.limits == Limits() and said.until is None and said.odds is None:
        raise cursor.misread()
    return said


def _declines_trade(cursor: Cursor) -> bool:
    """ "No trade", alone."""
    if cursor.word() not in (Word.NO, Word.NONE) or cursor.word(1) is not Word.TRADE:
        return False
    if cursor.word(2) not in (None, *_JOINTS):
        return False
    cursor.place += 2
    return True


def _reinforces(cursor: Cursor) -> bool:
    """ "Fortify Brazil with 4 and Egypt with 2" from nowhere: a fortify has one target, no two."""
    one = (Word.NAME, Word.WITH, Word.NUMBER)
    ahead = 4 if cursor.word(3) is Word.ARMIES else 3
    joint = cursor.word(ahead) in (Word.AND, Word.COMMA)
    other = tuple(cursor.word(ahead + 1 + place) for place in range(len(one)))
    behind = cursor.word(ahead + 1 + len(one))
    return cursor.sees(*one) and joint and other == one and behind is not Word.FROM


def _moves_in(cursor: Cursor, *, captured: bool) -> bool:
    """Whether "move 3 in" stands there; "if captured: move all" needs no IN."""
    if cursor.word() not in (Word.NUMBER, Word.ALL, Word.LEAST):
        return False
    ahead = 2 if cursor.word(1) is Word.ARMIES else 1
    if cursor.word(ahead) is Word.ON:
        return cursor.word(ahead + 1) in (None, *_JOINTS)
    return captured and cursor.word(ahead) in (None, *_JOINTS)


def _is_bare_path(cursor: Cursor) -> bool:
    """ "Siam -> India" alone: whoever draws an arrow from an own territory to an enemy attacks.

    With a number behind it ("Siam -> India 3") armies are to move, or are they dice?
    """
    arrow = cursor.tokens[cursor.place + 1] if cursor.word(1) is Word.TO else None
    if arrow is None or ">" not in arrow.text or not cursor.sees(Word.NAME, Word.TO, Word.NAME):
        return False
    return cursor.word(3) is not Word.NUMBER or cursor.word(4) in (Word.ROLLS, Word.DICE)


def _leading_source(cursor: Cursor) -> Code | None:
    """ "From Siam, attack India": the source before its order word."""
    ahead = 3 if cursor.word(2) is Word.COMMA else 2
    if cursor.word() not in (Word.FROM, Word.WITH) or cursor.word(1) is not Word.NAME:
        return None
    if cursor.word(ahead) is not Word.ATTACK:
        return None
    cursor.place += 1
    source = cursor.territory(own=True)
    cursor.place += ahead - 1
    return source


def _order_word(cursor: Cursor) -> Word:
    """The class of the order word that has to come next; one slip of the pen is mended."""
    if cursor.at_end:
        raise cursor.misread()
    token = cursor.tokens[cursor.place]
    if token.word in READERS:
        return token.word
    if token.word in ORDER_WORDS | MODES:
        raise cursor.misread(unsupported=token.word in ORDER_WORDS)
    if (likely := unsaid.repair(cursor)) is not None:
        raise cursor.misread(repair=likely)
    near = cursor.mender.word(fold(token.text)) if token.word is Word.UNKNOWN else None
    if near is None or near not in READERS or near in FLOW:
        raise cursor.misread()
    cursor.notes.append(
        Note("typo", cursor.number, {"written": token.text, "word": cursor.lexicon.printed[near]})
    )
    return near


def _joint(cursor: Cursor, last: Order) -> None:
    """What parts two orders; anything else left over was not understood."""
    if cursor.sees(Word.ON) and cursor.word(1) in (None, *_JOINTS):
        cursor.place += 1  # the loose half of a separable verb: "ruil 1 2 3 in"
        if cursor.at_end:
            return
    joints = 0
    while cursor.word(joints) in _JOINTS:
        joints += 1
    follows = cursor.word(joints)
    verb = cursor.word(joints + 1) if follows is Word.TO else follows
    begins = verb in _BEGINNERS or verb_last.find(cursor, joints) is not None
    parted = any(cursor.word(ahead) is Word.THEN for ahead in range(joints))
    if not joints or not (follows is None or parted or begins):
        raise cursor.misread(unread=cursor.tokens[cursor.place].text, repair=_moving(cursor, last))
    cursor.place += joints
    if follows is Word.TO:
        cursor.place += 1  # "and I would like to attack"


def _moving(cursor: Cursor, last: Order) -> Repair | None:
    """ "Reinforce Brazil with 2 from Peru": what comes from somewhere is moved."""
    if not isinstance(last, Place) or not cursor.sees(Word.FROM, Word.NAME):
        return None
    return cursor.replaced(cursor.head, cursor.head, cursor.lexicon.printed[Word.FORTIFY])


def _append(orders: list[Order], order: Order) -> None:
    """An order more; "then move in 3" belongs to the attack before it."""
    last = orders[-1]
    if isinstance(order, Occupy) and isinstance(last, Attack) and last.move is None:
        orders[-1] = replace(last, move=order.armies)
    else:
        orders.append(order)
