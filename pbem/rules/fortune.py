"""How lucky a seat was in battle, of the dice that everybody saw (screens.md, "Dice trust").

Luck is counted in armies: those that a seat's rolls, in attack and in defence, cost on average,
less those that they did cost. A roll always costs both sides together the same, so that what one
seat is spared the other loses, and one number tells of both.
"""

import math
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from pbem.rules.event import Rolled
from pbem.rules.odds import ALL_THROWS, outcomes

ENOUGH = 30
"""Rolls below which nothing is said of luck."""


class Reading(StrEnum):
    """Luck in a word; the half of all games that lies in the middle is `USUAL`."""

    VERY_UNLUCKY = "very-unlucky"
    UNLUCKY = "unlucky"
    USUAL = "usual"
    LUCKY = "lucky"
    VERY_LUCKY = "very-lucky"


_READINGS = (
    (5, Reading.VERY_UNLUCKY),
    (25, Reading.UNLUCKY),
    (76, Reading.USUAL),
    (96, Reading.LUCKY),
    (100, Reading.VERY_LUCKY),
)
"""As what a percentile reads that is below the number."""


@dataclass(frozen=True, slots=True)
class Fortune:
    """The rolls of a seat: how many, and the armies that they cost and cost on average."""

    rolls: int = 0
    lost: int = 0
    expected: float = 0.0
    variance: float = 0.0

    @property
    def gained(self) -> float:
        """Armies spared by luck; negative for bad luck."""
        return self.expected - self.lost

    @property
    def is_told(self) -> bool:
        """Whether there are enough rolls to speak of luck."""
        return self.rolls >= ENOUGH

    @property
    def percentile(self) -> int | None:
        """Of a hundred games with the same rolls, how many would have gone worse: 1 to 99.

        None below `ENOUGH` rolls. From there on the sum of the rolls follows the normal curve to
        within two games of the hundred; games that go equally well count by half.
        """
        if not self.is_told:
            return None
        share = (1 + math.erf(self.gained / math.sqrt(2 * self.variance))) / 2
        return min(max(round(100 * share), 1), 99)

    @property
    def reading(self) -> Reading | None:
        """The percentile in a word."""
        at = self.percentile
        return None if at is None else next(word for below, word in _READINGS if at < below)

    def after(self, roll: Rolled, *, attacked: bool) -> "Fortune":
        """With one roll more, which the seat made as the attacker or as the defender."""
        mean = _mean(len(roll.attacker), len(roll.defender))
        return Fortune(
            rolls=self.rolls + 1,
            lost=self.lost + (roll.attacker_lost if attacked else roll.defender_lost),
            expected=self.expected + (mean.attacker if attacked else mean.defender),
            variance=self.variance + mean.variance,
        )


class _Mean(NamedTuple):
    """What a roll costs each side on average; the variance is the same for both."""

    attacker: float
    defender: float
    variance: float


@cache
def _mean(attacker_dice: int, defender_dice: int) -> _Mean:
    ways = outcomes(attacker_dice, defender_dice)
    attacker = sum(loss.attacker * loss.throws for loss in ways) / ALL_THROWS
    defender = sum(loss.defender * loss.throws for loss in ways) / ALL_THROWS
    square = sum(loss.attacker**2 * loss.throws for loss in ways) / ALL_THROWS
    return _Mean(attacker, defender, square - attacker**2)
