"""The data of a board before they are one: their form, and all that may be wrong with them.

The form is that of `boards/*.toml`: tables `map`, `continent`, `territory`, `adjacency`,
`variant` and, for a board with its own mission cards, `mission`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.rules.seat import LETTERS

LEAST_TERRITORIES = len(LETTERS)
"""So many that every seat of a full table has one."""

MOST_TERRITORIES = 300
LONGEST_NAME = 40
MOST_OF_A_COUNT = 999
FARTHEST = 1_000_000
"""Where a territory may lie, counted from the left and the top."""

SYMBOLS = ("infantry", "cavalry", "artillery")

Data = Mapping[str, Any]
Edge = tuple[str, str]

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_CODE = re.compile("[A-Z]{3}")


def faults(data: Any, variant: str | None = None) -> list[str]:
    """What is wrong with a board's data, each entry by name; nothing for a board to play on."""
    return list(_misshapen(data)) or list(_senseless(data, variant))


def edges_of(data: Data, variant: str | None) -> list[Edge]:
    """The borders as pairs of territories' ids; raises KeyError for an unknown variant."""
    edges = [(one, other) for one, other in data["adjacency"]["edges"]]
    if variant is None:
        return edges
    entry = {entry["id"]: entry for entry in data.get("variant", ())}[variant]
    gone = {frozenset(pair) for pair in entry["remove"]}
    added = [(one, other) for one, other in entry["add"]]
    return [edge for edge in edges if frozenset(edge) not in gone] + added


def is_name(text: str) -> bool:
    """Whether a territory or a continent can be called so: with a letter, and without signs that
    cannot be printed."""
    return (
        len(text) <= LONGEST_NAME
        and text.isprintable()
        and any(sign.isalpha() for sign in text)
        and text == " ".join(text.split())
    )


# --- form


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_NAME and bool(_ID.fullmatch(value))


def _is_code(value: Any) -> bool:
    return isinstance(value, str) and bool(_CODE.fullmatch(value))


def _is_title(value: Any) -> bool:
    return isinstance(value, str) and is_name(value)


def _is_symbol(value: Any) -> bool:
    return value in SYMBOLS


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_OF_A_COUNT


def _is_spot(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) == 2
        and all(isinstance(n, int | float) and 0 <= n <= FARTHEST for n in value)
    )


def _is_edge(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) == 2
        and all(isinstance(end, str) for end in value)
    )


def _is_ids(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _is_names(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(_is_title, value.values()))


def _is_edges(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_edge, value))


def _is_kind(value: Any) -> bool:
    return isinstance(value, str) and value in _MISSION_KEYS


Test = Callable[[Any], bool]

_MAP: Mapping[str, Test] = {
    "id": _is_id,
    "name": lambda value: value is None or _is_title(value),
    "wild_cards": _is_count,
}
_CONTINENT: Mapping[str, Test] = {"id": _is_id, "name": _is_title, "bonus": _is_count}
_TERRITORY: Mapping[str, Test] = {
    "code": _is_code,
    "id": _is_id,
    "name": _is_title,
    "continent": lambda value: isinstance(value, str),
    "card": _is_symbol,
}
_VARIANT: Mapping[str, Test] = {"id": _is_id, "remove": _is_edges, "add": _is_edges}
_OPTIONAL: Mapping[str, Test] = {
    "card_continental": _is_symbol,
    "aliases": _is_ids,
    "names": _is_names,
    "at": _is_spot,
    "only_fallback": lambda value: isinstance(value, bool),
}
_MISSION: Mapping[str, Test] = {"id": _is_id, "kind": _is_kind}
_MISSION_KEYS: Mapping[str, Mapping[str, Test]] = {
    "occupy": {"count": _is_count, "armies": _is_count},
    "continents": {"continents": _is_ids, "any_extra": _is_count},
    "destroy": {"colour_slot": _is_count, "fallback": _is_id},
}


def _misshapen(data: Any) -> Iterator[str]:
    if not isinstance(data, Mapping):
        yield "a board is a table"
        return
    yield from _entry("map", data.get("map"), _MAP)
    for table, form in (("continent", _CONTINENT), ("territory", _TERRITORY)):
        yield from _entries(table, data.get(table), form)
    adjacency = data.get("adjacency")
    if not isinstance(adjacency, Mapping) or not _is_edges(adjacency.get("edges")):
        yield "'adjacency' must have the borders as pairs of ids, in a list 'edges'"
    for table, form in (("variant", _VARIANT), ("mission", _MISSION)):
        if table in data:
            yield from _entries(table, data[table], form)


def _entries(table: str, entries: Any, form: Mapping[str, Test]) -> Iterator[str]:
    if not isinstance(entries, list) or not entries:
        yield f"the board has no {table}"
        return
    for entry in entries:
        found = list(_entry(table, entry, form))
        yield from found
        if table == "mission" and not found:
            yield from _entry(table, entry, _MISSION_KEYS[entry["kind"]])


def _entry(table: str, entry: Any, form: Mapping[str, Test]) -> Iterator[str]:
    if not isinstance(entry, Mapping):
        yield f"{table!r} must be a table"
        return
    for key, fits in form.items():
        if not fits(entry.get(key)):
            yield f"{table} {entry.get('id')!r}: {key} cannot be {entry.get(key)!r}"
    for key, fits in _OPTIONAL.items():
        if key in entry and not fits(entry[key]):
            yield f"{table} {entry.get('id')!r}: {key} cannot be {entry[key]!r}"


# --- sense


def _senseless(data: Data, variant: str | None) -> Iterator[str]:
    territories, continents = data["territory"], data["continent"]
    ids = [entry["id"] for entry in territories]
    known = {entry["id"] for entry in continents}
    if variant is not None and variant not in [v["id"] for v in data.get("variant", ())]:
        yield f"the board has no variant called {variant!r}"
        return
    if not LEAST_TERRITORIES <= len(ids) <= MOST_TERRITORIES:
        yield (f"a board has {LEAST_TERRITORIES} to {MOST_TERRITORIES} territories, not {len(ids)}")
    if twice(ids) or twice(entry["code"] for entry in territories):
        yield "two territories share a code or an id"
    for what, entries in (("territories", territories), ("continents", continents)):
        if name := twice(entry["name"].casefold() for entry in entries):
            yield f"two {what} are called {name!r}"
    if name := twice(entry["id"] for entry in continents):
        yield f"two continents share the id {name!r}"
    for entry in territories:
        if entry["continent"] not in known:
            yield f"{entry['id']!r} lies in {entry['continent']!r}, no continent"
    for name in known - {entry["continent"] for entry in territories}:
        yield f"the continent {name!r} has no territory"
    codes = {entry["id"]: entry["code"] for entry in territories}
    yield from _wrong_borders(codes, edges_of(data, variant))
    yield from _wrong_missions(data.get("mission", ()), known, len(ids))


def _wrong_borders(codes: Mapping[str, str], edges: Iterable[Edge]) -> Iterator[str]:
    near: dict[str, set[str]] = {name: set() for name in codes}
    for one, other in edges:
        unknown = [end for end in (one, other) if end not in near]
        yield from (f"a border names {end!r}, which is no territory" for end in unknown)
        if one == other:
            yield f"{one!r} has a border with itself"
        if not unknown:
            near[one].add(other)
            near[other].add(one)
    if apart := cut_off(tuple(codes), near):
        yield f"the board is in pieces: no way leads to {codes[apart[0]]}"


def _wrong_missions(missions: Sequence[Data], continents: set[str], most: int) -> Iterator[str]:
    occupying = {m["id"] for m in missions if m["kind"] == "occupy"}
    if name := twice(mission["id"] for mission in missions):
        yield f"two missions share the id {name!r}"
    for mission in missions:
        match mission["kind"]:
            case "occupy" if not 0 < mission["count"] <= most or not mission["armies"]:
                yield f"the mission {mission['id']!r} cannot be done on {most} territories"
            case "continents" if not {*mission["continents"]} <= continents:
                yield f"the mission {mission['id']!r} names a continent that is not there"
            case "continents" if not (
                0 < len(mission["continents"]) + mission["any_extra"] <= len(continents)
            ):
                yield f"the mission {mission['id']!r} asks for more continents than there are"
            case "destroy" if not 1 <= mission["colour_slot"] <= len(LETTERS):
                yield f"the mission {mission['id']!r} names a seat that no table has"
            case "destroy" if mission["fallback"] not in occupying:
                yield f"the mission {mission['id']!r} falls back on none"


def twice(values: Iterable[str]) -> str | None:
    """The first value that comes a second time."""
    seen: set[str] = set()
    return next((value for value in values if value in seen or seen.add(value)), None)  # type: ignore[func-returns-value]  # add gives None: not yet seen


def cut_off(places: Sequence[str], near: Mapping[str, Iterable[str]]) -> list[str]:
    """The places that no way leads to from the first one."""
    reached, ring = set(places[:1]), list(places[:1])
    while ring:
        found = [far for place in ring for far in near[place] if far not in reached]
        reached.update(found)
        ring = found
    return [place for place in places if place not in reached]
