"""One way that a plan can have gone, for reckoning with many of them at once.

Two worlds that no later order can tell apart are one: only what is still to be seen counts.
"""

from collections.abc import Collection, Hashable, Iterable
from dataclasses import dataclass, replace

from pbem.orders.course import Course, Deed
from pbem.orders.plan import Armies, Attack, Fortify, Guard, Order, Sentence, Trade
from pbem.rules.board import Code
from pbem.rules.event import Captured


@dataclass(slots=True)
class World:
    """A course of the plan, the sentences done ahead of their turn, and why it waits, if it does.

    `won` says whether a territory was captured, `rest` what is left of the attack being played.
    """

    course: Course
    ahead: frozenset[int] = frozenset()
    paused: bool = False
    won: bool = False
    rest: Attack | None = None

    @property
    def goes_on(self) -> bool:
        """Whether the plan can do anything more in it."""
        return not self.paused and not self.course.is_closed

    def branch(self) -> "World":
        """A copy to play on, which keeps of the current sentence what later orders ask for."""
        deed = self.course.current
        kept = None if deed is None else Deed(deed.step, deed.done, [*deed.events], [*deed.notes])
        return replace(self, course=replace(self.course, deeds=[], events=[], current=kept))

    def key(self, seen: Collection[Code], *, inside: bool) -> Hashable:
        """Equal for worlds that go on alike, where the armies of `seen` territories matter.

        `inside` a sentence it matters too what it has done so far.
        """
        course, state = self.course, self.course.state
        if not self.goes_on:
            return self.paused, course.is_over, self.won
        return (
            tuple(state.owner.values()),
            tuple(state.armies[code] for code in seen),
            (state.phase, state.to_place, state.mid_turn, state.captured, state.occupation),
            (state.hand, state.sets_traded, state.bonus_taken),
            (course.captured, course.guard_was, course.eliminated, course.stopped),
            (self.ahead, self.won, self.rest),
            _told(course.current) if inside else None,
        )


def _told(deed: Deed | None) -> Hashable:
    if deed is None:
        return None
    taken = tuple(event.target for event in deed.events if isinstance(event, Captured))
    return deed.done, taken, tuple(note.code for note in deed.notes)


Spread = list[tuple[World, float]]
"""Worlds and how likely each is; they need not sum up to 1."""


def merged(spread: Spread, seen: Collection[Code], *, inside: bool) -> Spread:
    """The spread with worlds that go on alike made one."""
    found: dict[Hashable, tuple[World, float]] = {}
    for world, chance in spread:
        key = world.key(seen, inside=inside)
        kept, before = found.get(key, (world, 0.0))
        found[key] = kept, before + chance
    return list(found.values())


def seen_by(sentences: Iterable[Sentence], everything: Collection[Code]) -> tuple[Code, ...]:
    """The territories whose number of armies the sentences ask for, in the board's order.

    A trade that chooses its bonus by the largest enemy next to it may ask for any.
    """
    found: set[Code] = set()
    for said in sentences:
        if any(isinstance(order, Trade) for order in said.orders):
            return tuple(everything)
        found.update(code for order in said.orders for code in _asked(order))
        if isinstance(said.guard, Guard):
            found.update(c.territory for c in said.guard.conditions if isinstance(c, Armies))
    return tuple(code for code in everything if code in found)


def _asked(order: Order) -> tuple[Code, ...]:
    match order:
        case Attack(path=path, until=None):
            return path
        case Attack(path=path, until=(territory, _)):
            return (*path, territory)
        case Fortify(source=source) if source is not None:
            return (source,)
        case _:
            return ()
