"""Sums over all the worlds in which a sentence of a plan was tried."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pbem.orders.course import Step
from pbem.orders.forecast import Battle, Line
from pbem.orders.foresight import End
from pbem.orders.plan import Attack
from pbem.rules.board import Code
from pbem.rules.odds import ALL_IN, capture
from pbem.rules.state import State


@dataclass(slots=True)
class _Fought:
    """One battle, in all worlds in which it was begun, each weighed by its chance."""

    begun: float = 0.0
    won: float = 0.0
    attackers: float = 0.0
    defenders: float = 0.0
    attackers_lost: float = 0.0
    defenders_lost: float = 0.0
    all_in: float = 0.0

    def battle(self, source: Code, target: Code) -> Battle:
        """What is to be expected once it is begun."""
        return Battle(
            source,
            target,
            self.begun,
            self.won,
            attackers=self.attackers / self.begun,
            defenders=self.defenders / self.begun,
            attackers_lost=self.attackers_lost / self.begun,
            defenders_lost=self.defenders_lost / self.begun,
            all_in=self.all_in / self.begun,
        )


@dataclass(slots=True)
class Tally:
    """How likely something of the sentence is done, why else it is left out, and its battles."""

    done: float = 0.0
    missed: dict[str, float] = field(default_factory=dict)
    battles: dict[tuple[int, Code, Code], _Fought] = field(default_factory=dict)

    def miss(self, code: str, chance: float) -> None:
        """The sentence was left out in a world."""
        self.missed[code] = self.missed.get(code, 0.0) + chance

    def fight(
        self, order: int, link: Attack, state: State, ends: Mapping[End, float], chance: float
    ) -> None:
        """A link of the sentence's order of that number was fought in a world."""
        source, target = link.path
        mine, theirs = state.armies[source], state.armies[target]
        fought = self.battles.setdefault((order, source, target), _Fought())
        fought.begun += chance
        fought.all_in += chance * capture(mine, theirs, ALL_IN).capture
        for end, share in ends.items():
            part, left = chance * share, 0 if end.dice else end.target
            fought.won += part if end.dice else 0.0
            fought.attackers += part * end.source
            fought.defenders += part * left
            fought.attackers_lost += part * (mine - end.source)
            fought.defenders_lost += part * (theirs - left)

    def line(self, step: Step, text: str) -> Line:
        """The sums as chances and means."""
        attacks = [order for order in step.sentence.orders if isinstance(order, Attack)]
        return Line(
            number=step.line,
            order=text,
            done=self.done,
            battles=tuple(sums.battle(*key[1:]) for key, sums in self.battles.items()),
            missed=self.missed,
            full_dice=any(not attack.limits.below_full_dice for attack in attacks),
        )
