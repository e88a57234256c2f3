"""Services: SET, DEFEND, HELP and the like. SAY, which takes many lines, is read in `reader`."""

import re
from collections.abc import Callable, Mapping

from pbem.orders.clause.setup import continent
from pbem.orders.cursor import Cursor
from pbem.orders.scan import scan
from pbem.orders.service import (
    Away,
    Defend,
    Help,
    History,
    Luck,
    Service,
    Set,
    Simple,
    Whole,
)
from pbem.orders.spelling import fold, words
from pbem.orders.word import IDLE, Word
from pbem.rules.board import Code, ContinentId

KEYS: Mapping[str, tuple[str, ...]] = {
    "LANGUAGE": ("EN", "IT", "NL", "SL"),
    "ADDRESS": (),
    "ZONE": (),
    "NAME": (),
    "TRADE": ("AUTO", "ASK"),
    "LATE": ("BORDER", "NOTHING", "PLACE"),
    "ON FAIL": ("GO ON", "STOP", "PAUSE"),
    "ON MISTAKE": ("NOTHING", "RUN BEFORE IT"),
    "BOARD": ("MAP", "LIST"),
    "FILE": ("NONE", "JSON"),
    "PICTURE": ("ON", "OFF"),
    "REMIND": (),
    "NEWS": ("EACH", "DAILY", "OFF"),
    "BLOCK": (),
}
"""Keys of SET with their values; none: free text. LATE PLACE is followed by a territory."""

_SWITCH: Mapping[str, tuple[str, ...]] = {"REMIND": ("ON", "OFF"), "BLOCK": ("NONE",)}
"""Values that a key of free text has beside."""

LONGEST_KEY = 4
"""Words of the longest key."""

_DASH = re.compile(r"\s+(?:-|t/m|do)\s+|(?<=^\d)-|(?<=^\d\d)-", re.IGNORECASE)
"""What parts the two days of AWAY beside words of orders: the Dutch "t/m", the Slovenian "do"."""


def read(cursor: Cursor) -> Service:
    """The service whose word comes next; raises Misread."""
    word = cursor.tokens[cursor.place].word
    cursor.start = cursor.place
    cursor.place += 1
    if word not in READERS:
        raise cursor.misread()  # a message begins on a line of its own
    service = READERS[word](cursor)
    while cursor.take(Word.PERIOD, Word.COMMA):
        pass
    if not cursor.at_end:
        raise cursor.misread(unread=cursor.tokens[cursor.place].text)
    return service


def _rest(cursor: Cursor) -> str:
    """All words that follow, as written."""
    begun = cursor.tokens[cursor.place - 1].end
    cursor.place = len(cursor.tokens)
    return cursor.text[begun:].strip()


def _help(cursor: Cursor) -> Help:
    """A topic is one of the help's parts, or what the player wrote."""
    written = _rest(cursor)
    part = cursor.lexicon.topics.get(words(written), ())
    return Help(*part) if len(part) == 1 else Help(written)


def _set(cursor: Cursor) -> Set:
    said = _rest(cursor).replace("=", " ").split()
    if not said:
        return Set()
    for size in range(LONGEST_KEY, 0, -1):
        key = _key(cursor, " ".join(said[:size]))
        if key is not None and len(said) > size:
            return Set(key, _value(cursor, key, " ".join(said[size:])))
    raise cursor.misread(unread=" ".join(said))


def _key(cursor: Cursor, written: str) -> str | None:
    """The key by its own name, or by a word of the player's language."""
    own = fold(written).upper()
    if own in KEYS:
        return own
    return next(iter(cursor.lexicon.keys.get(words(written), ())), None)


def _value(cursor: Cursor, key: str, written: str) -> str:
    """The value, one of the key's own where it has a list."""
    known = KEYS[key] or _SWITCH.get(key, ())
    meant = {fold(written).rstrip(".! ").upper(), *cursor.lexicon.values.get(words(written), ())}
    if value := next((value for value in known if value in meant), None):
        return value
    if not KEYS[key]:
        return written
    if key == "LATE" and (place := _late_place(cursor, written)):
        return f"PLACE {place}"
    said = cursor.lexicon.printed[Word.SET].upper()
    raise cursor.misread(unread=written, example=f"{said} {key} {KEYS[key][0]}")


def _late_place(cursor: Cursor, written: str) -> Code | None:
    """The territory of LATE PLACE, in the words of an order."""
    said = [token for token in scan(written, cursor.lexicon) if token.word not in IDLE]
    match [token.word for token in said]:
        case [Word.PLACE, Word.NAME] | [Word.PLACE, Word.ON | Word.TO, Word.NAME]:
            territories = said[-1].places.territories
            return territories[0] if len(territories) == 1 else None
    return None


def _defend(cursor: Cursor) -> Defend:
    where = _where(cursor)
    cursor.need(Word.WITH, Word.FROM)  # Slovenian "s" and "z" are both
    dice = cursor.number_of()
    if dice not in (1, 2):
        raise cursor.misread()
    cursor.take(Word.DICE)
    if not cursor.take(Word.WHEN, Word.IF):
        return Defend(where, dice)
    cursor.need(Word.AT_MOST)
    at_most = cursor.number_of()
    cursor.take(Word.ARMIES)
    return Defend(where, dice, at_most)


def _where(cursor: Cursor) -> Code | ContinentId | Whole:
    if cursor.take(Word.ALL):
        return Whole.ALL
    if cursor.take(Word.NEUTRAL):
        return Whole.NEUTRAL
    return continent(cursor) or cursor.territory(or_continent=True)


def _history(cursor: Cursor) -> History:
    first = cursor.take(Word.NUMBER)
    last = cursor.take(Word.NUMBER)
    if first is None:
        return History()
    return History(first.value, last.value if last else first.value)


def _away(cursor: Cursor) -> Away:
    """Days as written: "3 Dec to 9 Dec", "from 3 Dec until 9 Dec", "24 dec tot en met 26 dec",
    "3 - 9 Dec"; the judge knows calendars."""
    begun, said = cursor.tokens[cursor.place - 1].end, cursor.tokens[cursor.place :]
    cursor.place = len(cursor.tokens)
    if said and said[0].word is Word.FROM:
        begun = said[0].end
    joint = next((n for n, t in enumerate(said) if t.word in (Word.TO, Word.UNTIL)), None)
    if joint is None:
        days = _DASH.split(cursor.text[begun:].strip(), maxsplit=1)
    else:
        behind = (t for t in said[joint + 1 :] if t.word not in (Word.AND, Word.WITH))
        ends = next((t.start for t in behind), len(cursor.text))
        days = [cursor.text[begun : said[joint].start], cursor.text[ends:]]
    first, last = days[0].strip(" ."), days[-1].strip(" .")
    if not (first and last):
        raise cursor.misread()
    return Away(first, last)


def _luck(cursor: Cursor) -> Luck:
    return Luck(_rest(cursor).strip(" .:="))


def _simple(service: Simple) -> Callable[[Cursor], Simple]:
    return lambda _: service


READERS: Mapping[Word, Callable[[Cursor], Service]] = {
    Word.SET: _set,
    Word.DEFEND: _defend,
    Word.HELP: _help,
    Word.BOARD: _simple(Simple.BOARD),
    Word.HAND: _simple(Simple.HAND),
    Word.ORDERS: _simple(Simple.ORDERS),
    Word.STATS: _simple(Simple.STATS),
    Word.RESIGN: _simple(Simple.RESIGN),
    Word.NEWKEY: _simple(Simple.NEWKEY),
    Word.STOP_MAIL: _simple(Simple.STOP_MAIL),
    Word.DRAW: _simple(Simple.DRAW),
    Word.PAUSE_GAME: _simple(Simple.PAUSE_GAME),
    Word.RESUME_GAME: _simple(Simple.RESUME_GAME),
    Word.HISTORY: _history,
    Word.AWAY: _away,
    Word.LUCK: _luck,
}
"""One reader a service; it reads what follows the word."""
