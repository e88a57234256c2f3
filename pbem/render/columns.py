"""Text in columns of a terminal: widths as `wcwidth` counts them, for names of any script."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from wcwidth import wcswidth, wcwidth

WIDTH = 72
"""Columns of a letter's text part."""

_TOGETHER = re.compile(r'(?:[^\s"]+ )?"[^"]*"[^\s"]*|\([A-Z] \d+\)\S*|\S+')
"""Words in quotation marks with the one before them, a stack as ``(B 4)``, or a single word."""

_SINGLE = re.compile(r"\S+(?: \S+)*")
"""Words with one blank between any two."""


def width(text: str) -> int:
    """Columns that the text takes; signs without a width of their own count as none."""
    if text.isascii() and text.isprintable():
        return len(text)
    columns = wcswidth(text)
    return columns if columns >= 0 else sum(max(0, wcwidth(sign)) for sign in text)


def clip(text: str, columns: int) -> str:
    """The text, or as much of it as fits before a full stop that marks the cut."""
    if width(text) <= columns:
        return text
    while text and width(text) > columns - 1:
        text = text[:-1]
    return f"{text.rstrip()}." if columns > 0 else ""


@lru_cache(maxsize=4096)  # the names of a board's territories stand in every letter
def left(text: str, columns: int) -> str:
    """The text at the left of so many columns."""
    shown = clip(text, columns)
    return shown + " " * (columns - width(shown))


def right(text: object, columns: int) -> str:
    """The text at the right of so many columns."""
    return _right(str(text), columns)


@lru_cache(maxsize=1024)  # small numbers, mostly
def _right(text: str, columns: int) -> str:
    shown = clip(text, columns)
    return " " * (columns - width(shown)) + shown


def wrapped(line: str, hang: str = "", columns: int = WIDTH) -> list[str]:
    """The line in pieces of at most so many columns; a longer word stands alone, unbroken.

    The first piece keeps the line's own indent, the others have it and `hang`. Words between
    quotation marks stay together behind the word before them, and no last word comes alone: a
    piece like ``place 3 in Siam"`` or ``done.`` could be read as an order in a leaked quote.
    """
    indent = line[: len(line) - len(line.lstrip())]
    if width(line) <= columns and _SINGLE.fullmatch(line, len(indent)):
        return [line]
    room, hung = columns - width(indent), columns - width(indent) - width(hang)
    pieces: list[list[str]] = [[]]
    taken = 0
    for word in _words(line, hung):
        wide = width(word)
        if pieces[-1] and taken + 1 + wide > room:
            pieces.append([])
            taken, room = 0, hung
        taken += wide + (1 if pieces[-1] else 0)
        pieces[-1].append(word)
    if len(pieces) > 1 and len(pieces[-1]) == 1 and len(pieces[-2]) > 2:
        pieces[-1].insert(0, pieces[-2].pop())
    return [
        indent + (hang if place else "") + " ".join(piece) for place, piece in enumerate(pieces)
    ]


def _words(line: str, room: int) -> Iterator[str]:
    for words in _TOGETHER.findall(line):
        yield from (words,) if width(words) <= room else words.split()


def listed(labels: Sequence[str], head: str, columns: int = WIDTH) -> str:
    """Labels behind a head, comma by comma, at least two on each line (one only if it is alone).

    A line too full is made to fit by cutting the ends of its longest labels.
    """
    room = columns - width(head)
    lines = [", ".join(_fitting(row, room)) for row in _rows(labels, room)]
    gap = "\n" + " " * width(head)
    return head + f",{gap}".join(lines)


def _rows(labels: Sequence[str], room: int) -> list[list[str]]:
    rows: list[list[str]] = []
    for label in labels:
        row = rows[-1] if rows else []
        if not row or (len(row) > 1 and _length([*row, label]) > room):
            rows.append([label])
        else:
            row.append(label)
    if len(rows) > 1 and len(rows[-1]) == 1:
        rows[-1].insert(0, rows[-2].pop()) if len(rows[-2]) > 2 else rows[-2].extend(rows.pop())
    return rows


def _length(labels: Sequence[str]) -> int:
    return sum(width(label) + 2 for label in labels) - 1


def _fitting(row: list[str], room: int) -> list[str]:
    while _length(row) > room:
        longest = max(range(len(row)), key=lambda place: width(row[place]))
        row = [*row]
        row[longest] = clip(row[longest], width(row[longest]) - 1)
    return row
