"""What a computer player wants besides land: its own mission, and capitals."""

from pbem.rules.board import Code, ContinentId
from pbem.rules.mission import Mission
from pbem.rules.missions import mission
from pbem.rules.seat import Seat
from pbem.rules.view import View

WANTED = 4.0
"""What a territory is worth that the goal asks for; one that it does not is worth 1."""


def pull(view: View, target: Code) -> float:
    """How much more a rival's territory is worth to the reader for the goal of the game."""
    if target in view.capitals.values():
        # Without the own capital no other counts.
        return WANTED * (2 if view.capitals.get(_me(view)) == target else 1)
    own = _mission(view)
    return 0.0 if own is None else _mission_pull(view, own, target)


def guard(view: View, code: Code) -> float:
    """How much more new armies are worth on an own territory that must not be lost."""
    threatened = view.threat(code) > view.armies[code]
    return WANTED if threatened and stays(view, code) else 0.0


def stays(view: View, source: Code) -> bool:
    """Whether the armies of an own territory should not all go on from there."""
    return view.capitals.get(_me(view)) == source


def _mission_pull(view: View, own: Mission, target: Code) -> float:
    match own.kind:
        case "continents":
            wanted = continents(view, own)
            return WANTED if view.board.territories[target].continent in wanted else 0.0
        case "destroy":
            return WANTED if view.owner[target] == own.target else 0.0
        case "occupy":
            return 0.0


def continents(view: View, own: Mission) -> frozenset[ContinentId]:
    """The continents of a mission; where the choice is free, those nearest to being held."""

    def missing(name: ContinentId) -> int:
        return sum(view.owner[c] != _me(view) for c in view.board.continents[name].territories)

    free = sorted((c for c in view.board.continents if c not in own.continents), key=missing)
    return frozenset((*own.continents, *free[: own.any_extra]))


def thin(view: View) -> tuple[Code, ...]:
    """Own territories that still lack an army for a mission that asks for several on each.

    Only once enough of them are held: before that new armies are for taking more.
    """
    own = _mission(view)
    held = view.held(_me(view))
    if own is None or own.armies < 2 or len(held) < own.count:
        return ()
    return tuple(code for code in held if view.armies[code] < own.armies)


def _mission(view: View) -> Mission | None:
    return None if view.mission is None else mission(view.mission, view.board)


def _me(view: View) -> Seat:
    assert view.reader is not None
    return view.reader
