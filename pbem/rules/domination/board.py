"""A board's data from its two texts, or all that has to be mended in them first."""

from collections.abc import Collection
from typing import Any, NamedTuple

from pbem.rules import chart as form
from pbem.rules.codes import codes_for
from pbem.rules.domination import cards, chart
from pbem.rules.domination.sheet import Remark, Sheet, Source, sheet, slug_of


class Imported(NamedTuple):
    """A board's data (`rules.board.parse`), or all faults; with the data come notes, which tell
    what was taken another way than it may have been meant."""

    data: dict[str, Any] | None
    faults: tuple[Remark, ...]
    notes: tuple[Remark, ...]


def read(
    map_file: Source, cards_file: Source | None, name: str, reserved: Collection[str]
) -> Imported:
    """The board in a `.map` text and, if there is one, its `.cards` text.

    `name` is what it is called by here, small letters, digits and hyphens; where that is empty it
    is made of the title. `reserved` are words that no code may be, in capitals.
    """
    charted = sheet(map_file)
    listed = None if cards_file is None else sheet(cards_file)
    regions = chart.regions(charted)
    lands = chart.lands(charted, regions)
    arcs = chart.borders(charted, lands) if lands else []
    symbols, wild, missions = _cards(charted, listed, regions, lands)
    sheets = [one for one in (charted, listed) if one is not None]
    if faults := tuple(fault for one in sheets for fault in sorted(one.faults)):
        return Imported(None, faults, ())
    notes = tuple(note for one in sheets for note in sorted(one.notes))
    ordered = sorted(lands.values(), key=lambda land: land.region)
    codes = codes_for([land.name for land in ordered], reserved)
    title = chart.title_of(charted)
    data: dict[str, Any] = {
        "map": {"id": name or slug_of(title) or "board", "wild_cards": wild},
        "continent": [{"id": r.id, "name": r.name, "bonus": r.bonus} for r in regions],
        "territory": [
            {
                "code": code,
                "id": land.id,
                "name": land.name,
                "continent": regions[land.region - 1].id,
                "card": symbols[land.number],
                **({"at": list(land.spot)} if land.spot else {}),
            }
            for code, land in zip(codes, ordered, strict=True)
        ],
        "adjacency": {"edges": [[lands[one].id, lands[other].id] for one, other in arcs]},
    }
    if title:
        data["map"]["name"] = title
    if missions:
        data["mission"] = missions
    # What no line is to blame for: a name that cannot be an id, two continents' ids alike.
    left = tuple(Remark(map_file.file, 1, text) for text in form.faults(data))
    return Imported(None if left else data, left, notes)


def _cards(
    charted: Sheet,
    listed: Sheet | None,
    regions: list[chart.Region],
    lands: dict[int, chart.Land],
) -> tuple[dict[int, str], int, list[dict[str, Any]]]:
    """Symbols by number, wild cards and missions; without a file the symbols go round."""
    if listed is not None:
        symbols = cards.symbols(listed, lands)
        missions = cards.missions(listed, regions, len(lands))
        return symbols, cards.wild_cards(listed), missions
    named = chart.cards_of(charted)
    told = f"the cards are in {named}, which was not given" if named else "no cards were given"
    charted.note(1, f"{told}: the symbols go round, and there are no missions")
    ordered = sorted(lands.values(), key=lambda land: land.region)
    return cards.dealt(ordered), cards.WILD_CARDS, []
