"""The `.cards` text: which symbol each territory's card bears, the wild cards, the missions."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from typing import Any

from pbem.rules.chart import SYMBOLS
from pbem.rules.domination.chart import Land, Region
from pbem.rules.domination.sheet import Line, Sheet, number_of
from pbem.rules.seat import LETTERS

NAMES: Mapping[str, str] = {
    "infantry": "infantry",
    "cavalry": "cavalry",
    "artillery": "artillery",
    "cannon": "artillery",
}
WILD = ("wildcard", "wild")
WILD_CARDS = 2
"""Of a deck that no file describes (rule 6)."""

ANY = "*"
NOTHING = "0"
_MISSION = "player territories armies continent continent continent"


def dealt(lands: Iterable[Land]) -> dict[int, str]:
    """Symbols for a board without cards: the three in turn, in the board's order."""
    return {land.number: symbol for land, symbol in zip(lands, cycle(SYMBOLS), strict=False)}


def symbols(sheet: Sheet, known: Mapping[int, Land]) -> dict[int, str]:
    """The symbol of each territory's card.

    A territory that the file gives no card gets one all the same, of the symbol that is rarest.
    """
    section = sheet.section("cards")
    if not section.lines:
        sheet.fault(section.head, "no cards; write [cards], then a line each: symbol number")
        return dealt(known.values())
    lines: dict[int, int] = {}
    found: dict[int, str] = {}
    for line in section.lines:
        if line.words[0].casefold() not in WILD:
            _enter(sheet, line, known, found, lines)
    for number, land in known.items():
        if number not in found:
            rarest = min(SYMBOLS, key=[*found.values()].count)
            sheet.note(section.head, f"{number} {land.name} has no card and gets one: {rarest}")
            found[number] = rarest
    return found


def _enter(
    sheet: Sheet,
    line: Line,
    known: Mapping[int, Land],
    found: dict[int, str],
    lines: dict[int, int],
) -> None:
    symbol = NAMES.get(line.words[0].casefold())
    number = number_of(line.words[1]) if len(line.words) > 1 else None
    if symbol is None:
        sheet.fault(
            line.number,
            f"there is no symbol {line.words[0]!r};"
            " a card is Infantry, Cavalry, Cannon or wildcard",
        )
    elif number is None or number not in known:
        what = repr(line.words[1]) if len(line.words) > 1 else "without a number"
        sheet.fault(
            line.number,
            f"there is no territory {what}; behind the symbol stands a number of [countries]",
        )
    elif number in found:
        sheet.fault(line.number, f"{number} has its card in line {lines[number]} already")
    else:
        found[number], lines[number] = symbol, line.number


def wild_cards(sheet: Sheet) -> int:
    """How many wild cards there are."""
    lines = sheet.section("cards").lines
    return sum(line.words[0].casefold() in WILD for line in lines)


def missions(sheet: Sheet, continents: Sequence[Region], territories: int) -> list[dict[str, Any]]:
    """The mission cards as entries of a board's data; none for a file without them."""
    reader = _Missions(sheet, continents, territories)
    for line in sheet.section("missions").lines:
        reader.read(line)
    return reader.entries()


class _Missions:
    """Collects missions; each may bring another one that a seat falls back on."""

    def __init__(self, sheet: Sheet, continents: Sequence[Region], territories: int) -> None:
        self.sheet, self.continents, self.territories = sheet, continents, territories
        self.lines: dict[str, int] = {}
        self.found: dict[str, dict[str, Any]] = {}
        self.fallbacks: dict[str, dict[str, Any]] = {}

    def entries(self) -> list[dict[str, Any]]:
        """What was read, then what it only falls back on."""
        more = [
            {**entry, "only_fallback": True}
            for name, entry in self.fallbacks.items()
            if name not in self.found
        ]
        return [*self.found.values(), *more]

    def read(self, line: Line) -> None:
        """One line: the colour to destroy, the numbers to occupy, the continents to hold."""
        if len(line.words) < 6:
            self.sheet.fault(line.number, f"a mission is: {_MISSION}, 0 for what it does not ask")
            return
        numbers = [number_of(word) for word in line.words[:3]]
        player, count, armies = (-1 if number is None else number for number in numbers)
        places = [word for word in line.words[3:6] if word != NOTHING]
        if min(player, count, armies) < 0 or player > len(LETTERS):
            self.sheet.fault(
                line.number,
                f"a mission begins with three numbers, the first a player from 1 to"
                f" {len(LETTERS)} or 0: {_MISSION}",
            )
        elif bool(player or count) == bool(places):
            self.sheet.fault(
                line.number,
                "a mission is to destroy a player, to occupy territories or to hold continents,"
                " one of these",
            )
        elif places:
            self._keep(line, self._continents(line, places))
        elif self._can_occupy(line, count):
            self._keep(
                line,
                self._destroy(line, player, count, armies)
                if player
                else self._occupy(count, armies),
            )

    def _keep(self, line: Line, entry: dict[str, Any] | None) -> None:
        if entry is None:
            return
        first = self.lines.setdefault(entry["id"], line.number)
        if first != line.number:
            self.sheet.note(line.number, f"the same mission as in line {first}; it counts once")
        self.found.setdefault(entry["id"], entry)

    def _continents(self, line: Line, places: Sequence[str]) -> dict[str, Any] | None:
        extra = places.count(ANY)
        numbers = dict.fromkeys(number_of(word) for word in places if word != ANY)
        named = [self._region(line, number) for number in numbers]
        if None in named:
            return None
        if len(named) + extra > len(self.continents):
            self.sheet.fault(line.number, f"there are only {len(self.continents)} continents")
            return None
        shown = (*map(str, numbers), *(["any"] * extra))
        return {
            "id": f"continents-{'-'.join(shown)}",
            "kind": "continents",
            "continents": [region.id for region in named if region is not None],
            "any_extra": extra,
        }

    def _region(self, line: Line, number: int | None) -> Region | None:
        if number is not None and 1 <= number <= len(self.continents):
            return self.continents[number - 1]
        self.sheet.fault(
            line.number,
            f"a continent is a number from 1 to {len(self.continents)}, * for any, 0 for none",
        )
        return None

    def _can_occupy(self, line: Line, count: int) -> bool:
        if count <= self.territories:
            return True
        self.sheet.fault(
            line.number,
            f"the mission asks for {count} territories, the board has {self.territories};"
            f" lower the number, or take the line out",
        )
        return False

    def _occupy(self, count: int, armies: int) -> dict[str, Any]:
        least = max(armies, 1)
        more = f"x{least}" if least > 1 else ""
        return {"id": f"occupy-{count}{more}", "kind": "occupy", "count": count, "armies": least}

    def _destroy(self, line: Line, player: int, count: int, armies: int) -> dict[str, Any]:
        """Who has that colour itself occupies; of 42 territories that is 24 where the file is
        silent, and the same share of others."""
        if not count:
            count = (24 * self.territories + 21) // 42
            self.sheet.note(
                line.number, f"who has this colour itself has to occupy {count} territories"
            )
        fallback = self._occupy(count, armies)
        self.fallbacks.setdefault(fallback["id"], fallback)
        return {
            "id": f"destroy-{player}",
            "kind": "destroy",
            "colour_slot": player,
            "fallback": fallback["id"],
        }
