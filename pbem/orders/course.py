"""The course of a plan: the state as it goes on, and all that is to be told of it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from pbem.orders.mistake import Fact, Note
from pbem.orders.plan import Order, Sentence
from pbem.rules.action import Action
from pbem.rules.adjudicate import play
from pbem.rules.board import Code
from pbem.rules.dice import Chance
from pbem.rules.event import Captured, Eliminated, Event
from pbem.rules.position import Phase
from pbem.rules.refusal import Refusal
from pbem.rules.seat import Seat
from pbem.rules.state import State
from pbem.rules.trade import must_trade

Defence = Callable[[Seat, Code, int], int]
"""Defence dice of a seat, for a territory with so many armies: its standing order."""


@dataclass(frozen=True, slots=True)
class Step:
    """One sentence of the plan and the line it stands on (None: done by itself)."""

    line: int | None
    sentence: Sentence


@dataclass(slots=True)
class Deed:
    """What came of one step so far."""

    step: Step
    done: bool = False
    events: list[Event] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


@dataclass(slots=True)
class Course:
    """A plan on its way. `captured` tells of the last attack of the plan; None before one."""

    state: State
    chance: Chance
    defence: Defence | None
    seat: Seat
    turn: int
    captured: bool | None = None
    guard_was: bool | None = None
    eliminated: bool = False
    stopped: bool = False
    deeds: list[Deed] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    current: Deed | None = None

    @property
    def is_over(self) -> bool:
        """Whether the game was won."""
        return self.state.phase is Phase.OVER

    @property
    def is_closed(self) -> bool:
        """Whether the turn in which the plan began is over."""
        return self.is_over or self.state.turn != self.turn

    @property
    def owes_trade(self) -> bool:
        """Whether nothing can be done before a trade."""
        return must_trade(self.state, self.state.hand)

    @property
    def deed(self) -> Deed:
        """The step that is being done."""
        if self.current is None:
            raise RuntimeError("no step was begun")
        return self.current

    def begin(self, step: Step) -> None:
        """Opens the account of a step."""
        self.current = Deed(step)
        self.deeds.append(self.current)

    def note(self, code: str, **facts: Fact) -> None:
        """Something to tell of the step that is being done."""
        self.deed.notes.append(Note(code, self.deed.step.line, facts))

    def play(self, action: Action) -> bool:
        """Plays an action for the step; a refusal becomes a note."""
        played = play(self.state, action, self.chance)
        if isinstance(played, Refusal):
            self.note("refused", reason=played.reason.value)
            return False
        self.state = played.state
        self.events.extend(played.events)
        self.deed.events.extend(played.events)
        self.deed.done = True
        if any(isinstance(event, Eliminated) for event in played.events):
            self.eliminated = True
        return True

    def holds(self, code: Code) -> bool:
        """Whether the territory is the player's now."""
        return self.state.owner.get(code) == self.seat

    def just_captured(self, target: Code) -> bool:
        """Whether the last thing rolled for in this step took the territory."""
        return any(isinstance(e, Captured) and e.target == target for e in self.deed.events)


def orders_of(steps: list[Step]) -> list[Order]:
    """All orders of the steps, one after another."""
    return [order for step in steps for order in step.sentence.orders]
