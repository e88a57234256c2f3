"""New lines told from old ones: the marker, the letter that is answered, then two libraries.

No single sign is trusted. What the signs agree on is text, or is dropped; the rest is doubtful.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from pbem.orders.tongue import begins_an_order, ends_the_orders, mentions_an_order

from .attribution import (
    Announcement,
    find_announcement,
    find_before,
    find_likely,
    is_sent_from,
    is_signature,
)
from .extractors import kept_by_shape, kept_by_words
from .marker import MarkerPlace, find_marker
from .normalise import fold_colons, without_bullet
from .parent import Parent

_COPIED = "|"
_INITIALS = re.compile(r" {0,2}(?P<letters>[A-Z]{1,4})>")
_SHORTEST_ROW = 6
_SHORTEST_FULL = 66
"""Letters of a line that some programs break, with the first word that has no place in it."""


@dataclass(frozen=True, slots=True)
class NewLines:
    """Lines as the player wrote them (bullets and `| ` may still stand before them)."""

    text: tuple[str, ...]
    doubtful: tuple[str, ...]
    notes: tuple[str, ...]


def new_lines(lines: Sequence[str], parent: Parent | None) -> NewLines:
    """The lines of an answer that its writer wrote. `parent` is the letter that is answered."""
    lines = _without_initials([fold_colons(line) for line in lines])
    place = find_marker(lines)
    found = _with_marker(lines, place, parent) if place else _without_marker(lines, parent)
    if any(map(ends_the_orders, found.text)):
        return found
    alike = place is not None and not place.quoted and parent is None
    hidden = _under_signatures(lines[: place.first] if place and alike else lines, parent)
    return replace(found, doubtful=(*found.doubtful, *hidden))


def _without_initials(lines: Sequence[str]) -> Sequence[str]:
    """`AR> ` becomes `> ` in a row of lines with the same letters, too long for a row of orders."""
    told = list(lines)
    for letters, row in groupby(range(len(lines)), key=lambda number: _initials(lines[number])):
        numbers = list(row)
        if letters and len(numbers) >= _SHORTEST_ROW:
            for number in numbers:
                told[number] = told[number].lstrip().removeprefix(letters)
    return told


def _initials(line: str) -> str:
    found = _INITIALS.match(line)
    return "" if found is None else found["letters"]


def is_quoted(line: str) -> bool:
    """Whether a program marked the line as quoted."""
    return line.lstrip().startswith(">")


def without_copy_mark(line: str) -> str:
    """The line without the `| ` that our letters put before orders."""
    return line.lstrip().removeprefix(_COPIED).lstrip() if _is_copied(line) else line


def _is_copied(line: str) -> bool:
    return line.lstrip().startswith(_COPIED)


def _with_marker(lines: Sequence[str], place: MarkerPlace, parent: Parent | None) -> NewLines:
    above = lines[: place.first]
    fresh, left_over = _above(above)
    answered = _any(fresh) or bool(_under_signatures(above, parent))
    below = _below(lines[place.last :], place, parent, answered_above=answered)
    greeted = place.quoted and _is_a_lone_word(fresh) and any(map(begins_an_order, below.text))
    if answered and not greeted:
        return NewLines(
            tuple(fresh), (*left_over, *_full(below.text), *below.doubtful), ("marker",)
        )
    notes = ("marker", "bottom-posted") if _any(below.text) else ("marker",)
    return NewLines(below.text, (*_full(fresh), *left_over, *below.doubtful), notes)


def _is_a_lone_word(fresh: Sequence[str]) -> bool:
    """Whether a greeting, or an attribution in an unknown language, is all that stands there."""
    full = _full(fresh)
    return len(full) == 1 and not mentions_an_order(full[0])


def _above(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """What was written above the marker, and what stands between an attribution and the marker."""
    lines = _marked(lines, _announced(lines))
    last = find_before(lines, len(lines)) or Announcement(len(lines), len(lines))
    # One above it announces an older mail of the player's own, in which our letter was quoted.
    found = find_announcement(lines[: last.first]) or last
    return _written(lines[: found.first]), _full(_written(lines[found.end : last.first]))


def _written(lines: Sequence[str]) -> list[str]:
    """Without quoted lines, the signature and what the program added."""
    end = next((number for number, line in enumerate(lines) if is_signature(line)), len(lines))
    return [line for line in lines[:end] if not is_quoted(line) and not is_sent_from(line)]


def _below(
    lines: Sequence[str], place: MarkerPlace, parent: Parent | None, *, answered_above: bool
) -> NewLines:
    """Unquoted lines under the marker, which is the first, that stand in no letter of ours."""
    if parent is None and not place.quoted:
        # Old and new look alike here. Nothing may be lost if this is all there is.
        alike = [] if answered_above else _full(_written(lines[1:]))
        return NewLines((), tuple(alike), ())
    old = _announced(lines) | _copies(lines, parent, {0})
    torn = _torn(lines) - old
    rest = _written(_marked(lines, old | torn))
    copied = [line for line in rest if _is_copied(line) and not (parent and parent.holds(line))]
    asked = (*copied, *(lines[number] for number in sorted(torn)))
    return NewLines(tuple(line for line in rest if not _is_copied(line)), asked, ())


def _without_marker(lines: Sequence[str], parent: Parent | None) -> NewLines:
    copies = _copies(lines, parent, set())
    old = _announced(lines) | copies | _signed(lines)
    old |= {number for number, line in enumerate(lines) if is_quoted(line) or is_sent_from(line)}
    torn = _torn(lines) - old
    left = [number for number in range(len(lines)) if number not in old | torn]
    unsure = _unsure_from(lines, left, copies)
    found = _voted([lines[n] for n in left if n < unsure])
    asked = torn | {n for n in left if n >= unsure}
    if not any(map(ends_the_orders, found.text)):
        asked |= _answers_below(lines, left)
    doubtful = dict.fromkeys((*found.doubtful, *_full(lines[n] for n in sorted(asked))))
    return replace(found, doubtful=tuple(line for line in doubtful if line not in found.text))


def _answers_below(lines: Sequence[str], left: Sequence[int]) -> set[int]:
    """What begins as an order under a line that is marked as quoted, whatever announced that."""
    first = next((n for n, line in enumerate(lines) if is_quoted(line)), len(lines))
    return {n for n in left if n > first and begins_an_order(without_bullet(lines[n].strip()))}


def _unsure_from(lines: Sequence[str], left: Sequence[int], copies: Collection[int]) -> int:
    """The line from which on nothing tells answers from an older mail that is quoted unmarked.

    That is where a copy of our letter begins, if something was written above it, or what looks
    like an attribution.
    """
    bare = min((n for n in copies if not is_quoted(lines[n])), default=len(lines))
    above = any(n < bare and lines[n].strip() for n in left)
    likely = find_likely([line if n in left else "" for n, line in enumerate(lines)])
    return min(bare if above else len(lines), len(lines) if likely is None else likely)


def _voted(lines: Sequence[str]) -> NewLines:
    """A line is new if both libraries keep it and nothing announced it as old."""
    bare = [without_bullet(without_copy_mark(line).strip()) for line in lines]
    votes = (kept_by_words(bare), kept_by_shape(bare))
    found = find_announcement(lines) or Announcement(len(lines), len(lines))
    text, doubtful = [], []
    for number, line in enumerate(lines):
        kept = sum(number in vote for vote in votes)
        if found.first <= number < found.end:
            continue
        if not line.strip() or (kept == 2 and number < found.first and not _is_copied(line)):
            text.append(line)
        elif _is_copied(line) or kept == (1 if number < found.first else 2):
            doubtful.append(line)
    return NewLines(tuple(text), tuple(doubtful), ())


def _announced(lines: Sequence[str]) -> set[int]:
    """Attributions right above quoted lines: there they can be nothing else."""
    found: set[int] = set()
    for number, line in enumerate(lines):
        if is_quoted(line) and (number == 0 or not is_quoted(lines[number - 1])):
            before = find_before(lines, number)
            found.update(range(before.first, before.end) if before else ())
    return found


def _marked(lines: Sequence[str], old: set[int]) -> list[str]:
    """The lines, the old ones among them as quoted ones."""
    return ["> " if number in old else line for number, line in enumerate(lines)]


def _torn(lines: Sequence[str]) -> set[int]:
    """Lines in the midst of a quote that may be the ends of quoted ones, which were too long."""
    found: set[int] = set()
    for number in range(1, len(lines) - 1):
        before, line, after = lines[number - 1 : number + 2]
        if line.strip() and not is_quoted(line) and is_quoted(before) and is_quoted(after):
            whole = f"{before.rstrip()} {line.split()[0]}"
            if len(whole) >= _SHORTEST_FULL:
                found.add(number)
    return found


def _signed(lines: Sequence[str]) -> set[int]:
    """Signatures, up to the next quoted line or to what announces, or may announce, a quote."""
    found: set[int] = set()
    inside = False
    for number, line in enumerate(lines):
        inside = (inside or is_signature(line)) and not is_quoted(line)
        if inside:
            found.add(number)
    for _, run in groupby(enumerate(sorted(found)), key=lambda at: at[1] - at[0]):
        numbers = [number for _, number in run]
        block = [lines[number] for number in numbers]
        known, likely = find_announcement(block), find_likely(block)
        end = likely if likely is not None else known.first if known else len(block)
        found -= set(numbers[end:])
    return found


def _under_signatures(lines: Sequence[str], parent: Parent | None) -> list[str]:
    """Lines of signatures that begin as orders do: some use the mark of one as a mere rule."""
    marked = _marked(lines, set(parent.copies(lines)) if parent else set())
    found = [lines[number] for number in sorted(_signed(marked))]
    return [line for line in found if begins_an_order(without_bullet(line.strip()))]


def _copies(lines: Sequence[str], parent: Parent | None, known: set[int]) -> set[int]:
    """Lines that the answered letter holds, and those that go on where an old one was broken.

    `known` are numbers of lines that are old for other reasons.
    """
    if parent is None:
        return known
    old = known | parent.copies(lines)
    full = [number for number, line in enumerate(lines) if line.strip()]
    for before, number in pairwise(full):
        after_old = before in old or is_quoted(lines[before])
        wrapped = after_old and parent.continues(lines[before], lines[number])
        if wrapped and not is_quoted(lines[number]):
            old.add(number)
    return old


def _full(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if line.strip()]


def _any(lines: Iterable[str]) -> bool:
    return any(line.strip() for line in lines)
