"""Reads a mail's lines: which are orders, which services, which chatter, which mistakes.

Reading is per line, over classified words. Nothing here raises for any text; a line is ignored
only if it has no order word, no territory and no number (orders.md, "What is chatter").
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbem.orders import press, sentence
from pbem.orders.clause import service
from pbem.orders.cursor import Cursor, Misread
from pbem.orders.lexicon import lexicon
from pbem.orders.mender import Mender
from pbem.orders.mistake import Mistake, Note, Repair, in_order
from pbem.orders.plan import Flow, Line, Sentence
from pbem.orders.respell import respelled
from pbem.orders.scan import Token
from pbem.orders.sheet import Asked, Ignored, Mode, Sheet, Table
from pbem.orders.spelling import fold, words
from pbem.orders.word import MODES, SERVICES, Word
from pbem.orders.written import MARKS, WrittenLine, asks, is_heading, parted, says_something

MOST_MISTAKES = 25
"""So many mistakes are told at once; a mail with more is no order mail, and is read no further."""

MOST_LETTERS = 12_288
MOST_LINES = 400
"""What is read of a mail; a whole turn takes a few dozen lines."""

MOST_LEFT_OUT = 3
"""So many unknown words of a sentence may be left out in a corrected text."""

SHORT_LINE = 3
"""Words and marks of a line that can be no more than a name or a greeting."""

SIGNATURE = re.compile(r"^--\s*$")
COMMON = frozenset(
    {Word.UNKNOWN, Word.FROM, Word.TO, Word.ON, Word.AND, Word.ALL, Word.WITH, Word.NOT}
)
"""Words that say nothing of orders by themselves."""

_SIGNS = frozenset({Word.PERIOD, Word.COMMA, Word.COLON})

_LONE_MODES = {Word.YES: Mode.YES, Word.NO: Mode.NO, Word.CANCEL: Mode.CANCEL}
_OPENING_MODES = {Word.TRY: Mode.TRY, Word.NEXT_TURN: Mode.NEXT_TURN}


def read(lines: Sequence[str], language: str, table: Table) -> Sheet:
    """What the new lines of a mail say; English and `language` are understood."""
    return _Reading(lines, language, table).sheet()


class _Reading:
    """One mail on its way from lines to a sheet."""

    def __init__(self, lines: Sequence[str], language: str, table: Table) -> None:
        self.table = table
        self.words = lexicon(language, table.board)
        self.mender = Mender(self.words, table.board.id)
        self.language = language
        self.source = tuple(lines)
        self.unread: int | None = None
        self.scanned = list(self._scan(lines))
        self.lines: list[Line] = []
        self.services: list[Asked] = []
        self.mistakes: list[Mistake] = []
        self.ignored: list[Ignored] = []
        self.notes: list[Note] = []
        self.mode = Mode.NONE
        self.mode_line: WrittenLine | None = None
        self.ended = False

    def _scan(self, lines: Sequence[str]) -> Iterator[WrittenLine]:
        letters = 0
        last = max((n for n, raw in enumerate(lines, start=1) if raw.strip()), default=0)
        for number, raw in enumerate(lines[:last], start=1):
            if SIGNATURE.match(raw):
                return
            letters += len(raw.strip())
            if letters > MOST_LETTERS or number > MOST_LINES:
                self.unread = number
                return
            yield WrittenLine(number, raw, self.words)

    def sheet(self) -> Sheet:
        """Reads every line."""
        signature = self._signature()
        place = 0
        while place < len(self.scanned):
            if len(self.mistakes) > MOST_MISTAKES:
                self.unread = self.scanned[place].number
                break
            line = self.scanned[place]
            if not line.is_blank and place >= signature and not line.speaks:
                self._ignore(line, "signature")
            elif not line.is_blank:
                place += self._line(line, place)
            place += 1
        if self.mode in _LONE_MODES.values() and self.lines and self.mode_line:
            self._misplaced(self.mode_line)
            self.mode = Mode.NONE  # beside orders it answers nothing
        if self.unread is not None:
            self._give_up(self.unread)
        if self._assents():
            self.mode = Mode.YES
        return Sheet(
            self.language,
            self.table,
            self.source,
            tuple(self.lines),
            tuple(self.services),
            in_order(self.mistakes),
            tuple(self.ignored),
            tuple(self.notes),
            self.mode,
        )

    def _signature(self) -> int:
        """Where a signature may begin: the first empty line below the last order."""
        speaking = [place for place, line in enumerate(self.scanned) if line.speaks]
        if not speaking:
            return len(self.scanned)
        below = range(speaking[-1], len(self.scanned))
        return next((p for p in below if self.scanned[p].is_blank), len(self.scanned))

    def _line(self, line: WrittenLine, place: int) -> int:
        """Reads one line; answers how many lines below it were read with it."""
        tokens = self._mode_of(line) if line.classes & MODES else line.tokens
        first = next((token.word for token in tokens if token.word not in MARKS), None)
        if first is Word.SAY:
            return self._say(line, place)
        if self._is_idle(line, first):
            self._ignore(line, "chatter")
        elif first in SERVICES:
            self._service(line, tokens)
        elif line.is_mode and line is not self.mode_line:
            self._misplaced(line)
        elif self.ended:
            self._ignore(line, "after-end")
            self.notes.append(Note("after-end", line.number))
        elif tokens and (arrow := line.broken_off):
            return self._broken_chain(line, place, arrow)
        elif tokens:
            self._sentences(line, tokens)
        return 0

    def _is_idle(self, line: WrittenLine, first: Word | None) -> bool:
        """Whether the line says nothing to us; one that gave the mode has said enough."""
        if line is self.mode_line:
            return False
        if first is None or line.is_heading:
            return True
        if not line.is_chatter or first in SERVICES or line.is_mode:
            return False
        return not self._may_be_order(line.tokens)

    def _may_be_order(self, tokens: Sequence[Token]) -> bool:
        """Whether words begin with a slip of an order word: no order vanishes in silence.

        Among other words only if one of them belongs to orders.
        """
        spoken = (token for token in tokens if token.word not in _SIGNS)
        if self.mender.may_end("".join(word for token in spoken for word in words(token.text))):
            return True
        meaning = [t for t in tokens if t.word not in MARKS | {Word.THEN, Word.TO}]
        if len(meaning) == 1 and meaning[0].word in COMMON:
            return self.mender.may_end(fold(meaning[0].text))
        if not meaning or meaning[0].word is not Word.UNKNOWN:
            return False
        first, *others = meaning
        belong = [t for t in others if t.word not in COMMON or self.mender.knows(fold(t.text))]
        return (not others or bool(belong)) and self.mender.may_open(fold(first.text))

    def _mode_of(self, line: WrittenLine) -> tuple[Token, ...]:
        """Takes a mode off the first line that says something; answers the tokens left."""
        opening = not (self.lines or self.services or self.mistakes or self.mode is not Mode.NONE)
        word = line.meaning[0].word if line.meaning else None
        if opening and word in _LONE_MODES and len(line.meaning) == 1 and not line.asks:
            self.mode, self.mode_line = _LONE_MODES[word], line
            return ()
        if opening and word in _OPENING_MODES:
            self.mode, self.mode_line = _OPENING_MODES[word], line
            return line.tokens[line.tokens.index(line.meaning[0]) + 1 :]
        return line.tokens

    def _assents(self) -> bool:
        """Whether the mail is one "ok", beside a name or a greeting at most."""
        said = self.lines or self.services or self.mistakes or self.mode is not Mode.NONE
        written = [line for line in self.scanned if not line.is_blank]
        others = [line for line in written if not line.assents]
        short = all(len(line.tokens) <= SHORT_LINE for line in others)
        return not said and short and len(others) < len(written)

    def _misplaced(self, line: WrittenLine) -> None:
        """A mode that does not stand alone on top: nothing may be done on a guess."""
        word = line.meaning[0].text
        facts = {"word": word, "kind": "mode", "unread": word}
        self.mistakes.append(Mistake("E27", line.number, line.text.strip(), facts))

    def _sentences(self, line: WrittenLine, tokens: Sequence[Token]) -> None:
        found: list[Sentence] = []
        for part in parted(tokens):
            if self.ended:
                self.notes.append(Note("after-end", line.number))
                break
            if part[0].word in SERVICES:
                self._service(line, part)
                continue
            for read in self._sentence(line, part):
                found.append(read)
                self.ended = self.ended or (read.guard is None and Flow.END in read.orders)
        if found:
            self.lines.append(Line(line.number, line.text.strip(), tuple(found)))

    def _sentence(self, line: WrittenLine, tokens: Sequence[Token]) -> tuple[Sentence, ...]:
        cursor = self._cursor(line, tokens)
        idle = not says_something(tokens) and not self._may_be_order(tokens)
        if idle or is_heading(tokens):
            self.ignored.append(Ignored(line.number, cursor.quoted, "chatter"))
            return ()
        try:
            found = sentence.read(cursor)
        except Misread as misread:
            mended = self._mended(line, tokens)
            if not mended:
                self.mistakes.append(self._offered(line, tokens, misread.mistake))
            return mended
        self.notes.extend(cursor.notes)
        return found

    def _mended(self, line: WrittenLine, tokens: Sequence[Token]) -> tuple[Sentence, ...]:
        """The sentence with its slips of the pen put right, told in notes; () if it stays unread.

        An order of one word is never mended: END cannot be taken back.
        """
        said, changes = respelled(line.text, tokens, self.mender.spelling)
        if not changes:
            return ()
        again = WrittenLine(line.number, said, self.words)
        cursor = self._cursor(again, again.tokens)
        try:
            found = sentence.read(cursor)
        except Misread:
            return ()
        if _flows(found):
            return ()
        notes = (Note("typo", line.number, {"written": w, "word": meant}) for w, meant in changes)
        self.notes.extend([*notes, *cursor.notes])
        return found

    def _offered(self, line: WrittenLine, tokens: Sequence[Token], mistake: Mistake) -> Mistake:
        """The mistake, offering the sentence with likely slips mended, or without unknown words."""
        may_mend = mistake.code == "E27" or (mistake.code == "E01" and mistake.repair is None)
        if may_mend and (mended := self._likely(line, tokens)) is not None:
            return replace(mistake, repair=mended)
        unknown = [token for token in tokens if token.word is Word.UNKNOWN or asks(token)]
        known = [token for token in tokens if token not in unknown]
        few = 0 < len(unknown) <= MOST_LEFT_OUT and says_something(known)
        if mistake.code != "E27" or mistake.repair or not few:
            return mistake
        try:
            found = sentence.read(self._cursor(line, known))
        except Misread as misread:
            if misread.mistake.repair is None:
                return mistake
        else:
            if all(isinstance(order, Flow) for said in found for order in said.orders):
                return mistake
        text = line.text
        for token in reversed(unknown):
            point = "." if asks(token) else ""
            text = text[: token.start].rstrip() + point + text[token.end :]
        return replace(mistake, repair=Repair(line.number, line.number, (text,)))

    def _likely(self, line: WrittenLine, tokens: Sequence[Token]) -> Repair | None:
        """The line with every slip of the sentence mended as is likely, if it can be read then."""
        said, changes = respelled(line.text, tokens, self.mender.likely)
        if not changes:
            return None
        again = WrittenLine(line.number, said, self.words)
        try:
            found = sentence.read(self._cursor(again, again.tokens))
        except Misread:
            return None
        whole = line.text[: tokens[0].start] + said + line.text[tokens[-1].end :]
        return None if _flows(found) else Repair(line.number, line.number, (whole,))

    def _service(self, line: WrittenLine, tokens: Sequence[Token]) -> None:
        begun = next(place for place, token in enumerate(tokens) if token.word not in MARKS)
        cursor = self._cursor(line, tokens[begun:])
        try:
            asked = service.read(cursor)
        except Misread as misread:
            self.mistakes.append(misread.mistake)
        else:
            self.services.append(Asked(line.number, cursor.quoted, asked))

    def _say(self, line: WrittenLine, place: int) -> int:
        """A message: this line and all below it, up to END SAY or the end of the mail."""
        below = self.scanned[place:]
        closed = next((i for i, other in enumerate(below) if press.closing(other.tokens)), None)
        body = below[: len(below) if closed is None else closed + 1]
        cursor = self._cursor(line, line.tokens)
        try:
            say = press.head(cursor)
        except Misread as misread:
            self.mistakes.append(misread.mistake)
            return len(body) - 1
        later = None if closed is not None else self._order_below(body[1:])
        if later is not None:
            self.mistakes.append(press.unclosed(line.number, cursor.quoted, say, later))
        else:
            said = replace(say, text=_message(say.text, body))
            self.services.append(Asked(line.number, cursor.quoted, said))
        return len(body) - 1

    def _order_below(self, body: Sequence[WrittenLine]) -> int | None:
        """The first of the lines that reads as an order."""
        for line in body:
            if line.meaning and line.meaning[0].word in sentence.READERS:
                try:
                    sentence.read(self._cursor(line, next(parted(line.tokens))))
                except Misread:
                    continue
                return line.number
        return None

    def _broken_chain(self, line: WrittenLine, place: int, arrow: str) -> int:
        """A line that ends with an arrow: its end stands on the next line (E21)."""
        below = self.scanned[place + 1 : place + 2]
        joined = [b for b in below if b.meaning and b.meaning[0].places.territories]
        repair = None
        if joined:
            whole = f"{line.text.removesuffix(arrow).rstrip()} to {joined[0].text.strip()}"
            repair = Repair(line.number, joined[0].number, (whole,))
        self.mistakes.append(
            Mistake("E21", line.number, line.text.strip(), {"arrow": arrow}, repair)
        )
        return len(joined)

    def _cursor(self, line: WrittenLine, tokens: Sequence[Token]) -> Cursor:
        return Cursor(tokens, line.text, line.number, self.mender, self.table)

    def _ignore(self, line: WrittenLine, why: str) -> None:
        self.ignored.append(Ignored(line.number, line.text.strip(), why))

    def _give_up(self, line: int) -> None:
        """The mail is longer than any turn: it is no order mail, and nothing of it is done."""
        self.notes.append(Note("read-no-further", line))
        if not self.mistakes:
            self.mistakes.append(Mistake("E27", line, "", {"too_long": True}))


def _flows(found: Sequence[Sentence]) -> bool:
    """Whether an order of one word is among them; END cannot be taken back."""
    return any(isinstance(order, Flow) for said in found for order in said.orders)


def _message(first: str, body: Sequence[WrittenLine]) -> str:
    """The words of a message, END SAY and what follows it left out."""
    texts = [line.text for line in body]
    end = press.closing(body[-1].tokens)
    if end is not None:
        texts[-1] = texts[-1][: end.start]
    if len(texts) == 1:
        return first[: len(first) - (len(body[0].text) - len(texts[0]))].strip()
    return "\n".join([first, *(text.rstrip() for text in texts[1:])]).strip()
