"""Slips of the pen: which name or order word was meant (orders.md, decision 8)."""

from functools import cache

from pbem.orders.lexicon import SHORTEST_REPAIR, Lexicon, lexicon
from pbem.orders.spelling import nearest
from pbem.orders.word import Word
from pbem.rules import board as boards
from pbem.rules.board import Code

MOST_LOOKS = 30
"""Unknown words of one mail that are looked up; a mail with more is no order mail."""

LOOSE = 2
"""Edits up to which another name is a rival, or is offered."""


class Mender:
    """Mends the names and order words of one mail."""

    def __init__(self, words: Lexicon, board_id: str) -> None:
        self.words = words
        self.names, self.order_words = _letters(words.language, board_id)
        self.looks = 0
        self.known: dict[str, dict[Code, int]] = {}

    def near(self, text: str) -> dict[Code, int]:
        """Territories whose name is at most two edits away, the nearest first."""
        if text not in self.known:
            self.known[text] = self._look(text)
        return self.known[text]

    def meant(self, text: str) -> tuple[Code, ...]:
        """The territory one edit away if no other is nearly as near; several that are equally."""
        if len(text) < SHORTEST_REPAIR:
            return ()
        near = self.near(text)
        best = [code for code, count in near.items() if count == 1]
        return () if len(best) == 1 and len(near) > 1 else tuple(best)

    def word(self, text: str) -> Word | None:
        """The one order word of at least five letters that is one edit away."""
        if len(text) < SHORTEST_REPAIR or not self._may_look():
            return None
        found = {self.words.phrases[word,][0] for word in nearest(text, self.order_words, 1)}
        return found.pop() if len(found) == 1 else None

    def _look(self, text: str) -> dict[Code, int]:
        if not self._may_look():
            return {}
        found: dict[Code, int] = {}
        for name, count in nearest(text, self.names, LOOSE).items():
            for code in self.words.spellings[name].territories:
                found[code] = min(count, found.get(code, count))
        return dict(sorted(found.items(), key=lambda item: item[1]))

    def _may_look(self) -> bool:
        self.looks += 1
        return self.looks <= MOST_LOOKS


Letters = dict[str, frozenset[str]]


@cache
def _letters(language: str, board_id: str) -> tuple[Letters, Letters]:
    """The letters of every name, and of every single word that is long enough to be mended."""
    words = lexicon(language, boards.load(*board_id.split("/")))
    single = [phrase[0] for phrase in words.phrases if len(phrase) == 1]
    long = [word for word in single if len(word) > SHORTEST_REPAIR]
    return (
        {name: frozenset(name) for name in words.spellings},
        {word: frozenset(word) for word in long},
    )
