"""Spelling: folding of letters, and names that are nearly what was written."""

import re
import unicodedata
from collections.abc import Mapping

_WORDS = re.compile(r"[^\W\d_]+'?")
_PLAIN = str.maketrans({"’": "'", "đ": "d", "ø": "o", "ł": "l", "ı": "i"})


def fold(text: str) -> str:
    """Small letters without accents, so that case and accents are free."""
    if text.isascii():
        return text.lower()
    split = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in split if not unicodedata.combining(c)).translate(_PLAIN)


def words(text: str) -> tuple[str, ...]:
    """The folded words of a phrase; hyphens and apostrophes part words, which keep the latter."""
    return tuple(_WORDS.findall(fold(text)))


def edits(one: str, other: str, limit: int) -> int:
    """Edits from one word to the other, or `limit` + 1 if there are more.

    An edit is one letter put in, left out, changed, or two neighbours swapped (orders.md).
    """
    if abs(len(one) - len(other)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, mine in enumerate(one, start=1):
        before, last, row = row, before, [i]
        for j, theirs in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (mine != theirs))
            if i > 1 and j > 1 and mine == other[j - 2] and one[i - 2] == theirs:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > limit and (not before or min(before) > limit):
            return limit + 1
    return min(row[-1], limit + 1)


def nearest(word: str, names: Mapping[str, frozenset[str]], limit: int) -> dict[str, int]:
    """The names within so many edits, with their number of edits.

    `names` come with their letters: an edit puts in or takes out two different ones at most, so
    most names need no closer look.
    """
    letters = frozenset(word)
    near = (name for name, its in names.items() if len(letters ^ its) <= 2 * limit)
    found = ((name, edits(word, name, limit)) for name in near)
    return {name: count for name, count in found if count <= limit}
