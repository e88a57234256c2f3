"""Plays a plan on a state, line by line, with dice (orders.md, "The turn machine").

A condition that fails is no mistake: its line is skipped and named, later lines that can still be
done are done. The same plan on the same state and dice always gives the same course.
"""

from dataclasses import dataclass

from pbem.orders import truth
from pbem.orders.battle import advance
from pbem.orders.course import Course, Deed, Defence, Step, orders_of
from pbem.orders.deeds import DEEDS
from pbem.orders.mistake import Note
from pbem.orders.plan import (
    Attack,
    Else,
    Flow,
    Order,
    Otherwise,
    Plan,
    Sentence,
    Trade,
    Trading,
)
from pbem.orders.write import sentence as written
from pbem.rules.dice import Chance
from pbem.rules.event import Event
from pbem.rules.state import State


@dataclass(frozen=True, slots=True)
class LineResult:
    """What came of one line of the mail; a line of None was done by itself.

    `orders` are its sentences as understood, canonical, in the player's language.
    """

    line: int | None
    orders: tuple[str, ...]
    events: tuple[Event, ...] = ()
    notes: tuple[Note, ...] = ()
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class Pause:
    """A plan that waits for its player.

    `why` is ``trade`` (an elimination forces one) or ``asked``; `rest` are the sentences still to
    do, as canonical lines that can be read again, `line` where the plan stands.
    """

    why: str
    line: int | None
    rest: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ran:
    """The state afterwards, all events in order, and an account by line.

    `skipped` are the numbers of the lines that were read without fault and not done.
    """

    state: State
    events: tuple[Event, ...]
    results: tuple[LineResult, ...]
    skipped: tuple[int, ...]
    paused: Pause | None
    closed: bool


def run(
    plan: Plan,
    state: State,
    chance: Chance,
    defence: Defence | None = None,
    *,
    on_fail: Otherwise = Otherwise.GO_ON,
    single: bool = False,
) -> Ran:
    """Plays the plan of the seat on turn.

    `on_fail` is what an attack without ELSE does when it captured nothing; with `single` the end
    of the plan closes the turn.
    """
    if state.on_turn is None:
        raise ValueError("a plan needs a seat on turn")
    course = Course(state, chance, defence, state.on_turn, state.turn)
    steps = [Step(line.number, said) for line in plan.lines for said in line.sentences]
    pause = _Running(course, steps, plan.language, on_fail).go()
    if single and pause is None and not course.is_closed:
        course.begin(Step(None, Sentence((Flow.END,))))
        DEEDS[Flow](course, Flow.END)
    return _told(course, plan, pause)


class _Running:
    """The steps of a plan and how far it has come."""

    def __init__(
        self, course: Course, steps: list[Step], language: str, on_fail: Otherwise
    ) -> None:
        self.course = course
        self.steps = steps
        self.language = language
        self.on_fail = on_fail
        self.ahead: set[int] = set()

    def go(self) -> Pause | None:
        """Does every step; answers a pause if one is needed."""
        if self.course.owes_trade and not self._trades():
            self.course.begin(Step(None, Sentence((Trade(Trading.AUTO),))))
            DEEDS[Trade](self.course, Trade(Trading.AUTO))
        for place, step in enumerate(self.steps):
            if place in self.ahead:
                self.course.guard_was = True
                continue
            pause = self._step(place, step)
            if pause is not None:
                return pause
        return None

    def _trades(self) -> bool:
        now = [step for step in self.steps if not step.sentence.awaits_elimination]
        return any(isinstance(order, Trade) for order in orders_of(now))

    def _step(self, place: int, step: Step) -> Pause | None:
        course = self.course
        course.begin(step)
        if course.is_over:
            course.note("game-over")
            return None
        if course.is_closed:
            course.deed.done = all(order is Flow.END for order in step.sentence.orders)
            return None
        if not truth.permits(step.sentence, course):
            course.note("guard-false")
            return None
        for index, order in enumerate(step.sentence.orders):
            later = step.sentence.orders[index + 1 :]
            pause = self._order(place, order, later)
            if pause is not None or course.is_closed:
                return pause
        return None

    def _order(self, place: int, order: Order, later: tuple[Order, ...]) -> Pause | None:
        if isinstance(order, Attack):
            return self._attack(place, order, later)
        if order is Flow.PAUSE:
            self.course.deed.done = True
            return self._pause("asked", place, later)
        DEEDS[type(order)](self.course, order)
        return None

    def _attack(self, place: int, order: Attack, later: tuple[Order, ...]) -> Pause | None:
        course = self.course
        rest: Attack | None = order
        while rest is not None:
            rest = advance(course, rest)
            asked = self._trade_at_once(place) if course.owes_trade else None
            if asked is not None:
                return self._pause("asked", place, (rest, *later) if rest else later)
            if course.owes_trade or (course.eliminated and course.state.to_place):
                return self._pause("trade", place, (rest, *later) if rest else later)
        if course.captured or course.is_over or course.stopped:
            return None
        return self._failed(order.otherwise or self.on_fail, place, later)

    def _failed(self, otherwise: Otherwise, place: int, later: tuple[Order, ...]) -> Pause | None:
        """What an attack that captured nothing does to the plan."""
        if otherwise is Otherwise.PAUSE:
            return self._pause("asked", place, later)
        if otherwise is Otherwise.STOP:
            self.course.stopped = True
            self.course.note("stops-attacks")
        return None

    def _trade_at_once(self, place: int) -> Pause | None:
        """The first later sentence for the case of an elimination is done now."""
        current = self.course.current
        for ahead in range(place + 1, len(self.steps)):
            step = self.steps[ahead]
            if ahead not in self.ahead and step.sentence.awaits_elimination:
                self.ahead.add(ahead)
                pause = self._step(ahead, step)
                self.course.current = current
                return pause
        return None

    def _pause(self, why: str, place: int, later: tuple[Order, ...]) -> Pause:
        """Keeps what is left of the plan as text, without what it has decided against."""
        step = self.steps[place]
        first = place + 1
        if step.sentence.guard is not None:
            while first < len(self.steps) and isinstance(self.steps[first].sentence.guard, Else):
                first += 1
        rest = [Sentence(later)] if later else []
        rest += [
            self.steps[p].sentence for p in range(first, len(self.steps)) if p not in self.ahead
        ]
        board = self.course.state.board
        return Pause(why, step.line, tuple(written(said, self.language, board) for said in rest))


def _told(course: Course, plan: Plan, pause: Pause | None) -> Ran:
    """The account by line, in the order in which the lines were begun."""
    lines: dict[int, list[Deed]] = {}
    for index, deed in enumerate(course.deeds):
        lines.setdefault(-index if deed.step.line is None else deed.step.line, []).append(deed)
    results = tuple(_result(deeds, plan.language, course) for deeds in lines.values())
    return Ran(
        state=course.state,
        events=tuple(course.events),
        results=results,
        skipped=tuple(sorted(r.line for r in results if r.skipped and r.line is not None)),
        paused=pause,
        closed=course.is_closed,
    )


def _result(deeds: list[Deed], language: str, course: Course) -> LineResult:
    board = course.state.board
    return LineResult(
        line=deeds[0].step.line,
        orders=tuple(written(deed.step.sentence, language, board) for deed in deeds),
        events=tuple(event for deed in deeds for event in deed.events),
        notes=tuple(note for deed in deeds for note in deed.notes),
        skipped=not any(deed.done for deed in deeds),
    )
