"""The board: territories, the borders between them, and the continents (rules.md, "Words").

A board is data, read once and shared; nothing in it ever changes during a game. Order matters:
territories stand in the order of the file, by continent, and every list that the rules make of
them keeps that order, so that the same game gives the same letters.

Our own boards are files of the package (`boards/*.toml`). A board of another maker is known by
its name and the checksum of its text, ``middle-sea@5f0c...``: who reads a game's rows or a record
hands the text to `keep`, and from then on `load` knows it. One id never means two boards.
"""

import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from importlib import resources
from typing import Any

from pbem.rules.chart import edges_of, faults
from pbem.rules.mission import Mission, mission_from
from pbem.rules.place import Code, ContinentId

__all__ = [
    "CLASSIC",
    "MARK",
    "Board",
    "BoardError",
    "BoardId",
    "Code",
    "Continent",
    "ContinentId",
    "Territory",
    "canonical",
    "checksum",
    "checksum_of",
    "foreign_id",
    "is_foreign",
    "is_known",
    "keep",
    "load",
    "parse",
    "variants",
]

CLASSIC = "classic-world"
MARK = "@"
"""Parts name and checksum in the id of a board of another maker."""

MOST_KEPT = 512
"""So many boards of other makers are kept at hand; the one that was learnt first goes first."""

BoardId = tuple[str, str | None]
"""A board's name and its variant, as a position bears them."""


class BoardError(ValueError):
    """The board's data contradict themselves; the message names the entry that is wrong."""


@dataclass(frozen=True, slots=True)
class Territory:
    """One territory. `symbols` maps a card deck (``hasbro``, ``continental``) to its symbol.

    `at` is where its maker's picture shows it, from the left and the top; the unit is theirs.
    """

    code: Code
    id: str
    name: str
    continent: ContinentId
    symbols: Mapping[str, str]
    names: Mapping[str, str]
    aliases: tuple[str, ...]
    at: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Continent:
    """A continent and the armies that holding all of it brings (rule 3)."""

    id: ContinentId
    name: str
    bonus: int
    territories: tuple[Code, ...]
    names: Mapping[str, str]


@dataclass(frozen=True)
class Board:
    """Territories by code, continents by id, and for each territory its neighbours (rule 4).

    `missions` are the board's own mission cards; without any the decks of `rules.missions` hold.
    `source` is the canonical text of a board of another maker, and empty for ours.
    """

    id: str
    territories: Mapping[Code, Territory]
    continents: Mapping[ContinentId, Continent]
    neighbours: Mapping[Code, tuple[Code, ...]]
    wild_cards: int
    title: str = ""
    missions: tuple[Mission, ...] = ()
    source: str = ""

    @cached_property
    def codes(self) -> tuple[Code, ...]:
        """All codes in the board's own order."""
        return tuple(self.territories)

    @property
    def is_classic(self) -> bool:
        """Whether it is the classic world or a variant of it, whose names all languages know."""
        return self.id.partition("/")[0] == CLASSIC

    def adjacent(self, one: Code, other: Code) -> bool:
        """Whether a border or a sea line joins the two (rule 4)."""
        return other in self.neighbours[one]

    def distances(self, start: Iterable[Code]) -> dict[Code, int]:
        """Steps over borders from the nearest of `start` to every territory it reaches."""
        ring = list(start)
        steps = dict.fromkeys(ring, 0)
        while ring:
            ring = [
                far
                for near in ring
                for far in self.neighbours[near]
                if far not in steps and steps.setdefault(far, steps[near] + 1)
            ]
        return steps


_KEPT: dict[str, Board] = {}


@lru_cache(maxsize=MOST_KEPT)
def load(name: str = CLASSIC, variant: str | None = None) -> Board:
    """The board of that name: from the package's data, or one of another maker that is known.

    Raises BoardError for a board or variant that is not there or contradicts itself.
    """
    if is_foreign(name):
        if name not in _KEPT:
            raise BoardError(f"the board {name} is not known here")
        return _KEPT[name]
    return _ours(name, variant)


@cache
def _ours(name: str, variant: str | None) -> Board:
    """A board of the package: however many others come by, it stays the same one."""
    return parse(_data(name), variant)


def _data(name: str) -> dict[str, Any]:
    source = resources.files(__package__) / "boards" / f"{name}.toml"
    if not source.is_file():
        raise BoardError(f"no board is called {name!r}")
    return tomllib.loads(source.read_text(encoding="utf-8"))


@cache
def variants() -> tuple[str, ...]:
    """The variants of the classic world."""
    return tuple(entry["id"] for entry in _data(CLASSIC)["variant"])


def is_foreign(name: str) -> bool:
    """Whether the name is that of a board of another maker, with its checksum."""
    return MARK in name


def is_known(name: str) -> bool:
    """Whether `load` can give the board of another maker that has this id."""
    return name in _KEPT


def keep(source: str) -> Board:
    """Takes in a board of another maker from its canonical text, so that `load` knows it.

    Raises BoardError for a text that is none.
    """
    try:
        data = json.loads(source)
    except (ValueError, RecursionError) as error:
        raise BoardError("the text of the board is not JSON") from error
    if canonical(data) != source:
        raise BoardError("the text of the board is not in its canonical form")
    board = parse(data)
    name = foreign_id(board.id, source)
    if name not in _KEPT:
        while len(_KEPT) >= MOST_KEPT:
            del _KEPT[next(iter(_KEPT))]
        _KEPT[name] = replace(board, id=name, source=source)
    return _KEPT[name]


def foreign_id(name: str, source: str) -> str:
    """The id of a board of another maker: its name, and the checksum of its canonical text."""
    return f"{name}{MARK}{checksum(source)}"


def checksum_of(name: str) -> str:
    """The checksum in the id of a board of another maker."""
    return name.rpartition(MARK)[2]


def canonical(data: Mapping[str, Any]) -> str:
    """A board's data as one line of text, the same for the same board."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def checksum(source: str) -> str:
    """Sixteen hexadecimal digits over a board's canonical text."""
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def parse(data: Mapping[str, Any], variant: str | None = None) -> Board:
    """A board from its data; raises BoardError for all that `chart.faults` finds in them."""
    if found := faults(data, variant):
        raise BoardError("; ".join(found))
    territories = {t.code: t for t in map(_territory, data["territory"])}
    by_id = {t.id: t.code for t in territories.values()}
    borders: dict[Code, set[Code]] = {code: set() for code in territories}
    for one, other in edges_of(data, variant):
        borders[by_id[one]].add(by_id[other])
        borders[by_id[other]].add(by_id[one])
    order = {code: place for place, code in enumerate(territories)}
    return Board(
        id=data["map"]["id"] if variant is None else f"{data['map']['id']}/{variant}",
        title=data["map"].get("name", data["map"]["id"]),
        territories=territories,
        continents={
            c.id: c for c in (_continent(entry, territories) for entry in data["continent"])
        },
        neighbours={code: tuple(sorted(n, key=order.__getitem__)) for code, n in borders.items()},
        wild_cards=data["map"]["wild_cards"],
        missions=tuple(map(mission_from, data.get("mission", ()))),
    )


def _territory(entry: Mapping[str, Any]) -> Territory:
    card = entry["card"]
    return Territory(
        code=Code(entry["code"]),
        id=entry["id"],
        name=entry["name"],
        continent=ContinentId(entry["continent"]),
        symbols={"hasbro": card, "continental": entry.get("card_continental", card)},
        names=entry.get("names", {}),
        aliases=tuple(entry.get("aliases", ())),
        at=tuple(entry["at"]) if "at" in entry else None,
    )


def _continent(entry: Mapping[str, Any], territories: Mapping[Code, Territory]) -> Continent:
    return Continent(
        id=ContinentId(entry["id"]),
        name=entry["name"],
        bonus=entry["bonus"],
        territories=tuple(t.code for t in territories.values() if t.continent == entry["id"]),
        names=entry.get("names", {}),
    )
