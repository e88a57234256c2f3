"""A line as it was written: its tokens, its sentences, and what kind of line it can be."""

import re
from collections.abc import Iterator, Sequence

from pbem.orders.lexicon import Lexicon
from pbem.orders.scan import Token, plain, scan
from pbem.orders.word import FLOW, GOES_ON, IDLE, MODES, ORDER_WORDS, SETUP, TURN, Word

MARKS = IDLE | {Word.PERIOD, Word.COMMA, Word.COLON}
"""What says nothing by itself."""

_SAYING = SETUP | FLOW | {Word.SAY, Word.NUMBER, Word.NAME}
"""What no heading holds; any other order word may be one alone: "My move:"."""

LOOK_AHEAD = 8
"""So many words behind a point may say that no new sentence begins there."""

_BULLET = re.compile(r"^\s*(?:[-*•·–—|]+|\(?\d{1,2}[.)]|\(?[a-z]\))\s+(?=\S)", re.IGNORECASE)


class WrittenLine:
    """A line with its tokens, bullet off."""

    def __init__(self, number: int, raw: str, words: Lexicon) -> None:
        self.number = number
        self.is_blank = not raw or raw.isspace()
        self.text = "" if self.is_blank else plain(_BULLET.sub("", raw).rstrip())
        self.tokens = () if self.is_blank else scan(self.text, words)
        self.classes = frozenset(token.word for token in self.tokens)

    @property
    def speaks(self) -> bool:
        """Whether it has an order word or a territory."""
        return bool(self.classes & ORDER_WORDS) or _names_territory(self.tokens)

    @property
    def is_chatter(self) -> bool:
        """Whether it has no number either: then it is none of our business."""
        return not self.speaks and not self.classes & {Word.NUMBER, Word.PERCENT}

    @property
    def is_mode(self) -> bool:
        """Whether a mode is all that it says."""
        return len(self.meaning) == 1 and self.meaning[0].word in MODES

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return any(asks(token) for token in self.tokens)

    @property
    def assents(self) -> bool:
        """Whether it says "ok" in some words, and nothing else."""
        return Word.ASSENT in self.classes and not self.meaning and not self.asks

    @property
    def broken_off(self) -> str | None:
        """The arrow at which a mail program broke a chain here, or the dash that was one."""
        last = self.tokens[-1]
        if last.word is Word.TO and last.text.endswith(">"):
            return last.text
        behind = self.text[last.end :].strip()
        moves = self.classes & {Word.ATTACK, Word.FORTIFY}
        return behind if behind == "-" and moves and last.word is Word.NAME else None

    @property
    def is_heading(self) -> bool:
        """Whether it only announces what follows: "Here are my orders:"."""
        return is_heading(self.tokens)

    @property
    def meaning(self) -> list[Token]:
        """The tokens without marks and words that say nothing."""
        return [token for token in self.tokens if token.word not in MARKS]


def _names_territory(tokens: Sequence[Token]) -> bool:
    """Three small letters alone are more likely a word than a code or a beginning of a name."""
    named = [token for token in tokens if token.places.territories]
    return len(named) > 1 or any(len(t.text) > 3 or t.text.isupper() for t in named)


def is_heading(tokens: Sequence[Token]) -> bool:
    """Whether the words only announce what follows; one order word may be among them."""
    classes = {token.word for token in tokens}
    if tokens[-1].word is not Word.COLON or classes & _SAYING:
        return False
    return not classes & TURN or sum(token.word not in MARKS for token in tokens) == 1


def asks(token: Token) -> bool:
    """Whether it is a question mark."""
    return token.word is Word.PERIOD and "?" in token.text


def parted(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """The sentences of a line, without their points; ELSE before an order begins one too.

    A question mark stays: whether an order is meant by a question is to be asked.
    """
    part: list[Token] = []
    for place, token in enumerate(tokens):
        ends = token.word is Word.PERIOD and not _goes_on(tokens[place + 1 :])
        if part and asks(token):
            part.append(token)
        if part and (ends or _is_other_case(tokens, place)):
            yield part
            part = []
        if token.word is not Word.PERIOD:
            part.append(token)
    if part:
        yield part


def _goes_on(tokens: Sequence[Token]) -> bool:
    """Whether "Keep attacking until ..." follows: that belongs to the attack before it."""
    said = [token.word for token in tokens[:LOOK_AHEAD] if token.word not in IDLE]
    return said[:1] == [Word.CONTINUE] and said[1:2] in [[word] for word in GOES_ON]


def _is_other_case(tokens: Sequence[Token], place: int) -> bool:
    """Whether an ELSE stands here that is no answer of the attack before it ("else stop")."""
    if tokens[place].word is not Word.ELSE:
        return False
    follows = next((t.word for t in tokens[place + 1 :] if t.word not in MARKS), None)
    return follows in TURN - FLOW


def says_something(tokens: Sequence[Token]) -> bool:
    classes = {token.word for token in tokens}
    spoken = ORDER_WORDS | MODES | {Word.NUMBER, Word.PERCENT}
    return bool(classes & spoken) or _names_territory(tokens)
