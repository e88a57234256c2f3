"""All rolls of one battle at once: where it can end, and how likely each end is."""

from collections import defaultdict
from dataclasses import replace
from typing import NamedTuple

from pbem.orders import battle
from pbem.orders.course import Course
from pbem.orders.plan import Attack
from pbem.rules import action
from pbem.rules.dice import Faces
from pbem.rules.odds import ALL_THROWS, Limits, outcomes
from pbem.rules.position import Phase, changed
from pbem.rules.state import State

MOST_WORK = 25_000
"""Rolls and ends of battles that are followed in one preview: a second and a half at the most."""


class BranchyError(Exception):
    """The plan has more ways to go than a preview follows."""


class End(NamedTuple):
    """How a battle ended: armies of both sides; after a capture the dice of the last roll.

    After a capture `target` is what stood there before the last roll.
    """

    source: int
    target: int
    dice: int = 0


class BestThrows:
    """The chance that gives the attacker sixes and the defender ones: a roll that captures."""

    def roll(self, number: int, attacker: int, defender: int) -> tuple[Faces, Faces]:  # noqa: ARG002  # the protocol's
        """Sixes against ones."""
        return (6,) * attacker, (1,) * defender

    def order(self, label: str, count: int) -> tuple[int, ...]:  # noqa: ARG002  # the protocol's
        """The identity: the cards of a preview are blank."""
        return tuple(range(count))


class Foresight:
    """Follows battles as far as the work allows; the same battle is followed only once."""

    def __init__(self) -> None:
        self.work = 0
        self._known: dict[tuple[Attack, int, int, int], dict[End, float]] = {}

    def spend(self, work: int) -> None:
        """Counts work; raises BranchyError when there is too much of it."""
        self.work += work
        if self.work > MOST_WORK:
            raise BranchyError

    def ends(self, state: State, link: Attack) -> dict[End, float]:
        """The ends of one link from here, which sum up to 1; both sides roll the most."""
        source, target = link.path
        waits_for = state.armies[link.until[0]] if link.until else 0
        key = (link, state.armies[source], state.armies[target], waits_for)
        if key not in self._known:
            self._known[key] = self._ends(state, link)
        return self._known[key]

    def _ends(self, state: State, link: Attack) -> dict[End, float]:
        start, against = (state.armies[code] for code in link.path)
        # A roll costs at least one army: by their sum every way is met behind all that lead to it.
        waiting: dict[int, dict[tuple[int, int, int], float]] = defaultdict(dict)
        waiting[start + against][start, against, 0] = 1.0
        found: dict[End, float] = defaultdict(float)
        counts = link.limits.rolls is not None
        for total in range(start + against, 0, -1):
            for (mine, theirs, rolls), chance in waiting.pop(total, {}).items():
                self.spend(1)
                now = _fought(state, link, mine, theirs)
                dice = battle.next_dice(now, link, limits_after(link, start - mine, rolls))
                if not dice:
                    found[End(mine, theirs)] += chance
                    continue
                for lost, killed, throws in outcomes(dice, min(theirs, 2)):
                    share = chance * throws / ALL_THROWS
                    if killed == theirs:
                        found[End(mine, theirs, dice)] += share
                        continue
                    after = (mine - lost, theirs - killed, rolls + 1 if counts else 0)
                    ways = waiting[total - lost - killed]
                    ways[after] = ways.get(after, 0.0) + share
        return dict(found)


def limits_after(link: Attack, lost: int, rolls: int = 0) -> Limits:
    """What is left of the limits after so many losses and rolls."""
    limits = link.limits
    left = None if limits.rolls is None else limits.rolls - rolls
    return replace(limits.after(lost), rolls=left)


def bring_about(course: Course, link: Attack, end: End) -> None:
    """Makes the end true in a course, as the rules play its last roll."""
    source, target = link.path
    course.state = _fought(course.state, link, end.source, end.target)
    course.deed.done = True
    if end.dice:
        course.play(action.Attack(source, target, end.dice))


def _fought(state: State, link: Attack, mine: int, theirs: int) -> State:
    source, target = link.path
    return changed(
        state,
        phase=Phase.ATTACK,
        armies={**state.armies, source: mine, target: theirs},
        mid_turn=False,
        rolled=True,
    )
