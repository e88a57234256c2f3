"""What a plan can count on before any die is rolled."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from pbem.orders.mistake import Fact, Mistake, Repair
from pbem.orders.plan import Attack, Order
from pbem.orders.write import write
from pbem.rules.board import Code
from pbem.rules.card import Card
from pbem.rules.seat import Seat
from pbem.rules.view import View


@dataclass(frozen=True, slots=True)
class Said:
    """An order where it stands: its line, the player's words, and its guard.

    `sure` is False where the order hangs on dice, `mid_turn` True under IF ELIMINATED.
    """

    line: int
    quoted: str
    sure: bool = True
    mid_turn: bool = False

    def mistake(self, code: str, repair: Repair | None = None, **facts: Fact) -> Mistake:
        """A mistake of this order."""
        return Mistake(code, self.line, self.quoted, facts, repair)


@dataclass(slots=True)
class Outlook:
    """The position as far as the plan has come, without dice.

    `hoped` are territories that an earlier line tries to capture, `shaky` those whose armies hang
    on dice. `placed` are the armies that the plan placed, `put` where.
    """

    view: View
    language: str
    seat: Seat
    hoped: set[Code] = field(default_factory=set)
    shaky: set[Code] = field(default_factory=set)
    original_hand: tuple[Card, ...] = ()
    traded_on: int | None = None
    bonus_line: int | None = None
    bonus_at: Code | None = None
    first_place: Said | None = None
    placed: int = 0
    put: dict[Code, int] = field(default_factory=dict)
    rest: bool = False
    first_attack: Said | None = None
    last_attack: Attack | None = None
    needs_placing: Said | None = None
    fortified: Said | None = None

    def holds(self, code: Code) -> bool:
        """Certainly the player's."""
        return self.view.owner.get(code) == self.seat

    def may_hold(self, code: Code) -> bool:
        """The player's, or tried for by an earlier line."""
        return self.holds(code) or code in self.hoped

    def armies(self, code: Code) -> int | None:
        """The armies of a territory, or None where they hang on dice."""
        return None if code in self.shaky else self.view.armies.get(code)

    def write(self, order: Order) -> str:
        """Canonical text in the player's language."""
        return write(order, self.language, self.view.board)

    def add(self, code: Code, armies: int) -> None:
        """Puts armies on a territory."""
        more = {**self.view.armies, code: self.view.armies.get(code, 0) + armies}
        self.view = replace(self.view, armies=more)

    def take_back(self) -> None:
        """All that was placed since the last trade, by earlier mails too, is at hand again."""
        for placed in (self.view.placed, self.put):
            for code, armies in placed.items():
                self.add(code, -armies)
        at_hand = self.view.to_place + sum(self.view.placed.values())
        self.view = replace(self.view, to_place=at_hand, placed={})
        self.placed, self.put, self.rest, self.first_place = 0, {}, False, None

    def attacked(self, path: Iterable[Code]) -> None:
        """After an attack nothing along its path is certain any more."""
        source, *targets = path
        self.hoped.update(targets)
        self.shaky.update((source, *targets))
