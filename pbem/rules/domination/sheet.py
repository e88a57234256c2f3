"""The lines of a text in sections, and what is to be said of them.

Such texts come from many hands: any line ends, UTF-8 or Latin letters of one byte, comments
behind a semicolon, names with underscores for blanks or in quotation marks.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

MOST_DIGITS = 6
_LINE_END = re.compile(r"\r\n|\r|\n")
_WORD = re.compile(r'"[^"]*"|\S+')
_HEAD = re.compile(r"\[\s*(\w+)\s*\]")


class Source(NamedTuple):
    """A text and the name of the file that it comes from."""

    file: str
    text: str


class Remark(NamedTuple):
    """What is wrong or worth knowing in a file; lines are counted from 1."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


class Line(NamedTuple):
    """The words of a line."""

    number: int
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """The lines that are not empty below a head in brackets; without one `head` is the last line
    of the text."""

    head: int
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """A text in sections by name. `faults` and `notes` grow while it is read."""

    file: str
    sections: dict[str, Section]
    last: int
    faults: list[Remark] = field(default_factory=list)
    notes: list[Remark] = field(default_factory=list)

    def section(self, name: str) -> Section:
        """The section, an empty one where the text has none."""
        return self.sections.get(name, Section(self.last))

    def fault(self, line: int, text: str) -> None:
        """Something that has to be mended before the board can be played."""
        self.faults.append(Remark(self.file, line, text))

    def note(self, line: int, text: str) -> None:
        """Something that was taken another way than it may have been meant."""
        self.notes.append(Remark(self.file, line, text))


HEADING = ""
"""The section of the lines above the first head."""


def decode(raw: bytes) -> str:
    """The text of a file: UTF-8, else the Latin letters of Western Windows, which all can read."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")


def sheet(source: Source) -> Sheet:
    """The text in sections; a section that comes twice is one."""
    lines = _LINE_END.split(source.text.rstrip())
    sections = {HEADING: Section(1)}
    current = HEADING
    for number, text in enumerate(lines, 1):
        if head := _HEAD.fullmatch(text.partition(";")[0].strip()):
            current = head[1].casefold()
            sections.setdefault(current, Section(number))
        elif words := tuple(_words(text)):
            before = sections[current]
            sections[current] = Section(before.head, (*before.lines, Line(number, words)))
    return Sheet(source.file, sections, len(lines))


def _words(text: str) -> Iterator[str]:
    for word in _WORD.findall(text):
        if word.startswith(";"):
            return
        yield word


def number_of(word: str) -> int | None:
    """The number that a word is, or None."""
    fits = word.isascii() and word.isdigit() and len(word) <= MOST_DIGITS
    return int(word) if fits else None


def name_of(word: str) -> str:
    """A name as people write it, from how the file does."""
    bare = unicodedata.normalize("NFC", word.strip('"').replace("_", " "))
    return " ".join(bare.split())


def slug_of(name: str) -> str:
    """A name in small letters, digits and hyphens; may be empty."""
    split = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(sign for sign in split if not unicodedata.combining(sign))
    return re.sub(r"[^a-z0-9]+", "-", plain)[:36].strip("-")
