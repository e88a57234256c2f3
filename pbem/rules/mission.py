"""A mission card as data: the form of `missions.toml` and of boards that bring their own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NewType

from pbem.rules.place import ContinentId
from pbem.rules.seat import LETTERS, Seat

MissionId = NewType("MissionId", str)
"""The data file's name of a mission, e.g. ``asia-africa``."""


@dataclass(frozen=True, slots=True)
class Mission:
    """What has to be reached; which fields count hangs on the kind.

    ``occupy``: `count` territories with at least `armies` on each. ``continents``: all of these,
    and `any_extra` more of one's choice. ``destroy``: the seat `target`; who has that seat gets
    the mission `fallback` instead. `only_fallback` marks what stands on no card of its own.
    """

    id: MissionId
    kind: Literal["occupy", "continents", "destroy"]
    count: int = 0
    armies: int = 1
    continents: tuple[ContinentId, ...] = ()
    any_extra: int = 0
    target: Seat | None = None
    fallback: MissionId | None = None
    only_fallback: bool = False


def mission_from(entry: Mapping[str, Any]) -> Mission:
    """The mission of an entry; KeyError where it is not whole."""
    slot = entry.get("colour_slot")
    return Mission(
        id=MissionId(entry["id"]),
        kind=entry["kind"],
        count=entry.get("count", 0),
        armies=entry.get("armies", 1),
        continents=tuple(ContinentId(name) for name in entry.get("continents", ())),
        any_extra=entry.get("any_extra", 0),
        target=None if slot is None else LETTERS[slot - 1],
        fallback=MissionId(entry["fallback"]) if "fallback" in entry else None,
        only_fallback=entry.get("only_fallback", False),
    )
