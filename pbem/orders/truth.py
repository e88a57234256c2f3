"""Whether a guard is true: now, while the plan runs, or already when it is read."""

from collections.abc import Sequence

from pbem.orders.checks.outlook import Outlook
from pbem.orders.course import Course
from pbem.orders.plan import (
    Armies,
    Attack,
    Captured,
    Chance,
    Condition,
    Eliminated,
    Else,
    Guard,
    Hold,
    NoCard,
    Sentence,
)
from pbem.rules.board import Code, ContinentId
from pbem.rules.odds import capture


def permits(said: Sentence, course: Course) -> bool:
    """Whether its guard lets the sentence be done now; remembered for an ELSE behind it."""
    match said.guard:
        case Guard():
            course.guard_was = now(said.guard, course, said)
            return course.guard_was
        case Else():
            if course.guard_was is None:
                return course.captured is False
            return not course.guard_was
        case None:
            course.guard_was = None
            return True


def now(guard: Guard, course: Course, said: Sentence) -> bool:
    """The guard of a sentence in the present state."""
    return all(_holds(c, course, said) for c in guard.conditions) is not guard.unless


def _holds(condition: Condition, course: Course, said: Sentence) -> bool:
    state = course.state
    match condition:
        case Captured(territory, negated):
            last = state.captured if course.captured is None else course.captured
            return (last if territory is None else course.holds(territory)) is not negated
        case Hold(what, negated):
            return _held(course, what) is not negated
        case Armies(territory, count, at_most):
            armies = state.armies[territory]
            return armies <= count if at_most else armies >= count
        case Chance(percent, at_most):
            odds = _odds(course, said) * 100
            return odds <= percent if at_most else odds >= percent
        case NoCard():
            return not state.captured
        case Eliminated(negated):
            return (course.eliminated or state.mid_turn) is not negated


def _held(course: Course, what: Code | ContinentId) -> bool:
    if what in course.state.board.territories:
        return course.holds(Code(what))
    return course.state.holds(course.seat, ContinentId(what))


def _odds(course: Course, said: Sentence) -> float:
    """The chance that the first attack of the sentence captures its first target."""
    attack = next((order for order in said.orders if isinstance(order, Attack)), None)
    if attack is None:
        return 0.0
    source, target = attack.path[:2]
    if not course.holds(source) or course.holds(target):
        return 0.0
    armies = course.state.armies
    return capture(armies[source], armies[target], attack.limits).capture


def before(guard: Guard, outlook: Outlook) -> bool | None:
    """The guard before any die is rolled; None where dice decide."""
    found = [_certain(condition, outlook) for condition in guard.conditions]
    if False in found:
        return guard.unless
    return None if None in found else not guard.unless


def _certain(condition: Condition, outlook: Outlook) -> bool | None:
    rolled = outlook.first_attack is not None
    match condition:
        case Captured(None, negated):
            return None if rolled else outlook.view.captured is not negated
        case Captured(territory, negated):
            return _sure(outlook, (territory,), negated=negated)
        case Hold(what, negated):
            continent = outlook.view.board.continents.get(ContinentId(what))
            parts = continent.territories if continent else (Code(what),)
            return _sure(outlook, parts, negated=negated)
        case Armies(territory, count, at_most):
            armies = outlook.armies(territory)
            if armies is None:
                return None
            return armies <= count if at_most else armies >= count
        case Chance():
            return None
        case NoCard():
            return None if rolled and not outlook.view.captured else not outlook.view.captured
        case Eliminated(negated):
            return None if rolled else outlook.view.mid_turn is not negated


def _sure(outlook: Outlook, parts: Sequence[Code | None], *, negated: bool) -> bool | None:
    """Whether all of the territories are surely held, or one surely is not."""
    if all(part and outlook.holds(part) for part in parts):
        return not negated
    if any(part and not outlook.may_hold(part) for part in parts):
        return negated
    return None
