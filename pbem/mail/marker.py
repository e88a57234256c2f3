"""The line above which orders are written, and where it stands in an answer.

Kept to plain ASCII in every language, so that no wrong charset on the way can hide it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

from .normalise import fold_dashes

MARKERS = MappingProxyType(
    {
        "en": "--- write your orders above this line ---",
        "it": "--- scrivi i tuoi ordini sopra questa riga ---",
        "nl": "--- schrijf je orders boven deze regel ---",
        "sl": "--- svoje ukaze vnesi nad to vrstico ---",
    }
)

_PREFIX = re.compile(r"^[\s>|*_]+")
_PHRASES = tuple(tuple(marker.strip("- ").split()) for marker in MARKERS.values())


@dataclass(frozen=True, slots=True)
class MarkerPlace:
    """Lines `first` to `last` (counted from 0) hold the marker; `quoted` if behind `>`."""

    first: int
    last: int
    quoted: bool


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    line: int
    begins_line: bool
    ends_line: bool
    after_frame: bool


def find_marker(lines: Sequence[str]) -> MarkerPlace | None:
    """The first marker in any language: wrapped over lines, quoted, indented or in bold as well."""
    words = _words(lines)
    for start, word in enumerate(words):
        if not (word.begins_line or word.after_frame):
            continue
        for phrase in _PHRASES:
            if (last := _match(words, start, phrase)) is not None:
                return MarkerPlace(word.line, last, lines[word.line].lstrip().startswith(">"))
    return None


def _match(words: Sequence[_Word], start: int, phrase: tuple[str, ...]) -> int | None:
    """The last line of the phrase that begins at this word, dashes wrapped after it included."""
    found = words[start : start + len(phrase)]
    if tuple(word.text for word in found) != phrase or not found[-1].ends_line:
        return None
    return found[-1].line


def _words(lines: Sequence[str]) -> list[_Word]:
    """All words with their places; what only frames the marker is no word."""
    return [word for number, line in enumerate(lines) for word in _words_of(number, line)]


def _words_of(number: int, line: str) -> list[_Word]:
    tokens = _PREFIX.sub("", fold_dashes(line)).casefold().split()
    texts = [token.strip("-*_>|=") for token in tokens]
    kept = [at for at, text in enumerate(texts) if text]
    return [
        _Word(
            texts[at],
            number,
            begins_line=at == kept[0],
            ends_line=at == kept[-1],
            after_frame=at > 0 and not texts[at - 1],
        )
        for at in kept
    ]
