"""Boards of other makers for tests: one made by hand, any number at random, and their print."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from pbem.rules import board as boards
from pbem.rules.board import Board
from pbem.rules.domination.board import Imported, read
from pbem.rules.domination.sheet import Source

DATA = Path(__file__).parents[1] / "data"
MAP, CARDS = "middle-sea.map", "middle-sea.cards"


def text(name: str) -> str:
    return (DATA / name).read_text(encoding="utf-8")


def imported(map_text: str, cards_text: str | None = None, **facts: Any) -> Imported:
    """The two texts as files of those names."""
    cards = None if cards_text is None else Source(CARDS, cards_text)
    return read(
        Source(MAP, map_text), cards, facts.get("name", ""), facts.get("reserved", frozenset())
    )


def middle_sea(*, cards: bool = True) -> Board:
    """The board made by hand, at hand for `board.load`."""
    found = imported(text(MAP), text(CARDS) if cards else None)
    assert found.data is not None, found.faults
    return boards.keep(boards.canonical(found.data))


@dataclass(frozen=True)
class Sketch:
    """A board before it is written down: continents and territories by name, and who borders."""

    title: str
    continents: list[tuple[str, int]]
    territories: list[tuple[str, int]]
    borders: list[tuple[int, int]]
    symbols: list[str]
    wild_cards: int
    missions: list[str] = field(default_factory=list)

    def map_text(self, end: str = "\n", *, both: bool = True) -> str:
        """As most files write it; with `both` False each border stands once."""
        near: dict[int, list[int]] = {n: [] for n in range(1, len(self.territories) + 1)}
        for one, other in self.borders:
            near[one].append(other)
            if both:
                near[other].append(one)
        lines = [
            "; a board at random",
            f"name {self.title}",
            "[continents]",
            *(f"{name.replace(' ', '_')} {bonus} red" for name, bonus in self.continents),
            "",
            "[countries]",
            *(
                f"{number} {name.replace(' ', '_')} {continent} {number * 7} 40"
                for number, (name, continent) in enumerate(self.territories, 1)
            ),
            "[borders]",
            *(" ".join(map(str, (one, *others))) for one, others in near.items() if others),
        ]
        return end.join(lines) + end

    def cards_text(self) -> str:
        shown = {"infantry": "Infantry", "cavalry": "Cavalry", "artillery": "Cannon"}
        cards = [f"{shown[symbol]} {n}" for n, symbol in enumerate(self.symbols, 1)]
        return "\n".join(
            ["[cards]", *cards, *(["wildcard"] * self.wild_cards), "[missions]", *self.missions]
        )


LETTERS = "abcdefghijklmnopqrstuvwxyzàéîõüčšž"
_word = st.text(LETTERS, min_size=1, max_size=9)
_name = st.lists(_word, min_size=1, max_size=3).map(lambda words: " ".join(words).title())


def _different(names: st.SearchStrategy[str], least: int, most: int) -> Any:
    return st.lists(names, min_size=least, max_size=most, unique_by=str.casefold)


@st.composite
def sketches(draw: st.DrawFn) -> Sketch:
    """Any board that can be played: every continent settled, all of one piece."""
    continents = draw(_different(_name, 1, 5))
    names = draw(_different(_name, max(6, len(continents)), 30))
    count = len(names)
    homes = [*range(1, len(continents) + 1)] + [
        draw(st.integers(1, len(continents))) for _ in range(count - len(continents))
    ]
    # Each territory borders one before it, so that no piece is apart.
    borders = {(draw(st.integers(1, n - 1)), n) for n in range(2, count + 1)}
    for _ in range(draw(st.integers(0, count))):
        one, other = draw(st.integers(1, count)), draw(st.integers(1, count))
        if one != other:
            borders.add((min(one, other), max(one, other)))
    occupied = draw(st.integers(1, count))
    return Sketch(
        title=draw(_name),
        continents=[(name, draw(st.integers(0, 12))) for name in continents],
        territories=list(zip(names, homes, strict=True)),
        borders=sorted(borders),
        symbols=[draw(st.sampled_from(["infantry", "cavalry", "artillery"])) for _ in names],
        wild_cards=draw(st.integers(0, 4)),
        missions=[f"0 {occupied} 2 0 0 0 hold", f"3 {occupied} 1 0 0 0 destroy", "0 0 0 1 0 0 own"],
    )
