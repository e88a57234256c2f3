"""What the map is made of: every territory of the board, and no other."""

import re
import tomllib
from pathlib import Path

from pbem.render.picture.world import world
from pbem.rules import board as boards

ATLAS = Path(__file__).parents[2] / "tools" / "atlas"
PLAN = tomllib.loads((ATLAS / "classic-world.toml").read_text(encoding="utf-8"))
IDS = {territory.id for territory in boards.load().territories.values()}


def test_the_plan_gives_land_to_every_territory_and_to_no_other() -> None:
    cut = {entry["territory"] for entry in PLAN["cut"] if "territory" in entry}
    assert set(PLAN["whole"]) | cut == IDS
    assert set(PLAN["badge"]) <= IDS
    assert {end for line in PLAN["sea_line"] for end in line["ends"]} <= IDS


def test_no_land_is_given_twice() -> None:
    whole = [land for lands in PLAN["whole"].values() for land in lands]
    assert len(whole) == len(set(whole))
    rest = [entry["land"] for entry in PLAN["cut"] if "area" not in entry]
    assert len(rest) == len(set(rest))


def test_the_drawing_has_a_path_for_every_territory_and_continent() -> None:
    source = (ATLAS / "classic-world.svg").read_text(encoding="utf-8")
    paths = set(re.findall(r'<path id="([a-z-]+)"', source))
    continents = {f"outline-{name}" for name in boards.load().continents}
    lakes = {f"lake-{name}" for name in PLAN["lakes"]}
    assert paths == IDS | continents | lakes


def test_the_baked_places_are_those_of_the_plan() -> None:
    codes = {territory.id: code for code, territory in boards.load().territories.items()}
    for name, (x, y) in PLAN["badge"].items():
        assert world().badges[codes[name]] == (x, y)
    for name, entry in PLAN["continent"].items():
        tint = {str(key): value for key, value in world().continents.items()}[name]
        assert (tint.colour, list(tint.label)) == (entry["tint"], entry["label"])
