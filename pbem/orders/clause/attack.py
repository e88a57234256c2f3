"""ATTACK path { limit } [ ELSE ( STOP | PAUSE | CONTINUE ) ]; path and limits in any order."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from pbem.orders.cursor import Cursor
from pbem.orders.plan import Amount, Attack, Occupy, Otherwise
from pbem.orders.word import Word
from pbem.rules.board import Code

_NAME = (Word.NAME, Word.UNKNOWN)


def read(cursor: Cursor, source: Code | None = None) -> Attack:
    """One attack, chain or not; its source may have been said before."""
    path = _Path(source)
    attack = Attack(())
    while True:
        if cursor.word() in (Word.COMMA, Word.AND) and cursor.word(1) in _MORE:
            cursor.place += 1
        if path.read(cursor):
            continue
        limited = _limit(cursor, attack)
        if limited is None:
            return replace(attack, path=path.whole(cursor))
        attack = limited


class _Path:
    """Names as they come: bare, behind FROM, behind TO."""

    def __init__(self, source: Code | None) -> None:
        self.bare: Code | None = None
        self.source = source
        self.targets: list[Code] = []

    def read(self, cursor: Cursor) -> bool:
        """Takes one name with its preposition, if there is one."""
        if cursor.word(1) in _NAME and cursor.take(Word.TO):
            self.targets.append(cursor.territory())
        elif self.source is None and _from(cursor):
            self.source = cursor.territory(own=True)
        elif self.bare is None and cursor.word() in _NAME:
            self.bare = cursor.territory()
        else:
            return False
        return True

    def whole(self, cursor: Cursor) -> tuple[Code, ...]:
        """Source and targets; a bare name is whatever the prepositions leave open."""
        if self.bare is None and self.source and self.targets:
            return (self.source, *self.targets)
        if self.bare and self.source:
            return (self.source, self.bare, *self.targets)
        if self.bare and self.targets:
            return (self.bare, *self.targets)
        target = self.bare or (self.targets[0] if len(self.targets) == 1 else None)
        raise cursor.misread(target=target, source=self.source)


def _from(cursor: Cursor) -> bool:
    """Takes FROM before a name; behind "with all my armies" IN says the same."""
    if cursor.word(1) not in _NAME:
        return False
    behind_armies = cursor.tokens[cursor.place - 1].word is Word.ARMIES
    return cursor.take(Word.FROM, *((Word.ON,) if behind_armies else ())) is not None


def _limit(cursor: Cursor, attack: Attack) -> Attack | None:
    """The attack with the limit that comes next; None where none comes."""
    word = cursor.word()
    reader = _LIMITS.get(word) if word else None
    if reader is None:
        return None
    begun = cursor.place
    cursor.place += 1
    limited = reader(cursor, attack)
    if limited is None:
        cursor.place = begun
    return limited


def _once(_: Cursor, attack: Attack) -> Attack:
    return replace(attack, limits=replace(attack.limits, rolls=1))


def _count(cursor: Cursor, attack: Attack) -> Attack | None:
    """A number before its unit: rolls, dice or armies."""
    count = cursor.tokens[cursor.place - 1].value
    if cursor.take(Word.ROLLS):
        return replace(attack, limits=replace(attack.limits, rolls=count or cursor.fail()))
    if cursor.take(Word.DICE):
        return _dice(cursor, attack, count)
    if cursor.take(Word.ARMIES):
        return _armies(cursor, attack, count)
    return None


def _with(cursor: Cursor, attack: Attack) -> Attack:
    if cursor.take(Word.ALL):
        cursor.take(Word.ARMIES)
        return _all_in(cursor, attack)
    cursor.take(Word.AT_MOST)
    count = cursor.number_of()
    if cursor.take(Word.DICE):
        return _dice(cursor, attack, count)
    if cursor.take(Word.ARMIES):
        return _armies(cursor, attack, count)
    raise cursor.misread("E10", count=count)


def _dice(cursor: Cursor, attack: Attack, count: int) -> Attack:
    if not 1 <= count <= 3:
        raise cursor.misread()
    return replace(attack, limits=replace(attack.limits, exact_dice=count))


def _armies(cursor: Cursor, attack: Attack, count: int) -> Attack:
    if count < 1:
        raise cursor.misread()
    return replace(attack, limits=replace(attack.limits, stake=count))


def _until_captured(_: Cursor, attack: Attack) -> Attack:
    return replace(attack, limits=replace(attack.limits, all_in=True), captured=True)


def _all_in(_: Cursor, attack: Attack) -> Attack:
    return replace(attack, limits=replace(attack.limits, all_in=True), captured=False)


def _keep(cursor: Cursor, attack: Attack) -> Attack:
    count = cursor.number_of()
    _unit(cursor)
    return replace(attack, limits=replace(attack.limits, keep=count or cursor.fail()))


def _lose(cursor: Cursor, attack: Attack) -> Attack:
    count = cursor.number_of()
    cursor.take(Word.ARMIES)
    return replace(attack, limits=replace(attack.limits, lose=count))


def _while(cursor: Cursor, attack: Attack) -> Attack:
    cursor.need(Word.ODDS)
    cursor.take(Word.AT_LEAST)
    return replace(attack, odds=percent(cursor))


def percent(cursor: Cursor) -> int:
    """A share of 0 to 100, with or without its sign."""
    value = cursor.need(Word.PERCENT, Word.NUMBER).value
    return value if value <= 100 else cursor.fail()


def _until(cursor: Cursor, attack: Attack) -> Attack:
    territory = cursor.territory()
    cursor.need(Word.AT_MOST)
    return replace(attack, until=(territory, cursor.number_of()))


def _move(cursor: Cursor, attack: Attack) -> Attack:
    return replace(attack, move=occupy(cursor).armies)


def occupy(cursor: Cursor) -> Occupy:
    """OCCUPY ( number | ALL | LEAST ), read behind its word."""
    cursor.take(Word.WITH)
    amount = cursor.need(Word.NUMBER, Word.ALL, Word.LEAST)
    cursor.take(Word.ARMIES)
    if amount.word is Word.NUMBER:
        return Occupy(amount.value)
    return Occupy(Amount.ALL if amount.word is Word.ALL else Amount.LEAST)


def _leave(cursor: Cursor, attack: Attack) -> Attack:
    count = cursor.number_of()
    _unit(cursor)
    return replace(attack, leave=count or cursor.fail())


def _unit(cursor: Cursor) -> None:
    cursor.take(Word.ARMIES)


_OTHERWISE = {
    Word.STOP: Otherwise.STOP,
    Word.PAUSE: Otherwise.PAUSE,
    Word.CONTINUE: Otherwise.GO_ON,
}


def _else(cursor: Cursor, attack: Attack) -> Attack | None:
    word = cursor.take(*_OTHERWISE)
    return replace(attack, otherwise=_OTHERWISE[word.word]) if word else None


_LIMITS: Mapping[Word, Callable[[Cursor, Attack], Attack | None]] = {
    Word.ONCE: _once,
    Word.NUMBER: _count,
    Word.WITH: _with,
    Word.FROM: _with,  # Slovenian "s": "from" before a name, "with" before a number
    Word.UNTIL_CAPTURED: _until_captured,
    Word.ALL_IN: _all_in,
    Word.KEEP: _keep,
    Word.LOSE: _lose,
    Word.WHILE: _while,
    Word.UNTIL: _until,
    Word.OCCUPY: _move,
    Word.LEAVE: _leave,
    Word.ELSE: _else,
}

_MORE = frozenset(_LIMITS)
"""What may follow a comma inside an attack."""
