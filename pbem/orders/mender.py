"""Slips of the pen: which name or order word was meant (orders.md, decision 8)."""

from functools import lru_cache

from pbem.orders.lexicon import MOST_AT_HAND, SHORTEST_REPAIR, Lexicon, lexicon
from pbem.orders.spelling import edits, nearest
from pbem.orders.word import FLOW, IDLE, ORDER_WORDS, Word
from pbem.rules import board as boards
from pbem.rules.board import Code

MOST_LOOKS = 30
"""Unknown words of one mail that are looked up; a mail with more is no order mail."""

SHORTEST_WORD = 3
SHORTEST_PHRASE = 8
"""Letters of the shortest order of one word, and of several, that is looked for."""

LOOSE = 2
"""Edits up to which another name is a rival, or is offered."""


class Mender:
    """Mends the names and order words of one mail."""

    def __init__(self, words: Lexicon, board_id: str) -> None:
        self.words = words
        self.names, self.order_words, self.openers = _letters(words.language, board_id)
        joined = ("".join(name) for name, places in words.names.items() if places.continents)
        self.continents = {name: frozenset(name) for name in joined}
        self.enders = _enders(words.language, board_id)
        self.vocabulary, self.meanings = _vocabulary(words.language, board_id)
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

    def may_be_continent(self, text: str) -> bool:
        """Whether the name of a continent is nearly what was written."""
        return bool(nearest(text, self.continents, LOOSE))

    def word(self, text: str) -> Word | None:
        """The one order word of at least five letters that is one edit away."""
        if len(text) < SHORTEST_REPAIR or not self._may_look():
            return None
        found = {self.words.phrases[word,][0] for word in nearest(text, self.order_words, 1)}
        return found.pop() if len(found) == 1 else None

    def spelling(self, text: str) -> str | None:
        """The word of the language one edit away, if none of another meaning is nearly as near."""
        if len(text) < SHORTEST_REPAIR or not self._may_look():
            return None
        near = nearest(text, self.vocabulary, LOOSE)
        best = [word for word, count in near.items() if count == 1]
        meanings = {self.meanings[word] for word in near}
        return best[0] if best and len(meanings) == 1 else None

    def likely(self, text: str) -> str | None:
        """The one word of the language one edit away, whatever else is nearly as near: to offer."""
        if len(text) < SHORTEST_REPAIR or not self._may_look():
            return None
        best = list(nearest(text, self.vocabulary, 1))
        return best[0] if len({self.meanings[word] for word in best}) == 1 else None

    def is_slip(self, text: str, word: Word) -> bool:
        """Whether a word of another class is one edit from one of this class."""
        if len(text) < SHORTEST_REPAIR - 1:
            return False
        said = self.words.phrases.items()
        alike = (p[0] for p, (meaning, _) in said if meaning is word and len(p) == 1)
        return any(edits(text, other, 1) <= 1 for other in alike)

    def knows(self, text: str) -> bool:
        """Whether a longer word stands in a phrase or a name."""
        return text in self.vocabulary

    def may_open(self, text: str) -> bool:
        """Whether a word is one edit away from one that orders or services begin with."""
        if len(text) < SHORTEST_REPAIR - 1 or not self._may_look():
            return False
        return bool(nearest(text, self.openers, 1))

    def may_end(self, text: str) -> bool:
        """Whether words, joined, are one edit away from an order of one word or one phrase."""
        return len(text) >= SHORTEST_WORD and bool(nearest(text, self.enders, 1))

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


@lru_cache(maxsize=MOST_AT_HAND)
def _letters(language: str, board_id: str) -> tuple[Letters, Letters, Letters]:
    """The letters of every name, of every single word that is long enough to be mended, and of
    every first word of an order that is long enough to be asked about."""
    words = lexicon(language, boards.load(*board_id.split("/")))
    single = [phrase[0] for phrase in words.phrases if len(phrase) == 1]
    long = [word for word in single if len(word) > SHORTEST_REPAIR]
    openers = {phrase[0] for phrase, (word, _) in words.phrases.items() if word in ORDER_WORDS}
    return (
        {name: frozenset(name) for name in words.spellings},
        {word: frozenset(word) for word in long},
        {word: frozenset(word) for word in openers if len(word) >= SHORTEST_REPAIR},
    )


@lru_cache(maxsize=MOST_AT_HAND)
def _enders(language: str, board_id: str) -> Letters:
    """What orders alone, with its letters: "klaar", "končal" of "končal sem", "terminoilturno"."""
    words = lexicon(language, boards.load(*board_id.split("/")))
    found: set[str] = set()
    for phrase in (said for said, (word, _) in words.phrases.items() if word in FLOW):
        idle = {word for word in phrase if words.phrases.get((word,), (None,))[0] in IDLE}
        telling = [word for word in phrase if word not in idle]
        whole = SHORTEST_WORD if len(phrase) == 1 else SHORTEST_PHRASE
        found |= {said for said in ("".join(phrase),) if len(said) >= whole}
        found |= {word for word in telling if len(telling) == 1 and len(word) > SHORTEST_REPAIR}
    return {said: frozenset(said) for said in found}


Meaning = frozenset[str]
"""All that a word can be part of: classes of words, territories, continents."""


@lru_cache(maxsize=MOST_AT_HAND)
def _vocabulary(language: str, board_id: str) -> tuple[Letters, dict[str, Meaning]]:
    """Every word of four letters or more that stands in a phrase or a name."""
    words = lexicon(language, boards.load(*board_id.split("/")))
    found: dict[str, set[str]] = {}
    for phrase, (meaning, value) in words.phrases.items():
        for word in phrase:
            found.setdefault(word, set()).add(f"{meaning} {value}")
    for name, places in words.names.items():
        for word in name:
            found.setdefault(word, set()).update((*places.territories, *places.continents))
    long = {word: frozenset(parts) for word, parts in found.items() if len(word) >= SHORTEST_REPAIR}
    return {word: frozenset(word) for word in long}, long
