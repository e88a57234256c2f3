"""The `.map` text: continents, territories and the borders between them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pbem.rules import chart
from pbem.rules.domination.sheet import HEADING, Line, Sheet, name_of, number_of, slug_of

Arc = tuple[int, int]
"""A border as a line tells it: from the territory of this number to the one of that."""


@dataclass(frozen=True, slots=True)
class Region:
    """A continent, with the line that names it."""

    line: int
    id: str
    name: str
    bonus: int


@dataclass(frozen=True, slots=True)
class Land:
    """A territory, with the line that names it. `region` counts the continents from 1; `spot` is
    where the file's picture shows it, in pixels from the left and the top."""

    line: int
    number: int
    id: str
    name: str
    region: int
    spot: tuple[int, int] | None


def title_of(sheet: Sheet) -> str:
    """The board's name in the heading; empty if there is none that can be printed."""
    for line in sheet.section(HEADING).lines:
        if line.words[0].casefold() == "name":
            title = name_of(" ".join(line.words[1:]))
            return title if chart.is_name(title) else ""
    return ""


def cards_of(sheet: Sheet) -> str | None:
    """The `.cards` file that the map names."""
    for line in sheet.section("files").lines:
        if line.words[0].casefold() == "crd" and len(line.words) > 1:
            return line.words[1]
    return None


def regions(sheet: Sheet) -> list[Region]:
    """The continents in the order of the file, which numbers them."""
    section = sheet.section("continents")
    if not section.lines:
        sheet.fault(section.head, "no continents; write [continents], then a line each: name bonus")
    named: dict[str, int] = {}
    found: list[Region] = []
    for line in section.lines:
        name = _name(sheet, line, line.words[0], "continent", named)
        bonus = number_of(line.words[1]) if len(line.words) > 1 else None
        if bonus is None or bonus > chart.MOST_OF_A_COUNT:
            sheet.fault(line.number, f"{name}: behind the name stands its bonus, as a number")
        place = len(found) + 1
        region = Region(line.number, _id(name, "continent", place, found), name, bonus or 0)
        found.append(region)
    return found


def lands(sheet: Sheet, continents: Sequence[Region]) -> dict[int, Land]:
    """The territories by their numbers, in the order of the file."""
    section = sheet.section("countries")
    named: dict[str, int] = {}
    found: dict[int, Land] = {}
    for line in section.lines:
        land = _land(sheet, line, named, found, continents)
        if land is not None:
            found[land.number] = land
    if not chart.LEAST_TERRITORIES <= len(section.lines) <= chart.MOST_TERRITORIES:
        sheet.fault(
            section.head,
            f"{len(section.lines)} territories; a board has {chart.LEAST_TERRITORIES}"
            f" to {chart.MOST_TERRITORIES}, below [countries]",
        )
    settled = {land.region for land in found.values()}
    for place, region in enumerate(continents, 1):
        if place not in settled and section.lines:
            sheet.fault(
                region.line,
                f"the continent {region.name} has no territory;"
                f" give it one below [countries], or take the line out",
            )
    return found


def _land(
    sheet: Sheet,
    line: Line,
    named: dict[str, int],
    found: Mapping[int, Land],
    continents: Sequence[Region],
) -> Land | None:
    if len(line.words) < 3:
        sheet.fault(line.number, "a territory is: number name continent x y")
        return None
    number, region = number_of(line.words[0]), number_of(line.words[2])
    if number is None or number == 0:
        sheet.fault(line.number, f"{line.words[0]!r} is no number of a territory, count from 1")
        return None
    if number in found:
        sheet.fault(line.number, f"the number {number} is that of line {found[number].line} too")
        return None
    name = _name(sheet, line, line.words[1], "territory", named)
    if region is None or not 1 <= region <= len(continents):
        sheet.fault(
            line.number,
            f"{name}: there is no continent {line.words[2]!r}; [continents] has 1 to"
            f" {len(continents)}",
        )
    own = _id(name, "territory", number, list(found.values()))
    return Land(line.number, number, own, name, region or 0, _spot(line.words[3:5]))


def _name(sheet: Sheet, line: Line, word: str, what: str, named: dict[str, int]) -> str:
    name = name_of(word)
    if not chart.is_name(name):
        sheet.fault(
            line.number,
            f"{word!r} cannot name a {what}: a name has a letter, at most"
            f" {chart.LONGEST_NAME} signs, and blanks are written as _",
        )
    first = named.setdefault(name.casefold(), line.number)
    if first != line.number:
        sheet.fault(line.number, f"the {what} of line {first} is called {name} too; rename one")
    return name


def _id(name: str, what: str, number: int, others: Sequence[Region | Land]) -> str:
    taken = {other.id for other in others}
    own = slug_of(name) or f"{what}-{number}"
    while own in taken:
        own = f"{own}x"
    return own


def _spot(words: Sequence[str]) -> tuple[int, int] | None:
    numbers = [number for word in words if (number := number_of(word)) is not None]
    return (numbers[0], numbers[1]) if len(numbers) == 2 else None


def borders(sheet: Sheet, known: Mapping[int, Land]) -> list[Arc]:
    """The borders once each, as pairs of numbers in ascending order.

    Written from both sides, as most files do, every one must be; in a file that writes each border
    once, from whichever side, one is enough.
    """
    arcs = _arcs(sheet, known)
    both = any((other, one) in arcs for one, other in arcs)
    for (one, other), line in arcs.items() if both else ():
        if (other, one) not in arcs:
            sheet.fault(
                line,
                f"{one} {known[one].name} has a border with {other} {known[other].name},"
                f" but the line of {other} does not name {one}; add {one} there,"
                f" or take {other} out here",
            )
    found = sorted({(min(arc), max(arc)) for arc in arcs})
    _refuse_pieces(sheet, known, found)
    return found


def _arcs(sheet: Sheet, known: Mapping[int, Land]) -> dict[Arc, int]:
    section = sheet.section("borders")
    if not section.lines:
        sheet.fault(
            section.head, "no borders; write [borders], then a line each: number neighbours"
        )
    arcs: dict[Arc, int] = {}
    for line in section.lines:
        numbers = list(_numbers(sheet, line, known))
        one = number_of(line.words[0])
        for other in numbers[1:] if numbers and numbers[0] == one else ():
            if other == one:
                sheet.fault(line.number, f"{one} {known[one].name} has a border with itself")
            else:
                arcs.setdefault((numbers[0], other), line.number)
    return arcs


def _numbers(sheet: Sheet, line: Line, known: Mapping[int, Land]) -> Iterator[int]:
    for word in line.words:
        number = number_of(word)
        if number is None or number not in known:
            sheet.fault(
                line.number,
                f"there is no territory {word!r}; borders are written with the numbers of"
                f" [countries]",
            )
        else:
            yield number


def _refuse_pieces(sheet: Sheet, known: Mapping[int, Land], found: Sequence[Arc]) -> None:
    near: dict[str, set[str]] = {land.id: set() for land in known.values()}
    for one, other in found:
        near[known[one].id].add(known[other].id)
        near[known[other].id].add(known[one].id)
    apart = set(chart.cut_off(tuple(near), near))
    if found and apart:
        first, *_ = known.values()
        far = next(land for land in known.values() if land.id in apart)
        sheet.fault(
            far.line,
            f"the board is in pieces: no way leads from {first.number} {first.name} to"
            f" {far.number} {far.name}; join them by a border",
        )
