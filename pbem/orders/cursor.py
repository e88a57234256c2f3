"""A place in the tokens of one sentence, and what every clause reader asks of it."""

from collections.abc import Sequence
from typing import NoReturn

from pbem.orders.mender import Mender
from pbem.orders.mistake import Fact, Mistake, Note, Repair
from pbem.orders.scan import Token
from pbem.orders.sheet import Table
from pbem.orders.spelling import words
from pbem.orders.word import IDLE, Word
from pbem.rules.board import Code

LONGEST_NAME = 4
LOOSE_LENGTH = 5
"""Names this long are offered when they are two edits away, shorter ones when they are one."""

_COUNTS = (Word.NUMBER, Word.REST)
"""Words that tell armies: beside them an unknown word stands where a territory should."""


class Misread(Exception):  # noqa: N818  # a way out of the clause readers, caught by the sentence
    """The sentence cannot be read; `mistake` says why."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__(mistake.code)
        self.mistake = mistake


class Cursor:
    """Reads tokens one after another; words that say nothing are passed over."""

    def __init__(
        self, tokens: Sequence[Token], text: str, number: int, mender: Mender, table: Table
    ) -> None:
        self.tokens = [token for token in tokens if token.word not in IDLE]
        self.quoted = text[tokens[0].start : tokens[-1].end].strip() if tokens else ""
        self.begun = tokens[0].start if tokens else 0
        self.text = text
        self.number = number
        self.mender = mender
        self.lexicon = mender.words
        self.table = table
        self.place = 0
        self.notes: list[Note] = []

    @property
    def at_end(self) -> bool:
        """Whether every token was taken."""
        return self.place >= len(self.tokens)

    @property
    def head(self) -> Token:
        """The order word being read, for what cannot be understood of it."""
        return self.tokens[min(self.start, len(self.tokens) - 1)]

    start = 0
    """Where the order being read begins."""

    def word(self, ahead: int = 0) -> Word | None:
        """The class of a coming token; None behind the last one."""
        place = self.place + ahead
        return self.tokens[place].word if place < len(self.tokens) else None

    def sees(self, *classes: Word) -> bool:
        """Whether the coming tokens are of these classes, in this order."""
        return all(self.word(ahead) is wanted for ahead, wanted in enumerate(classes))

    def take(self, *classes: Word) -> Token | None:
        """The next token if it is of one of the classes."""
        if self.at_end or self.tokens[self.place].word not in classes:
            return None
        self.place += 1
        return self.tokens[self.place - 1]

    def need(self, *classes: Word) -> Token:
        """The next token, which has to be of one of the classes."""
        return self.take(*classes) or self.fail()

    def number_of(self) -> int:
        """A number that has to come next."""
        return self.need(Word.NUMBER).value

    def territory(self, *, own: bool = False, or_continent: bool = False) -> Code:
        """A territory that has to come next, `own` if it can only be one of the player's.

        One slip of the pen is mended, if no continent is nearly as near where one could stand.
        """
        if self.at_end or self.tokens[self.place].word not in (Word.NAME, Word.UNKNOWN):
            self.fail()
        token = self.tokens[self.place]
        if len(token.places.territories) == 1:
            self._be_sure(token, own=own)
            self.place += 1
            return token.places.territories[0]
        mended = self._mended(own=own, or_continent=or_continent)
        return mended or self._misnamed(token, own=own)

    def _be_sure(self, token: Token, *, own: bool) -> None:
        """A beginning of a name may be a slip in another: "mongo" is near Congo, too (E02)."""
        said = words(token.text)
        if said in self.lexicon.names:
            return
        others = self.mender.meant("".join(said))
        if others and others != token.places.territories:
            both = tuple(dict.fromkeys((*token.places.territories, *others)))
            raise self.misread("E02", name=token.text, candidates=both, own=own)

    def misread(self, code: str = "E27", repair: Repair | None = None, **facts: Fact) -> Misread:
        """Why the sentence cannot be read, to be raised."""
        if code == "E27":
            facts = {"word": self.head.text, "kind": self.head.word.value.lower(), **facts}
        return Misread(Mistake(code, self.number, self.quoted, facts, repair))

    def fail(self) -> NoReturn:
        """Gives up on the sentence: its order word was understood, but not what follows."""
        raise self.misread()

    def replaced(self, first: Token, last: Token, text: str) -> Repair:
        """The line with the words from `first` to `last` replaced."""
        line = self.text[: first.start] + text + self.text[last.end :]
        return Repair(self.number, self.number, (line,))

    def joined(self) -> Repair:
        """The line with TO between the name just taken and the next: "attack Siam India"."""
        behind = self.tokens[self.place]
        return self.replaced(behind, behind, f"{self.lexicon.printed[Word.TO]} {behind.text}")

    def _spans(self) -> list[int]:
        """How many of the coming tokens may be one misspelt name, the longest first."""
        count = 0
        while count < LONGEST_NAME and self.word(count) in (Word.NAME, Word.UNKNOWN):
            count += 1
        return list(range(count, 0, -1))

    def _written(self, count: int) -> str:
        tokens = self.tokens[self.place : self.place + count]
        return "".join("".join(words(token.text)) for token in tokens)

    def _mended(self, *, own: bool, or_continent: bool) -> Code | None:
        for count in self._spans():
            if count == 1 and (self.word() is Word.NAME or self.mender.knows(self._written(1))):
                continue  # a name that is known, only not as one territory; or another word
            found = self.mender.meant(self._written(count))
            if found and or_continent and self.mender.may_be_continent(self._written(count)):
                continue
            if len(found) == 1:
                said = self._said(count)
                self.notes.append(
                    Note("typo", self.number, {"written": said, "territory": found[0]})
                )
                self.place += count
                return found[0]
            if found:
                raise self.misread("E02", name=self._said(count), candidates=found, own=own)
        return None

    def _said(self, count: int) -> str:
        first, last = self.tokens[self.place], self.tokens[self.place + count - 1]
        return self.text[first.start : last.end]

    def _misnamed(self, token: Token, *, own: bool) -> NoReturn:
        """The mistake of a name that is no territory, or several."""
        if token.places.territories:
            raise self.misread("E02", name=token.text, candidates=token.places.territories, own=own)
        near = self._near(token)
        others = {
            place for other in self.tokens for place in other.places.territories if other != token
        }
        if not near and not others and not any(t.word in _COUNTS for t in self.tokens):
            self.fail()
        code = near[0] if len(near) == 1 else None
        beside = [o for o in others if code and self.table.board.adjacent(code, o)]
        raise self.misread(
            "E01",
            self.replaced(token, token, self.table.board.territories[code].name) if code else None,
            name=token.text,
            candidates=near,
            next_to=beside[0] if beside else None,
        )

    def _near(self, token: Token) -> tuple[Code, ...]:
        written = "".join(words(token.text))
        near = self.mender.near(written)
        least = min(near.values(), default=0)
        if len(written) < LOOSE_LENGTH and least > 1:
            return ()
        return tuple(code for code, count in near.items() if count == least)
