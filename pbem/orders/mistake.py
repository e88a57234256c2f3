"""What cannot be read or cannot be meant, as values (orders.md, "The likely mistakes").

A mistake carries facts; its words stand in the templates, by code. Codes of territories and
letters of seats stay as they are, example orders are canonical text in the player's language.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Fact = str | int | bool | None | tuple["Fact", ...]

PRECEDENCE = tuple(
    f"E{number:02}"
    for number in (
        *(27, 1, 2, 26, 21, 19, 20, 28, 12, 13, 23, 11, 5, 3, 4, 14, 25, 8, 7, 6, 29, 22, 9, 10, 18),
        *(15, 24, 16, 17),
        *range(30, 40),
    )
)
"""A fault has one code: the first that fits, in this order."""


@dataclass(frozen=True, slots=True)
class Repair:
    """The single likely repair of a mistake: what takes the place of which lines.

    `texts` replaces the lines `first` to `last` (1-based, both included); without texts they go.
    With `before`, they stand before that line instead.
    """

    first: int
    last: int
    texts: tuple[str, ...] = ()
    before: int | None = None


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
    """By line, those of one line by precedence; of the same line only the first of each code."""
    ordered = sorted(mistakes, key=lambda m: (m.line or 0, PRECEDENCE.index(m.code)))
    seen: set[tuple[int | None, str, str]] = set()
    return tuple(
        m
        for m in ordered
        if (key := (m.line, m.code, m.quoted)) not in seen and not seen.add(key)  # type: ignore[func-returns-value]  # adds in passing
    )
