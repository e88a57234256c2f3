"""ATTACK path { limit } [ ELSE ( STOP | PAUSE | CONTINUE ) ]; path and limits in any order.

Beside the limits of the grammar stand those that people say in its place: "stop if I have less than
4" and "as long as I have more than 3" are UNTIL the source has at most 3.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from pbem.orders.cursor import Cursor
from pbem.orders.plan import Amount, Attack, Occupy, Otherwise
from pbem.orders.spelling import fold
from pbem.orders.word import GOES_ON, Word
from pbem.rules.board import Code

_NAME = (Word.NAME, Word.UNKNOWN)
_JOINTS = (Word.COMMA, Word.AND, Word.BUT, Word.OR)
_MOST_JOINTS = 2
_PROMISES = (Word.KEEP, Word.LEAVE)
_SOURCE = Code("")
"""Stands for the source where a limit is read before it is known."""


def read(cursor: Cursor, source: Code | None = None) -> Attack:
    """One attack, chain or not; its source may have been said before."""
    path = _Path(source)
    attack = Attack(())
    while True:
        begun = cursor.place
        _joint(cursor)
        if path.goes_on(cursor) or path.read(cursor):
            continue
        limited = _limit(cursor, replace(attack, path=path.named))
        if limited is None:
            cursor.place = begun
            return _settled(cursor, replace(attack, path=path.whole(cursor)))
        attack = limited


def _joint(cursor: Cursor) -> None:
    """Takes what joins a limit to the attack: a comma, "and", ", but", "but I want to"."""
    joints = 0
    while joints < _MOST_JOINTS and cursor.word(joints) in _JOINTS:
        joints += 1
    if joints and cursor.word(joints) is Word.TO and cursor.word(joints + 1) in _PROMISES:
        joints += 1
    if joints and cursor.word(joints) in _MORE:
        cursor.place += joints


def _settled(cursor: Cursor, attack: Attack) -> Attack:
    """The attack with its source in the limits that stand for it; of a chain it is not known."""
    if attack.until is None or attack.until[0] != _SOURCE:
        return attack
    if len(attack.targets) > 1:
        raise cursor.misread()
    return replace(attack, until=(attack.source, attack.until[1]))


class _Path:
    """Names as they come: bare, behind FROM, behind TO."""

    def __init__(self, source: Code | None) -> None:
        self.bare: Code | None = None
        self.source = source
        self.targets: list[Code] = []
        self.behind = 0
        """Where the last name ends, counted from the sentence's first letter."""
        self.doubtful = False
        """Whether a TO may be a FROM with a slip of the pen: Italian "agli" and "dagli"."""

    def read(self, cursor: Cursor) -> bool:
        """Takes one name with its preposition, if there is one."""
        if cursor.word(1) in _NAME and (to := cursor.take(Word.TO, Word.AGAINST)):
            self.doubtful = self.doubtful or cursor.mender.is_slip(fold(to.text), Word.FROM)
            self.targets.append(cursor.territory())
        elif self.source is None and _from(cursor):
            self.source = cursor.territory(own=True)
        elif self.bare is None and (cursor.word() in _NAME or _on(cursor)):
            if self.targets:
                raise cursor.misread()  # a link without its TO: which place has it in the chain?
            self.bare = cursor.territory()
            if self.source is None and cursor.word() is Word.NAME:
                raise cursor.misread(repair=cursor.joined())  # "attack Siam India": from where?
        else:
            return _from_there(cursor)
        self.behind = cursor.tokens[cursor.place - 1].end - cursor.begun
        return True

    def goes_on(self, cursor: Cursor) -> bool:
        """Takes ", then on to" and the name of a chain's next link, once it has a first one."""
        joints = 0
        while joints < _MOST_JOINTS and cursor.word(joints) in (Word.COMMA, Word.AND, Word.THEN):
            joints += 1
        ahead = joints + (cursor.word(joints) is Word.ON)
        then = any(cursor.word(before) is Word.THEN for before in range(joints))
        if not then or cursor.word(ahead) is not Word.TO or cursor.word(ahead + 1) not in _NAME:
            return False
        if cursor.tokens[cursor.place + joints - 1].text == ";" or len(self.named) < self.least:
            return False
        cursor.place += ahead + 1
        self.targets.append(cursor.territory())
        return True

    @property
    def least(self) -> int:
        """So many names, beside the source, make a path that can go on."""
        return 1 if self.source else 2

    @property
    def named(self) -> tuple[Code, ...]:
        """What may be a target, as far as it was read."""
        return (*self.targets, *((self.bare,) if self.bare else ()))

    def whole(self, cursor: Cursor) -> tuple[Code, ...]:
        """Source and targets; a bare name is whatever the prepositions leave open."""
        if self.bare is None and self.source and self.targets:
            return (self.source, *self.targets)
        if self.bare and self.source:
            return (self.source, self.bare, *self.targets)
        if self.bare and self.targets and not self.doubtful:
            return (self.bare, *self.targets)
        target = self.bare or (self.targets[0] if len(self.targets) == 1 else None)
        raise cursor.misread(target=target, source=self.source, behind=self.behind)


def _from(cursor: Cursor) -> bool:
    """Takes FROM before a name, or WITH; behind "with all my armies" IN says the same."""
    if cursor.word(1) not in _NAME:
        return False
    behind = cursor.tokens[cursor.place - 1].word in (Word.ARMIES, Word.ALL, Word.HOLD)
    return cursor.take(Word.FROM, Word.WITH, *((Word.ON,) if behind else ())) is not None


def _from_there(cursor: Cursor) -> bool:
    """Takes a FROM that names nothing ("from there"): the check knows which sources there are."""
    if not cursor.sees(Word.FROM) or cursor.word(1) not in (None, *_JOINTS, Word.THEN, *GOES_ON):
        return False
    cursor.place += 1
    return True


def _on(cursor: Cursor) -> bool:
    """Takes ON before a name: "an attack on India"."""
    return cursor.word(1) in _NAME and cursor.take(Word.ON) is not None


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
    """A number before its unit: rolls, dice or armies; or how many are left to stop at."""
    count = cursor.tokens[cursor.place - 1].value
    if cursor.sees(Word.HOLD) or cursor.sees(Word.ARMIES, Word.HOLD):
        if cursor.tokens[cursor.place - 2].word is not Word.OR:
            raise cursor.misread()  # "3 left": to stop at, or to leave behind?
        return _down_to(cursor, attack, _SOURCE, count)
    if cursor.take(Word.ROLLS):
        return replace(attack, limits=replace(attack.limits, rolls=count or cursor.fail()))
    if cursor.take(Word.DICE):
        return _dice(cursor, attack, count)
    if cursor.take(Word.ARMIES):
        return _armies(cursor, attack, count)
    return None


def _times(cursor: Cursor, attack: Attack) -> Attack | None:
    """A number of rolls in one word: "twice"."""
    count = cursor.tokens[cursor.place - 1].value
    return replace(attack, limits=replace(attack.limits, rolls=count)) if count else None


def _at_most(cursor: Cursor, attack: Attack) -> Attack | None:
    """So many rolls at most; of armies or dice it would be a guess which are meant."""
    if cursor.sees(Word.NUMBER, Word.ROLLS):
        cursor.place += 1
        return _count(cursor, attack)
    return None


def _with(cursor: Cursor, attack: Attack) -> Attack:
    if cursor.take(Word.ALL):
        while cursor.take(Word.ARMIES, Word.HOLD):
            pass  # "everything I have", "all the armies that I have"
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
    cursor.take(Word.AT_LEAST)
    count = cursor.number_of()
    _unit(cursor)
    return replace(attack, limits=replace(attack.limits, keep=count or cursor.fail()))


def _at_least(cursor: Cursor, attack: Attack) -> Attack | None:
    """ "but I want at least 4 to keep": Dutch says its verb last."""
    ahead = 2 if cursor.word(1) is Word.ARMIES else 1
    if not cursor.sees(Word.NUMBER) or cursor.word(ahead) is not Word.KEEP:
        return None
    kept = replace(attack, limits=replace(attack.limits, keep=cursor.number_of() or cursor.fail()))
    cursor.place += ahead
    return kept


def _lose(cursor: Cursor, attack: Attack) -> Attack:
    count = cursor.number_of()
    cursor.take(Word.ARMIES)
    return replace(attack, limits=replace(attack.limits, lose=count))


def _while(cursor: Cursor, attack: Attack) -> Attack:
    """While the odds are good, while there are enough armies, or the target is not captured."""
    if cursor.take(Word.ODDS):
        passed_verb(cursor)
        cursor.take(Word.AT_LEAST)
        return replace(attack, odds=percent(cursor))
    if cursor.word() in (Word.CAPTURED, Word.MINE) or cursor.sees(Word.AND, Word.CAPTURED):
        cursor.take(Word.AND)
        cursor.place += 1
        return _captured(cursor, attack, None)  # Italian "finché è conquistata" says until
    place = _holder(cursor)
    if place != _SOURCE and cursor.take(Word.NOT):
        cursor.take(Word.AND)  # Italian "è", as in a condition
        cursor.need(Word.CAPTURED, Word.MINE)
        return _captured(cursor, attack, place)
    bound = cursor.need(Word.MORE_THAN, Word.AT_LEAST).word
    count = cursor.number_of()
    return _down_to(cursor, attack, place, count if bound is Word.MORE_THAN else count - 1)


def passed_verb(cursor: Cursor) -> None:
    """Passes Italian "è" behind ODDS, which folds to the word of AND: "la probabilità è almeno"."""
    if cursor.word() is Word.AND and cursor.word(1) in (Word.AT_LEAST, Word.AT_MOST):
        cursor.place += 1


def percent(cursor: Cursor) -> int:
    """A share of 0 to 100, with its sign, its word or neither."""
    value = cursor.need(Word.PERCENT, Word.NUMBER).value
    cursor.take(Word.SHARE)
    return value if value <= 100 else cursor.fail()


def _until(cursor: Cursor, attack: Attack) -> Attack:
    """Until the target is captured, or so few armies are left: in the source if none is named."""
    if cursor.take(Word.CAPTURED, Word.MINE):
        return _captured(cursor, attack, cursor.territory() if cursor.word() in _NAME else None)
    if cursor.sees(Word.HOLD, Word.NAME):
        cursor.place += 1
        return _captured(cursor, attack, cursor.territory())
    place = _holder(cursor)
    if place != _SOURCE and cursor.take(Word.CAPTURED, Word.HOLD, Word.MINE):
        return _captured(cursor, attack, place)
    bound = cursor.take(Word.AT_MOST, Word.LESS_THAN)
    if bound is None and place != _SOURCE:
        raise cursor.misread()  # "until India 3": at most, or at least?
    count = cursor.number_of()
    less = bound is not None and bound.word is Word.LESS_THAN
    return _down_to(cursor, attack, place, count - 1 if less else count)


def _captured(cursor: Cursor, attack: Attack, named: Code | None) -> Attack:
    """Until the target is captured; another territory cannot be meant."""
    if named is not None and named not in attack.path:
        raise cursor.misread()
    return _until_captured(cursor, attack)


def _stop(cursor: Cursor, attack: Attack) -> Attack | None:
    """Where to stop: "stop at 3", "stop if I have less than 4"; STOP alone is an order."""
    cursor.take(Word.COMMA)
    if not cursor.sees(Word.TO, Word.NUMBER) and cursor.word() not in (Word.IF, Word.WHEN, Word.ON):
        return None
    cursor.place += 1
    return _until(cursor, attack)


def _holder(cursor: Cursor) -> Code:
    """Whose armies are counted: a territory's, or if none is named the source's."""
    if cursor.word() in _NAME:
        return cursor.territory()
    cursor.take(Word.HOLD)
    return _SOURCE


def _down_to(cursor: Cursor, attack: Attack, place: Code, count: int) -> Attack:
    while cursor.take(Word.ARMIES, Word.HOLD):
        pass  # Dutch says its verb last: "3 legers over heb"
    if count < 1:
        raise cursor.misread()
    if place == _SOURCE and cursor.word(1) in _NAME and cursor.take(Word.ON):
        place = cursor.territory()
    return replace(attack, until=(place, count))


def _go_on(cursor: Cursor, attack: Attack) -> Attack | None:
    """ "and keep going until ...": what follows says how far; alone it is an order."""
    return attack if cursor.word() in GOES_ON else None


def _move(cursor: Cursor, attack: Attack) -> Attack:
    return replace(attack, move=occupy(cursor).armies)


def occupy(cursor: Cursor) -> Occupy:
    """OCCUPY ( number | ALL | LEAST ), read behind its word."""
    cursor.take(Word.WITH, Word.FROM)
    amount = cursor.need(Word.NUMBER, Word.ALL, Word.LEAST)
    cursor.take(Word.ARMIES)
    if amount.word is Word.NUMBER:
        return Occupy(amount.value)
    return Occupy(Amount.ALL if amount.word is Word.ALL else Amount.LEAST)


def _leave(cursor: Cursor, attack: Attack) -> Attack:
    cursor.take(Word.AT_LEAST)
    count = cursor.number_of()
    _unit(cursor)
    return replace(attack, leave=count or cursor.fail())


def _unit(cursor: Cursor) -> None:
    cursor.take(Word.ARMIES)
    cursor.take(Word.HOLD)  # "keep 4 left"


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
    Word.ROLLS: _times,
    Word.AT_MOST: _at_most,
    Word.AT_LEAST: _at_least,
    Word.WITH: _with,
    Word.FROM: _with,  # Slovenian "s": "from" before a name, "with" before a number
    Word.UNTIL_CAPTURED: _until_captured,
    Word.ALL_IN: _all_in,
    Word.KEEP: _keep,
    Word.LOSE: _lose,
    Word.WHILE: _while,
    Word.UNTIL: _until,
    Word.HOLD: _until,  # "until it is captured or I have 3 left"
    Word.STOP: _stop,
    Word.CONTINUE: _go_on,
    Word.OCCUPY: _move,
    Word.LEAVE: _leave,
    Word.ELSE: _else,
}

_MORE = frozenset(_LIMITS)
"""What may follow a comma inside an attack."""
