"""What a plan may come to, in numbers: the values that a preview answers with.

Every chance is exact up to the rounding of floats, and seen from before the plan: 1 is certain.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pbem.rules.board import Code


@dataclass(frozen=True, slots=True)
class Battle:
    """One source against one target, on the whole plan's chances.

    `begun` is the chance that a first roll is made, `won` that this battle captures. The armies
    are the ones expected at its end if it is begun, those that move in counted as the attacker's;
    so are the armies lost. `all_in` is the chance of a capture, once begun, without any limit.
    """

    source: Code
    target: Code
    begun: float
    won: float
    attackers: float
    defenders: float
    attackers_lost: float
    defenders_lost: float
    all_in: float

    @property
    def capture(self) -> float:
        """The chance that it captures once it is begun."""
        return self.won / self.begun if self.begun else 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of the plan, with the number of its line and its canonical text.

    `done` is the chance that something of it is done; `missed` says, by the codes of notes, why
    it is not, and how likely. `full_dice` marks an attack that only ends for want of three dice.
    """

    number: int | None
    order: str
    done: float
    battles: tuple[Battle, ...] = ()
    missed: Mapping[str, float] = field(default_factory=dict)
    full_dice: bool = False

    @property
    def capture(self) -> float | None:
        """The chance, once it is begun, that its last target falls; None without an attack."""
        if not self.battles:
            return None
        first = self.battles[0].begun
        return self.battles[-1].won / first if first else 0.0


@dataclass(frozen=True, slots=True)
class Forecast:
    """The lines in order. `captured` is the chance of at least one capture, so of a card.

    `paused` is the chance that the plan waits for its player. `blank_cards`: a trade after an
    elimination is among the lines, and the cards that it would bring are not known. `branchy` is
    the number of the first line whose chances were not reckoned, since the plan has too many ways.
    """

    lines: tuple[Line, ...]
    captured: float
    paused: float
    blank_cards: bool = False
    branchy: int | None = None
