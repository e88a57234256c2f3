"""Exact odds of an attack: how far it goes, the chance to capture, the armies expected to be left.

Both sides roll the most dice that they may, also where the defender's own choice is known: odds
are shown to the attacker and must not tell it. `Limits.dice` is the one place that says whether
an attack rolls on and with how many dice; whoever plays an attack asks it too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from pbem.rules.dice import losses

FULL_DICE = 3
ALL_THROWS = 6**5
"""Throws of three dice against two; every other count of throws divides it."""


class Loss(NamedTuple):
    """One outcome of a roll: armies lost by both sides, and in how many throws of `ALL_THROWS`."""

    attacker: int
    defender: int
    throws: int


@cache
def outcomes(attacker_dice: int, defender_dice: int) -> tuple[Loss, ...]:
    """What one roll of 1 to 3 dice against 1 or 2 can cost, counted over every throw (rule 4)."""
    counts: dict[tuple[int, int], int] = {}
    weight = 6 ** (5 - attacker_dice - defender_dice)
    for faces in product(range(1, 7), repeat=attacker_dice + defender_dice):
        lost = losses(faces[:attacker_dice], faces[attacker_dice:])
        counts[lost] = counts.get(lost, 0) + weight
    return tuple(Loss(*lost, throws) for lost, throws in sorted(counts.items()))


@lru_cache(maxsize=4096)
def win(attackers: int, defenders: int) -> Fraction:
    """The exact chance that so many attacking armies, all of them staked, destroy the defenders.

    The army that has to stay behind is not counted. Raises ValueError for negative numbers.
    """
    if attackers < 0 or defenders < 0:
        raise ValueError(f"armies cannot be negative: {attackers} against {defenders}")
    # rows[d][a] is the chance times ALL_THROWS ** (a + d), a whole number; two rows back is enough.
    rows = [[0] * (attackers + 1), [ALL_THROWS**a for a in range(attackers + 1)]]
    for d in range(1, defenders + 1):
        row = [0]
        for a in range(1, attackers + 1):
            behind = {0: row, 1: rows[-1], 2: rows[-2]}
            row.append(
                sum(
                    throws * ALL_THROWS ** (mine + theirs - 1) * behind[theirs][a - mine]
                    for mine, theirs, throws in outcomes(min(a, 3), min(d, 2))
                )
            )
        rows = [rows[-1], row]
    return Fraction(rows[-1][attackers], ALL_THROWS ** (attackers + defenders))


@dataclass(frozen=True, slots=True)
class Limits:
    """How far an attack goes; of several limits the first one reached ends it.

    Without one it rolls three dice only, so it ends with three armies in the source. `all_in`,
    `rolls`, `stake`, `exact_dice` and a `keep` of 1 or 2 let it go on with fewer dice.
    - `keep`: no roll that could leave fewer armies in the source; dice are never saved for it.
    - `lose`: no roll that could bring the attack's losses above this number.
    - `rolls`: so many rolls.
    - `stake`: so many armies take part, losses and moving in together.
    - `exact_dice`: so many dice each roll.
    - `until`: ends when the target holds so many armies or fewer.
    """

    all_in: bool = False
    keep: int | None = None
    lose: int | None = None
    rolls: int | None = None
    stake: int | None = None
    exact_dice: int | None = None
    until: int = 0

    def dice(self, source: int, target: int) -> int:
        """How many dice the next roll takes with these armies on both sides; 0: no roll."""
        if self.rolls is not None and self.rolls < 1:
            return 0
        shift, line = _line(self, source)
        return _dice(line, source - shift, target)

    def after(self, lost: int) -> "Limits":
        """What is left of the limits after a roll that cost the attacker so many armies."""
        return replace(
            self,
            lose=None if self.lose is None else self.lose - lost,
            rolls=None if self.rolls is None else self.rolls - 1,
            stake=None if self.stake is None else self.stake - lost,
        )

    @property
    def below_full_dice(self) -> bool:
        """Whether a word lets the attack go on with fewer than three dice."""
        stop_words = (self.rolls, self.stake, self.exact_dice)
        return self.all_in or self.keep in (1, 2) or any(word is not None for word in stop_words)


FULL_DICE_ONLY = Limits()
ALL_IN = Limits(all_in=True)


class Odds(NamedTuple):
    """The chance to capture, and the armies that both sides are expected to have left.

    `attackers` counts the source and what moves in together. Floats, right to twelve decimals and
    quick; where the exact fraction is wanted there is `win`.
    """

    capture: float
    attackers: float
    defenders: float


def capture(source: int, target: int, limits: Limits = FULL_DICE_ONLY) -> Odds:
    """The odds of an attack from `source` armies, the one that stays included, on `target` armies.

    Raises ValueError unless there is at least one army on both sides.
    """
    if source < 1 or target < 1:
        raise ValueError(f"an attack needs armies on both sides: {source} against {target}")
    shift, line = _line(limits, source)
    if limits.rolls is not None and limits.rolls < source + target:
        odds = _after_rolls(line, source - shift, target, limits.rolls)
        return odds._replace(attackers=odds.attackers + shift)
    idle, beyond, small = _reduced(line)
    sources, targets = source - shift - idle, target - beyond
    if sources < 1 or targets < 1:
        return _ended(source, target)
    odds = _table(small, _room(sources), _room(targets))[targets][sources]
    return odds._replace(attackers=odds.attackers + shift + idle, defenders=odds.defenders + beyond)


class _Line(NamedTuple):
    """The limits as numbers that stay the same while armies are lost."""

    below_full_dice: bool
    exact_dice: int | None
    keep: int
    until: int


def _line(limits: Limits, source: int) -> tuple[int, _Line]:
    """The armies that take no part at all, and the limits as seen by the others."""
    shift = 0 if limits.stake is None else max(source - 1 - limits.stake, 0)
    keep = max(limits.keep or 1, 1 if limits.lose is None else source - limits.lose)
    line = _Line(limits.below_full_dice, limits.exact_dice, max(keep - shift, 1), limits.until)
    return shift, line


def _reduced(line: _Line) -> tuple[int, int, _Line]:
    """Armies of the source and of the target that no roll can touch, and the limits of the others.

    Above a keep of 3 and an until of 2 both sides always roll their most dice and nothing is
    captured, so that all those limits are one line on smaller armies, and ask one table.
    """
    idle, beyond = max(line.keep - FULL_DICE, 0), max(line.until - 2, 0)
    return idle, beyond, line._replace(keep=line.keep - idle, until=line.until - beyond)


def _dice(line: _Line, source: int, target: int) -> int:
    dice = line.exact_dice or min(FULL_DICE, source - 1)
    if target <= line.until or not 1 <= dice < source:
        return 0
    if dice < FULL_DICE and not line.below_full_dice:
        return 0
    worst = min(dice, target, 2)
    return dice if source - worst >= line.keep else 0


def _room(armies: int) -> int:
    """Sizes of tables: powers of two, so that one attack, rolled on, asks one table."""
    return max(8, 1 << armies.bit_length())


@lru_cache(maxsize=64)
def _table(line: _Line, sources: int, targets: int) -> Sequence[Sequence[Odds]]:
    """Odds by target and source armies, each below its size, from small to large."""
    rows: list[list[Odds]] = []
    for target in range(targets):
        row: list[Odds] = []
        rows.append(row)
        for source in range(sources):
            dice = _dice(line, source, target)
            row.append(_mean(rows, source, target, dice) if dice else _ended(source, target))
    return rows


def _ended(source: int, target: int) -> Odds:
    return Odds(0.0 if target else 1.0, float(source), float(target))


def _mean(rows: Sequence[Sequence[Odds]], source: int, target: int, dice: int) -> Odds:
    chance = attackers = defenders = 0.0
    for mine, theirs, throws in outcomes(dice, min(target, 2)):
        odds = rows[target - theirs][source - mine]
        share = throws / ALL_THROWS
        chance += share * odds[0]
        attackers += share * odds[1]
        defenders += share * odds[2]
    return Odds(chance, attackers, defenders)


def _after_rolls(line: _Line, source: int, target: int, rolls: int) -> Odds:
    """Odds when the number of rolls is limited: every way is followed roll by roll."""
    ways = {(source, target): 1.0}
    for _ in range(rolls):
        later: dict[tuple[int, int], float] = {}
        for armies, chance in ways.items():
            for left, share in _rolled(line, *armies):
                later[left] = later.get(left, 0.0) + chance * share
        ways = later
    return Odds(
        sum(chance for (_, target), chance in ways.items() if not target),
        sum(chance * source for (source, _), chance in ways.items()),
        sum(chance * target for (_, target), chance in ways.items()),
    )


def _rolled(line: _Line, source: int, target: int) -> Iterator[tuple[tuple[int, int], float]]:
    dice = _dice(line, source, target)
    if not dice:
        yield (source, target), 1.0
        return
    for mine, theirs, throws in outcomes(dice, min(target, 2)):
        yield (source - mine, target - theirs), throws / ALL_THROWS
