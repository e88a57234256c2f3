"""Every way that a plan can go: all outcomes of all its rolls, each played out by the runner.

Slow and plain on purpose: it knows nothing of the preview that it judges.
"""

from collections.abc import Iterator
from math import prod

from pbem.orders import run
from pbem.orders.plan import Otherwise, Plan
from pbem.orders.run import Ran
from pbem.rules.dice import Faces
from pbem.rules.odds import ALL_THROWS, Loss, outcomes
from pbem.rules.state import State

FACES = {
    (0, 1): ((6, 6, 6), (1, 1)),
    (0, 2): ((6, 6, 6), (1, 1)),
    (1, 0): ((1, 1, 1), (6, 6)),
    (2, 0): ((1, 1, 1), (6, 6)),
    (1, 1): ((6, 1, 1), (5, 2)),
}
"""Faces that cost so much, the attacker's and the defender's."""


class Way:
    """A chance that takes the outcomes by their numbers, and the first one where none is said."""

    def __init__(self, taken: list[int]) -> None:
        self.taken = taken
        self.met: list[tuple[Loss, ...]] = []

    def roll(self, _number: int, attacker: int, defender: int) -> tuple[Faces, Faces]:
        possible = outcomes(attacker, defender)
        place = len(self.met)
        self.met.append(possible)
        if place == len(self.taken):
            self.taken.append(0)
        loss = possible[self.taken[place]]
        mine, theirs = FACES[loss.attacker, loss.defender]
        return mine[:attacker], theirs[:defender]

    def order(self, _label: str, count: int) -> tuple[int, ...]:
        return tuple(range(count))

    @property
    def chance(self) -> float:
        pairs = zip(self.met, self.taken, strict=True)
        return prod(possible[place].throws / ALL_THROWS for possible, place in pairs)

    def next(self) -> list[int] | None:
        taken = [*self.taken]
        while taken:
            if taken[-1] + 1 < len(self.met[len(taken) - 1]):
                return [*taken[:-1], taken[-1] + 1]
            taken.pop()
        return None


def ways(
    plan: Plan, state: State, on_fail: Otherwise = Otherwise.GO_ON
) -> Iterator[tuple[Ran, float]]:
    """Each way as the runner plays it, with its chance; the chances sum up to 1."""
    taken: list[int] | None = []
    while taken is not None:
        way = Way(taken)
        yield run.run(plan, state, way, on_fail=on_fail), way.chance
        taken = way.next()
