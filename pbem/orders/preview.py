"""TRY: what a plan may come to, without dice and without simulation (orders.md, "Mails").

Every world that the plan can lead to is followed with its chance, by the same rules and the same
reading of limits that play it; worlds that no later line can tell apart are followed as one. All
that goes in is the player's own view, so no secret can come out: cards that others hold are
blank, and both sides roll the most dice.
"""

from dataclasses import fields

from pbem.orders import battle, truth
from pbem.orders.course import Course, Step
from pbem.orders.deeds import DEEDS
from pbem.orders.forecast import Forecast, Line
from pbem.orders.foresight import BestThrows, BranchyError, End, Foresight, bring_about
from pbem.orders.plan import (
    Attack,
    Flow,
    Order,
    Otherwise,
    Plan,
    Sentence,
    Trade,
    Trading,
)
from pbem.orders.tally import Tally
from pbem.orders.world import Spread, World, merged, seen_by
from pbem.orders.write import sentence as written
from pbem.rules import action
from pbem.rules.adjudicate import refuse
from pbem.rules.card import WILD
from pbem.rules.missions import mission
from pbem.rules.position import TURN, Position
from pbem.rules.reinforce import start
from pbem.rules.seat import Seat
from pbem.rules.state import State
from pbem.rules.view import View, view


def preview(plan: Plan, seen: View, on_fail: Otherwise = Otherwise.GO_ON) -> Forecast:
    """What the plan of the seat on turn may come to, from its own view of the table.

    `on_fail` is what an attack without ELSE does when it captured nothing. Raises ValueError for
    a view of somebody who is not on turn; `supposed` makes it that seat's turn.
    """
    if seen.on_turn is None or seen.on_turn != seen.reader:
        raise ValueError("only the seat on turn can look ahead")
    return _Preview(plan, _state(seen), seen.on_turn, on_fail).forecast()


def supposed(seen: View) -> View:
    """The view as if the reader's turn began on this very board."""
    if seen.reader is None or seen.phase not in TURN:
        raise ValueError("there is no turn to suppose")
    return view(start(_state(seen), seen.reader).state, seen.reader)


def _state(seen: View) -> State:
    """A state that holds no more than the view: every card that it does not show is blank."""
    hands = {
        seat: seen.hand if seat == seen.reader else (WILD,) * size
        for seat, size in seen.hand_sizes.items()
    }
    public = {f.name: getattr(seen, f.name) for f in fields(Position)}
    return State(
        **public,
        hands=hands,
        deck=(WILD,) * seen.deck_size,
        discards=(WILD,) * seen.discards_size,
        missions={seen.reader: seen.mission} if seen.reader and seen.mission else {},
    )


def _counts_armies(state: State, seat: Seat) -> bool:
    """Whether the seat's mission asks how many armies stand anywhere."""
    name = state.missions.get(seat)
    return name is not None and mission(name, state.board).armies > 1


class _Preview:
    """The worlds of one plan, sentence by sentence."""

    def __init__(self, plan: Plan, state: State, seat: Seat, on_fail: Otherwise) -> None:
        self.plan = plan
        self.steps = [Step(line.number, said) for line in plan.lines for said in line.sentences]
        self.start = Course(state, BestThrows(), None, seat, state.turn)
        self.on_fail = on_fail
        self.foresight = Foresight()
        self.tallies = [Tally() for _ in self.steps]
        codes = state.board.codes
        self.seen = [
            codes
            if _counts_armies(state, seat)
            else seen_by((step.sentence for step in self.steps[place:]), codes)
            for place in range(len(self.steps) + 1)
        ]

    def forecast(self) -> Forecast:
        """Follows every sentence, as far as the work allows."""
        self._trade_by_itself()
        spread: Spread = [(World(self.start), 1.0)]
        branchy: int | None = None
        reckoned = len(self.steps)
        for place, step in enumerate(self.steps):
            try:
                after = self._pass(place, spread)
            except BranchyError:
                reckoned, branchy = place, step.line or 0
                break
            spread = merged(after, self.seen[place + 1], inside=False)
        return Forecast(
            lines=tuple(self._line(place) for place in range(reckoned)),
            captured=sum(chance for world, chance in spread if world.won),
            paused=sum(chance for world, chance in spread if world.paused),
            blank_cards=any(step.sentence.awaits_elimination for step in self.steps),
            branchy=branchy,
        )

    def _trade_by_itself(self) -> None:
        now = [step.sentence for step in self.steps if not step.sentence.awaits_elimination]
        trades = any(isinstance(order, Trade) for said in now for order in said.orders)
        if self.start.owes_trade and not trades:
            order = Trade(Trading.AUTO)
            self.start.begin(Step(None, Sentence((order,))))
            DEEDS[Trade](self.start, order)

    def _pass(self, place: int, spread: Spread) -> Spread:
        """The sentence in its turn, in every world in which it was not done ahead."""
        tally, step = self.tallies[place], self.steps[place]
        ready: Spread = []
        after: Spread = []
        for world, chance in spread:
            if place in world.ahead:
                world = world.branch()  # noqa: PLW2901  # the world goes on as its copy
                world.course.guard_was = True
            elif world.goes_on:
                ready.append((world, chance))
                continue
            elif _only_ends(step.sentence) and not world.paused and not world.course.is_over:
                tally.done += chance
            else:
                tally.miss(_why_not(world), chance)
            after.append((world, chance))
        return after + self._do(place, ready)

    def _do(self, place: int, spread: Spread) -> Spread:
        """The sentence in all these worlds, its guard first."""
        step = self.steps[place]
        left_out: Spread = []
        doing: Spread = []
        for before, chance in spread:
            world = before.branch()
            world.course.begin(step)
            if truth.permits(step.sentence, world.course):
                doing.append((world, chance))
            else:
                world.course.note("guard-false")
                left_out.append((world, chance))
        for index, order in enumerate(step.sentence.orders):
            doing = self._order(place, index, order, doing)
        after = left_out + doing
        for world, chance in after:
            self._count(place, world, chance)
        return after

    def _count(self, place: int, world: World, chance: float) -> None:
        deed = world.course.deed
        if deed.done:
            self.tallies[place].done += chance
        else:
            notes = [note.code for note in deed.notes]
            self.tallies[place].miss(notes[0] if notes else "refused", chance)

    def _order(self, place: int, index: int, order: Order, spread: Spread) -> Spread:
        idle = [(world, chance) for world, chance in spread if not world.goes_on]
        ready = [(world, chance) for world, chance in spread if world.goes_on]
        if isinstance(order, Attack):
            return idle + self._attack(place, index, order, ready)
        for world, _ in ready:
            if order is Flow.PAUSE:
                world.course.deed.done = world.paused = True
            else:
                DEEDS[type(order)](world.course, order)
        return idle + ready

    def _attack(self, place: int, index: int, order: Attack, spread: Spread) -> Spread:
        """Link by link; worlds that stand alike behind a link go on as one."""
        for world, _ in spread:
            world.rest = order
        done: Spread = []
        while spread:
            links = [part for world in spread for part in self._link(place, index, *world)]
            behind = [part for world in links for part in self._behind(place, *world)]
            behind = merged(behind, self.seen[place], inside=True)
            spread = [(w, chance) for w, chance in behind if w.rest is not None and w.goes_on]
            done += [(w, chance) for w, chance in behind if w.rest is None or not w.goes_on]
        for world, _ in done:
            self._failed(world, order)
        return done

    def _link(self, place: int, index: int, world: World, chance: float) -> Spread:
        """Every end of the first link of the attack."""
        order, course = world.rest, world.course
        assert order is not None
        if course.stopped:
            course.note("stopped-before")
            world.rest = None
            return [(world, chance)]
        link = order.link(0)
        ends = self._ends(course, link) if battle.may_begin(course, link) else {}
        if not ends:
            world.rest = battle.followed(course, order, 0)
            return [(world, chance)]
        self.tallies[place].fight(index, link, course.state, ends, chance)
        return [(_ended(world, order, end), chance * share) for end, share in ends.items()]

    def _ends(self, course: Course, link: Attack) -> dict[End, float]:
        """Where the battle can end; nothing if no roll is made, and a note says why."""
        dice = battle.next_dice(course.state, link, link.limits)
        if not dice:
            course.note("stopped")
        elif refuse(course.state, action.Attack(link.source, link.targets[0], dice)) is not None:
            course.note("refused")
        else:
            ends = self.foresight.ends(course.state, link)
            self.foresight.spend(len(ends))
            return ends
        return {}

    def _behind(self, place: int, world: World, chance: float) -> Spread:
        """What an elimination brings: a later sentence done at once, or a pause."""
        owes = world.course.owes_trade
        found = self._trade_at_once(place, world, chance) if owes else [(world, chance)]
        for after, _ in found:
            course = after.course
            if course.owes_trade or (course.eliminated and course.state.to_place):
                after.paused = True
        return found

    def _trade_at_once(self, place: int, world: World, chance: float) -> Spread:
        """The first later sentence for the case of an elimination is done now."""
        for ahead in range(place + 1, len(self.steps)):
            if ahead not in world.ahead and self.steps[ahead].sentence.awaits_elimination:
                outer = world.course.current
                world.ahead |= {ahead}
                rest, world.rest = world.rest, None
                after = self._do(ahead, [(world, chance)])
                for other, _ in after:
                    other.course.current = outer
                    other.rest = rest
                return [(other.branch(), share) for other, share in after]
        return [(world, chance)]

    def _failed(self, world: World, order: Attack) -> None:
        """What an attack that captured nothing does to the plan."""
        course = world.course
        world.rest = None
        if not world.goes_on or course.captured or course.stopped:
            return
        otherwise = order.otherwise or self.on_fail
        world.paused = otherwise is Otherwise.PAUSE
        course.stopped = otherwise is Otherwise.STOP

    def _line(self, place: int) -> Line:
        step = self.steps[place]
        text = written(step.sentence, self.plan.language, self.start.state.board)
        return self.tallies[place].line(step, text)


def _ended(before: World, order: Attack, end: End) -> World:
    """The world behind the first link of the attack, its armies moved in."""
    world, link = before.branch(), order.link(0)
    course = world.course
    lost = course.state.armies[link.source] - end.source
    bring_about(course, link, end)
    if end.dice:
        world.won = True
        is_chain = len(order.targets) > 1
        battle.move_in(course, link, link.limits.after(lost), is_chain=is_chain)
    world.rest = battle.followed(course, order, lost)
    return world


def _only_ends(said: Sentence) -> bool:
    return all(order is Flow.END for order in said.orders)


def _why_not(world: World) -> str:
    """Why nothing more is done in a world, as the code of a note."""
    if world.paused:
        return "paused"
    return "game-over" if world.course.is_over else "closed"
