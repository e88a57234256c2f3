"""Missions as they are read from a board's entry."""

import pytest

from pbem.rules.mission import Mission, MissionId, mission_from
from pbem.rules.place import ContinentId
from pbem.rules.seat import Seat


def test_what_an_entry_leaves_out_is_one_army_and_nothing_else() -> None:
    read = mission_from({"id": "occupy-24", "kind": "occupy", "count": 24})
    assert (read.id, read.kind, read.count, read.armies) == ("occupy-24", "occupy", 24, 1)
    assert (read.continents, read.any_extra, read.only_fallback) == ((), 0, False)
    assert read.target is None
    assert read.fallback is None
    assert Mission(MissionId("o"), "occupy").target is None


def test_territories_are_to_hold_the_armies_of_the_entry() -> None:
    read = mission_from({"id": "occupy-18x2", "kind": "occupy", "count": 18, "armies": 2})
    assert (read.count, read.armies) == (18, 2)


def test_continents_keep_their_order_and_those_of_ones_choice() -> None:
    entry = {"id": "c", "kind": "continents", "continents": ["europe", "asia"], "any_extra": 1}
    read = mission_from(entry)
    assert read.continents == (ContinentId("europe"), ContinentId("asia"))
    assert (read.any_extra, read.count) == (1, 0)


@pytest.mark.parametrize(("slot", "seat"), [(1, "A"), (2, "B"), (6, "F")])
def test_the_colour_to_destroy_is_the_seat_of_that_number(slot: int, seat: str) -> None:
    read = mission_from({"id": "d", "kind": "destroy", "colour_slot": slot, "fallback": "o"})
    assert (read.target, read.fallback) == (Seat(seat), MissionId("o"))
    assert not read.only_fallback


def test_what_stands_on_no_card_is_marked() -> None:
    entry = {"id": "o", "kind": "occupy", "count": 8, "only_fallback": True}
    assert mission_from(entry).only_fallback
