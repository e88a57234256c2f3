"""An attack order played out: its links, its rolls and what moves in (orders.md, "What the limits
mean exactly").
"""

from dataclasses import replace

from pbem.orders.course import Course
from pbem.orders.plan import Amount, Attack
from pbem.rules import action
from pbem.rules.attack import most_attack_dice
from pbem.rules.board import Code
from pbem.rules.event import Rolled
from pbem.rules.odds import ALL_IN, Limits, capture
from pbem.rules.position import Occupation
from pbem.rules.state import State


def advance(course: Course, order: Attack) -> Attack | None:
    """Plays the first link of the attack; answers the links still to do, None behind the last."""
    if course.stopped:
        course.note("stopped-before")
        return None
    link, lost = order.link(0), 0
    if may_begin(course, link):
        lost, limits = _rolls(course, link)
        if course.just_captured(link.targets[0]):
            move_in(course, link, limits, is_chain=len(order.targets) > 1)
    return followed(course, order, lost)


def may_begin(course: Course, link: Attack) -> bool:
    """Whether the source is still held and the target is not; else a note says so."""
    source, target = link.path
    if not course.holds(source):
        course.note("source-lost", source=source)
        return False
    if course.holds(target):
        course.note("target-held", target=target)
        return False
    return True


def followed(course: Course, order: Attack, lost: int) -> Attack | None:
    """What is left of the attack behind its first link, which cost so many armies."""
    target, *rest = order.targets
    course.captured = course.holds(target) and course.just_captured(target)
    if course.is_over or not rest:
        return None
    if not course.captured:
        course.note("chain-broken", target=target, rest=tuple(rest))
        return None
    return _rest_of_chain(order, lost)


def _rest_of_chain(order: Attack, lost: int) -> Attack:
    """The links still to do; the last one alone still takes all but 1 along.

    Promises about losses and stake hold for the whole chain, rolls count at each link.
    """
    limits = replace(order.limits.after(lost), rolls=order.limits.rolls)
    move = Amount.ALL if order.move is None and order.leave is None else order.move
    return replace(order, path=order.path[1:], limits=limits, move=move)


def _rolls(course: Course, order: Attack) -> tuple[int, Limits]:
    """Rolls until a limit, the capture or the end of the armies; answers losses and limits left."""
    source, target = order.path
    limits, lost = order.limits, 0
    while not (course.holds(target) or course.is_over):
        dice = next_dice(course.state, order, limits)
        if not dice:
            _stopped(course, order, limits)
            break
        if not course.play(action.Attack(source, target, dice, _defence(course, target))):
            break
        rolled = next(e for e in reversed(course.deed.events) if isinstance(e, Rolled))
        lost += rolled.attacker_lost
        limits = limits.after(rolled.attacker_lost)
    return lost, limits


def next_dice(state: State, link: Attack, limits: Limits) -> int:
    """The dice of the next roll; 0 where a limit of the order is reached."""
    source, target = link.path
    mine, theirs = state.armies[source], state.armies[target]
    dice = limits.dice(mine, theirs)
    if state.ruleset.attack_dice == "max" and dice != most_attack_dice(mine):
        return 0
    if not dice or _waits_for(state, link):
        return 0
    if link.odds is not None and capture(mine, theirs, limits).capture * 100 < link.odds:
        return 0
    return dice


def _waits_for(state: State, order: Attack) -> bool:
    """Whether the territory of `until` has come down to its number."""
    if order.until is None:
        return False
    territory, count = order.until
    return state.armies[territory] <= count


def _defence(course: Course, target: Code) -> int | None:
    """The defender's standing order."""
    if course.defence is None:
        return None
    return course.defence(course.state.owner[target], target, course.state.armies[target])


def _stopped(course: Course, order: Attack, limits: Limits) -> None:
    """Tells where an attack ended without a capture, why, and what going on would promise."""
    source, target = order.path
    mine, theirs = course.state.armies[source], course.state.armies[target]
    course.note(
        "stopped",
        why=_why(course, order, limits),
        source=source,
        armies=mine,
        target=target,
        target_armies=theirs,
        all_in=round(capture(mine, theirs, ALL_IN).capture * 1000) if mine > 1 else 0,
    )


def _why(course: Course, order: Attack, limits: Limits) -> str:
    """The limit that was reached first."""
    source, target = order.path
    mine, theirs = course.state.armies[source], course.state.armies[target]
    unbound = replace(limits, keep=None, lose=None)
    reasons = {
        "one-army": mine < 2,
        "rolls": limits.rolls is not None and limits.rolls < 1,
        "stake": limits.stake is not None and limits.stake < 1,
        "until": _waits_for(course.state, order),
        "dice": limits.exact_dice is not None and limits.exact_dice >= mine,
        "lose": limits.lose is not None and bool(unbound.dice(mine, theirs)) and not limits.keep,
        "keep": bool(unbound.dice(mine, theirs)) and not limits.dice(mine, theirs),
        "floor": not limits.dice(mine, theirs),
    }
    return next((why for why, reached in reasons.items() if reached), "odds")


def move_in(course: Course, order: Attack, limits: Limits, *, is_chain: bool) -> None:
    """Moves in what the order says, brought to what the rules allow."""
    source, target = order.path
    waiting = course.state.occupation
    if course.is_over:
        return
    if waiting is None:
        armies = course.state.armies
        waiting = Occupation(source, target, armies[target], armies[target])
    wanted = _wanted(order, waiting, limits, is_chain=is_chain)
    allowed = max(waiting.least, min(wanted, waiting.most))
    if allowed != _stated(order, waiting, wanted):
        course.note("brought-to-nearest", target=target, stated=wanted, moved=allowed)
    if course.state.occupation is not None:
        course.play(action.Occupy(allowed))


def _wanted(order: Attack, waiting: Occupation, limits: Limits, *, is_chain: bool) -> int:
    """How many are to move in, before the rules have their word."""
    everybody = waiting.most + 1
    match order.move:
        case int(number):
            wanted = number
        case Amount.ALL:
            wanted = waiting.most
        case _ if order.move is None and order.leave is not None:
            wanted = everybody - order.leave
        case _:
            wanted = waiting.most if order.move is None and is_chain else waiting.least
    if limits.keep is not None:
        wanted = min(wanted, max(everybody - limits.keep, waiting.least))
    if limits.stake is not None:
        wanted = min(wanted, max(limits.stake, waiting.least))
    return wanted


def _stated(order: Attack, waiting: Occupation, wanted: int) -> int:
    """The number that the player counts on; where none was said, any is right."""
    if isinstance(order.move, int):
        return order.move
    if order.move is None and order.leave is not None:
        return wanted
    return max(waiting.least, min(wanted, waiting.most))
