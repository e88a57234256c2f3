"""Boards of other makers with coordinates, at random by their seed, and scenes on them."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any

from pbem.render.picture.scene import Attack, Scene
from pbem.rules import board as boards
from pbem.rules.board import Board
from pbem.rules.seat import LETTERS
from tests.render.scenes import players

WIDE, HIGH = 677, 425
"""The maker's picture, in pixels of most such files."""

FIRST = (
    *("Northern", "Old", "Upper", "West", "Saint", "Green", "Cold"),
    *("Far", "High", "Lower", "New", "Black", "Great", "Deep"),
)
SECOND = ("Reach", "Harbour", "Valley", "Mark", "Fields", "Moor", "Haven", "Lake", "Isle", "Shore")

Spot = tuple[int, int]


def board_of(count: int, seed: int = 7, **territory: Any) -> Board:
    """A board whose territories border those that lie nearest, and one border around its edge.

    `territory` is put into the entry of every territory.
    """
    spots = _spots(count, Random(seed))
    homes = _homes(spots, max(2, round(count / 6.5)))
    entries = [
        {
            "code": "".join(chr(65 + place // step % 26) for step in (1, 26, 676)),
            "id": f"land-{place}",
            "name": f"{FIRST[place % 14]} {SECOND[place // 14]}",
            "continent": f"part-{homes[place]}",
            "card": "infantry",
            "at": list(spot),
        }
        | territory
        for place, spot in enumerate(spots)
    ]
    return kept(entries, [(f"land-{one}", f"land-{other}") for one, other in _borders(spots)])


def kept(entries: Sequence[Mapping[str, Any]], edges: Sequence[tuple[str, str]]) -> Board:
    """A board of these territories, at hand for `board.load`."""
    parts = sorted({entry["continent"] for entry in entries})
    return boards.keep(
        boards.canonical(
            {
                "map": {"id": "sketch", "name": "Sketch", "wild_cards": 2},
                "continent": [
                    {"id": part, "name": f"Part of the {FIRST[n % 14]}", "bonus": 2 + n % 6}
                    if n < 14
                    else {"id": part, "name": part, "bonus": 2}
                    for n, part in enumerate(parts)
                ],
                "territory": [dict(entry) for entry in entries],
                "adjacency": {"edges": [list(edge) for edge in edges]},
            }
        )
    )


def scene_on(board: Board, seed: int = 1) -> Scene:
    """Six seats anywhere, one of them with a whole continent, and some attacks."""
    chance = Random(seed)
    owner = {code: chance.choice(LETTERS) for code in board.codes}
    whole = chance.choice(list(board.continents.values()))
    owner |= dict.fromkeys(whole.territories, chance.choice(LETTERS))
    attacks = tuple(
        Attack(source, target, captured=chance.random() < 0.6)
        for source in board.codes
        for target in board.neighbours[source]
        if owner[source] != owner[target] and chance.random() < 0.05
    )
    return Scene(
        board_id=(board.id, None),
        language="en",
        title=f"g7 · Turn {seed}",
        subtitle="On turn: Red (Anna)",
        players=players(6),
        owner=owner,
        armies={code: chance.choice((1, 1, 2, 3, 4, 5, 8, 11, 24, 118)) for code in board.codes},
        changed=tuple(attack.target for attack in attacks),
        captured=tuple(attack.target for attack in attacks if attack.captured),
        attacks=attacks,
    )


def _spots(count: int, chance: Random) -> list[Spot]:
    """None of them too near to another one."""
    least = 0.68 * math.sqrt(WIDE * HIGH / count)
    spots: list[Spot] = []
    while len(spots) < count:
        spot = (chance.randint(15, WIDE - 15), chance.randint(15, HIGH - 15))
        if all(math.dist(spot, other) > least for other in spots):
            spots.append(spot)
        else:
            least *= 0.9995
    return spots


def _homes(spots: Sequence[Spot], count: int) -> list[int]:
    """To which continent each belongs: that whose first territory is nearest."""
    first = [spots[0]]
    while len(first) < count:
        first.append(max(spots, key=lambda spot: min(math.dist(spot, one) for one in first)))
    return [min(range(count), key=lambda n: math.dist(spot, first[n])) for spot in spots]


def _borders(spots: Sequence[Spot]) -> list[tuple[int, int]]:
    """Between any two with no third in the circle that they span, and from edge to edge."""

    def are_near(one: int, other: int) -> bool:
        (x1, y1), (x2, y2) = spots[one], spots[other]
        middle, reach = ((x1 + x2) / 2, (y1 + y2) / 2), math.dist(spots[one], spots[other]) / 2
        others = (spot for place, spot in enumerate(spots) if place not in (one, other))
        return all(math.dist(spot, middle) >= reach for spot in others)

    order = sorted(range(len(spots)), key=lambda place: spots[place])
    around = (min(order[0], order[-1]), max(order[0], order[-1]))
    near = {pair for pair in combinations(range(len(spots)), 2) if are_near(*pair)}
    return sorted(near | {around})
