"""The board: territories, the borders between them, and the continents (rules.md, "Words").

A board is data (`boards/*.toml`), read once and shared; nothing in it ever changes during a game.
Order matters: territories stand in the order of the file, by continent, and every list that the
rules make of them keeps that order, so that the same game gives the same letters.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import Any, NewType

Code = NewType("Code", str)
"""Three capital letters that name a territory in every language, e.g. ``SIA``."""

ContinentId = NewType("ContinentId", str)
"""The data file's name of a continent, e.g. ``south-america``."""


class BoardError(ValueError):
    """The board file contradicts itself; the message names the entry that is wrong."""


@dataclass(frozen=True, slots=True)
class Territory:
    """One territory. `symbols` maps a card deck (``hasbro``, ``continental``) to its symbol."""

    code: Code
    id: str
    name: str
    continent: ContinentId
    symbols: Mapping[str, str]
    names: Mapping[str, str]
    aliases: tuple[str, ...]


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
    """Territories by code, continents by id, and for each territory its neighbours (rule 4)."""

    id: str
    territories: Mapping[Code, Territory]
    continents: Mapping[ContinentId, Continent]
    neighbours: Mapping[Code, tuple[Code, ...]]
    wild_cards: int

    @cached_property
    def codes(self) -> tuple[Code, ...]:
        """All codes in the board's own order."""
        return tuple(self.territories)

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


@cache
def load(name: str = "classic-world", variant: str | None = None) -> Board:
    """The board of that name from the package's data.

    Raises BoardError for a board or variant that is not there or contradicts itself.
    """
    source = resources.files(__package__) / "boards" / f"{name}.toml"
    if not source.is_file():
        raise BoardError(f"no board is called {name!r}")
    return parse(tomllib.loads(source.read_text(encoding="utf-8")), variant)


def parse(data: Mapping[str, Any], variant: str | None = None) -> Board:
    """A board from its parsed file; refuses unknown names, self borders and a board in pieces."""
    territories = {t.code: t for t in map(_territory, data["territory"])}
    by_id = {t.id: t.code for t in territories.values()}
    if len(by_id) != len(data["territory"]):
        raise BoardError("two territories share a code or an id")
    borders: dict[Code, set[Code]] = {code: set() for code in territories}
    for one, other in _edges(data, variant):
        for end in (one, other):
            if end not in by_id:
                raise BoardError(f"a border names {end!r}, which is no territory")
        if one == other:
            raise BoardError(f"{one!r} has a border with itself")
        borders[by_id[one]].add(by_id[other])
        borders[by_id[other]].add(by_id[one])
    order = {code: place for place, code in enumerate(territories)}
    board = Board(
        id=data["map"]["id"] if variant is None else f"{data['map']['id']}/{variant}",
        territories=territories,
        continents={
            c.id: c for c in (_continent(entry, territories) for entry in data["continent"])
        },
        neighbours={code: tuple(sorted(n, key=order.__getitem__)) for code, n in borders.items()},
        wild_cards=data["map"]["wild_cards"],
    )
    _check(board)
    return board


def _territory(entry: Mapping[str, Any]) -> Territory:
    return Territory(
        code=Code(entry["code"]),
        id=entry["id"],
        name=entry["name"],
        continent=ContinentId(entry["continent"]),
        symbols={"hasbro": entry["card"], "continental": entry["card_continental"]},
        names=entry["names"],
        aliases=tuple(entry.get("aliases", ())),
    )


def _continent(entry: Mapping[str, Any], territories: Mapping[Code, Territory]) -> Continent:
    return Continent(
        id=ContinentId(entry["id"]),
        name=entry["name"],
        bonus=entry["bonus"],
        territories=tuple(t.code for t in territories.values() if t.continent == entry["id"]),
        names=entry["names"],
    )


def _edges(data: Mapping[str, Any], variant: str | None) -> list[tuple[str, str]]:
    edges = [(one, other) for one, other in data["adjacency"]["edges"]]
    if variant is None:
        return edges
    for entry in data.get("variant", ()):
        if entry["id"] == variant:
            gone = {frozenset(pair) for pair in entry["remove"]}
            return [e for e in edges if frozenset(e) not in gone] + [
                (one, other) for one, other in entry["add"]
            ]
    raise BoardError(f"the board has no variant called {variant!r}")


def _check(board: Board) -> None:
    for territory in board.territories.values():
        if territory.continent not in board.continents:
            raise BoardError(f"{territory.id!r} lies in {territory.continent!r}, no continent")
    empty = [c.id for c in board.continents.values() if not c.territories]
    if empty:
        raise BoardError(f"the continent {empty[0]!r} has no territory")
    reached = board.distances(board.codes[:1])
    cut_off = [code for code in board.codes if code not in reached]
    if cut_off:
        raise BoardError(f"the board is in pieces: no way leads to {cut_off[0]}")
