"""From a line's letters to classified words.

The longest phrase or full name of the lexicon wins, then the longest beginning of a name; what is
left is unknown. Quotes, hyphens and accents make no difference; arrows read as "to", and so does
the dash between two places, since mails come with their arrows made dashes.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from pbem.orders.lexicon import LONGEST_BEGINNING, Lexicon, Phrase, Places
from pbem.orders.spelling import fold
from pbem.orders.word import IDLE, SETUP, Word

LONGEST_LINE = 1000
"""Letters of a line that are read; no order is longer."""

MOST_DIGITS = 4
NOWHERE = Places()


class Token(NamedTuple):
    """A classified word. `text` is as written, `start` and `end` are its place in the line."""

    word: Word
    text: str
    start: int
    end: int
    value: int = 0
    places: Places = NOWHERE


_PIECE = re.compile(
    r"""(?P<letters>[^\W\d_]+(?:['’](?=[^\W\d_]))?)
      | (?P<percent>\d+\s*%)
      | (?P<digits>\d+)
      | (?P<arrow>[-=]*>|→|⇒|➔)
      | (?P<comma>,)
      | (?P<and>&)
      | (?P<colon>:)
      | (?P<then>;)
      | (?P<period>[.!?]+)""",
    re.VERBOSE,
)
_ASIDE = re.compile(r"\([^()]*%[^()]*\)")
_MARKS = {
    "comma": Word.COMMA,
    "and": Word.AND,
    "colon": Word.COLON,
    "period": Word.PERIOD,
    "then": Word.THEN,
    "arrow": Word.TO,
}


class _Piece(NamedTuple):
    kind: str
    text: str
    folded: str
    start: int
    end: int


def scan(line: str, lexicon: Lexicon) -> tuple[Token, ...]:
    """The tokens of one line."""
    text = plain(line[:LONGEST_LINE])
    pieces = list(_without_abbreviations(_pieces(text)))
    tokens: list[Token] = []
    place = 0
    while place < len(pieces):
        piece = pieces[place]
        if piece.kind != "letters":
            tokens.append(_mark(piece))
            place += 1
            continue
        token, taken = _word(pieces, place, text, lexicon)
        if token.word is Word.LUCK and tokens:  # "good luck" asks for nothing
            token = _token(Word.UNKNOWN, pieces, place, taken, text)
        if tokens and (dash := _dash(tokens, token, text)):
            tokens.append(dash)
        tokens.append(token)
        place += taken
    return tuple(tokens)


def _dash(said: list[Token], name: Token, text: str) -> Token | None:
    """The dash between the names of two places, which is an arrow: "Siam - India"."""
    words = {said[-1].word, name.word}
    if Word.NAME not in words or not words <= {Word.NAME, Word.UNKNOWN}:
        return None
    if text[said[-1].end : name.start].strip() != "-" or any(t.word in SETUP for t in said):
        return None  # the wishes of a setup go nowhere: there a dash parts them
    return Token(Word.TO, "-", said[-1].end, name.start)


def plain(line: str) -> str:
    """The line with composed letters; asides such as "(82% to capture)" are blanked out."""
    composed = line if line.isascii() else unicodedata.normalize("NFC", line)
    return _ASIDE.sub(lambda aside: " " * len(aside[0]), composed) if "(" in line else composed


def _pieces(text: str) -> Iterator[_Piece]:
    for found in _PIECE.finditer(text):
        kind = found.lastgroup or ""
        said = found[0]
        yield _Piece(kind, said, fold(said) if kind == "letters" else said, *found.span())


def _without_abbreviations(pieces: Iterator[_Piece]) -> Iterator[_Piece]:
    """Without the points that shorten a name to one letter ("N. Africa")."""
    before: _Piece | None = None
    for piece in pieces:
        shortens = piece.kind == "period" and before is not None and len(before.text) == 1
        if not (shortens and before and before.kind == "letters" and before.end == piece.start):
            yield piece
        before = piece


def _mark(piece: _Piece) -> Token:
    """A number or a mark; a number of too many digits is unknown."""
    if piece.kind in _MARKS:
        return Token(_MARKS[piece.kind], piece.text, piece.start, piece.end)
    digits = piece.text.rstrip("% \t")
    if len(digits) > MOST_DIGITS:
        return Token(Word.UNKNOWN, piece.text, piece.start, piece.end)
    kind = Word.PERCENT if piece.kind == "percent" else Word.NUMBER
    return Token(kind, piece.text, piece.start, piece.end, int(digits))


def _word(pieces: list[_Piece], place: int, text: str, lexicon: Lexicon) -> tuple[Token, int]:
    """The token that begins at a word, and how many words it takes."""
    first = pieces[place]
    reach = lexicon.longest.get(first.folded, 0)
    run = _run(pieces, place, max(reach, LONGEST_BEGINNING))
    if _may_shorten(run[0], lexicon) and (begun := _beginning(run, lexicon)):
        count, places = begun
        return _token(Word.NAME, pieces, place, count, text, places=places), count
    for count in range(min(reach, len(run)), 0, -1):
        phrase = run[:count]
        if phrase in lexicon.phrases:
            word, value = lexicon.phrases[phrase]
            return _token(word, pieces, place, count, text, value or 0), count
        if phrase in lexicon.names:
            taken, places = _further(run, count, lexicon)
            return _token(Word.NAME, pieces, place, taken, text, places=places), taken
    if begun := _beginning(run, lexicon):
        count, places = begun
        return _token(Word.NAME, pieces, place, count, text, places=places), count
    return _token(Word.UNKNOWN, pieces, place, 1, text), 1


def _may_shorten(word: str, lexicon: Lexicon) -> bool:
    """Whether a single letter is no word of its own, so that it can begin a name ("S Africa")."""
    if len(word) > 1:
        return False
    meaning, _ = lexicon.phrases.get((word,), (Word.FILLER, None))
    return meaning in IDLE


def _further(run: Phrase, count: int, lexicon: Lexicon) -> tuple[int, Places]:
    """A full name, or a longer one that only begins here: "Europa Occ" is not all of Europa."""
    begun = _beginning(run, lexicon)
    if begun and begun[0] > count and begun[1].territories:
        more = run[count : begun[0]]
        if not any((word,) in lexicon.phrases for word in more[-1:]):
            return begun
    return count, lexicon.names[run[:count]]


def _beginning(run: Phrase, lexicon: Lexicon) -> tuple[int, Places] | None:
    """The longest beginning of a name and what it can mean; one letter needs a second word."""
    for count in range(min(LONGEST_BEGINNING, len(run)), 0, -1):
        places = lexicon.beginnings.get(run[:count])
        if places:
            return count, places
    return None


def _run(pieces: list[_Piece], place: int, most: int) -> Phrase:
    """The folded words from here on, up to the next mark or number."""
    run: list[str] = []
    for piece in pieces[place : place + most]:
        if piece.kind != "letters":
            break
        run.append(piece.folded)
    return tuple(run)


def _token(
    word: Word,
    pieces: list[_Piece],
    place: int,
    count: int,
    text: str,
    value: int = 0,
    places: Places = NOWHERE,
) -> Token:
    start, end = pieces[place].start, pieces[place + count - 1].end
    return Token(word, text[start:end], start, end, value, places)
