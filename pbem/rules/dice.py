"""Chance as an argument: who throws is not the rules' business (design.md, "Chance and `now`").

The proved dice of a real game are in `pbem.rules.fair`; loaded dice serve tests and cases.
"""

from collections.abc import Sequence
from typing import Protocol

Faces = tuple[int, ...]
"""Faces 1 to 6 as they were thrown, not sorted."""


class OutOfDiceError(Exception):
    """Loaded dice were asked for more faces than they hold."""


class Chance(Protocol):
    """Where dice and shuffles come from. The same arguments always give the same answer."""

    def roll(self, number: int, attacker: int, defender: int) -> tuple[Faces, Faces]:
        """Faces of the numbered roll, so many dice for each side."""

    def order(self, label: str, count: int) -> tuple[int, ...]:
        """A permutation of `range(count)` for the shuffle of that label."""


class LoadedDice:
    """Given faces, one after another; shuffles leave everything where it is."""

    def __init__(self, faces: Sequence[int]) -> None:
        self._faces = list(faces)
        self.used = 0

    @property
    def left(self) -> int:
        """How many faces were not thrown yet."""
        return len(self._faces) - self.used

    def roll(self, number: int, attacker: int, defender: int) -> tuple[Faces, Faces]:
        """The next faces, the attacker's first; raises OutOfDiceError at the end of the list."""
        if attacker + defender > self.left:
            raise OutOfDiceError(
                f"roll {number} needs {attacker + defender} faces, {self.left} left"
            )
        cut = self.used + attacker
        self.used = cut + defender
        return tuple(self._faces[cut - attacker : cut]), tuple(self._faces[cut : self.used])

    def order(self, label: str, count: int) -> tuple[int, ...]:  # noqa: ARG002  # the protocol's
        """The identity: what was on top stays on top."""
        return tuple(range(count))


def losses(attacker: Sequence[int], defender: Sequence[int]) -> tuple[int, int]:
    """Armies that the attacker and the defender lose (rule 4): pairs from the top, ties defend."""
    pairs = list(zip(sorted(attacker, reverse=True), sorted(defender, reverse=True), strict=False))
    held = sum(mine <= theirs for mine, theirs in pairs)
    return held, len(pairs) - held
