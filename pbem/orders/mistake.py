"""What cannot be read or cannot be meant, as values (orders.md, "The likely mistakes").

A mistake carries facts; its words stand in the templates, by code. Codes of territories and
letters of seats stay as they are, example orders are canonical text in the player's language.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Fact = str | int | bool | None | tuple["Fact", ...]

_ORDER = """
27 01 02 26 21 19 20 28 12 13 23 11 05 03 04 14 25 08 07 06 29 22 09 10 18 15 24 16 17
30 31 32 33 34 35 36 37 38 39
"""
PRECEDENCE = tuple(f"E{number}" for number in _ORDER.split())
"""A fault has one code: the first that fits, in this order."""


@dataclass(frozen=True, slots=True)
class Repair:
    """The single likely repair of a mistake: what takes the place of which lines.

    `texts` replaces the lines `first` to `last` (1-based, both included); without texts they go.
    `moved` are put in before the line `before`.
    """

    first: int
    last: int
    texts: tuple[str, ...] = ()
    before: int | None = None
    moved: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mistake:
    """One fault. `line` is its number in the mail from 1, `quoted` the player's own words."""

    code: str
    line: int | None
    quoted: str = ""
    facts: Mapping[str, Fact] = field(default_factory=dict)
    repair: Repair | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Note:
    """Something that the answer tells and that is no mistake, e.g. a typo that was read."""

    code: str
    line: int | None = None
    facts: Mapping[str, Fact] = field(default_factory=dict)


def in_order(mistakes: Iterable[Mistake]) -> tuple[Mistake, ...]:
    """By line, those of one line by precedence, no fault of the same words told twice."""
    ordered = sorted(mistakes, key=lambda m: (m.line or 0, PRECEDENCE.index(m.code)))
    return tuple({(m.line, m.code, m.quoted): m for m in reversed(ordered)}.values())[::-1]
