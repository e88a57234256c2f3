"""The figures of a run: how many mutants were killed, by module, by kind and of all."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import sqrt

from bench.figure import Figure, row
from bench.mutants.mutant import Mutant
from bench.mutants.verdict import Kept, reasons

GOAL = 90
"""Percent."""


def by_module(found: Sequence[Mutant], verdicts: Kept) -> Iterator[str]:
    """A line a module, each followed by the survivors that have no reason yet."""
    known = reasons()
    for path in dict.fromkeys(mutant.path for mutant in found):
        of_it = [mutant for mutant in found if mutant.path == path]
        survivors = [m for m in of_it if verdicts[m].outcome == "survived"]
        strange = [m for m in survivors if (path, m.diff) not in known]
        figure = killed(path, of_it, verdicts)
        yield f"{row(figure)}, {len(survivors) - len(strange)} with a reason"
        for mutant in strange:
            yield f"{mutant.name}, line {mutant.line}\n{mutant.diff}"


def by_kind(found: Sequence[Mutant], verdicts: Kept) -> Iterator[str]:
    """A line for what is run when a function is called, and one for what is run at loading."""
    inside = [mutant for mutant in found if mutant.function]
    yield row(killed("within functions", inside, verdicts))
    yield row(killed("run while loading", [m for m in found if not m.function], verdicts))
    yield row(weighed(found, verdicts))


def killed(what: str, found: Sequence[Mutant], verdicts: Kept) -> Figure:
    """The share of these mutants that were killed, with its band; one that never ends is."""
    outcomes = Counter(verdicts[mutant].outcome for mutant in found)
    count = len(found)
    share = 1 - outcomes["survived"] / count if count else 1.0
    spread = 196 * sqrt(share * (1 - share) / count) if count else 0.0
    note = (
        f"{count} tried, {outcomes['survived']} survived, {outcomes['timed out']} timed out,"
        f" +-{spread:.1f} at 95 percent"
    )
    return Figure(what, 100 * share, "%", at_least=GOAL, note=note)


def weighed(found: Sequence[Mutant], verdicts: Kept) -> Figure:
    """The share of all mutants, of which a sample was tried: a large module counts for more."""
    all_of = {mutant.path: mutant.of for mutant in found}
    tried = Counter(mutant.path for mutant in found)
    survived = sum(
        mutant.of / tried[mutant.path] for mutant in found if verdicts[mutant].outcome == "survived"
    )
    every = sum(all_of.values())
    share = 100 * (1 - survived / every) if every else 100.0
    return Figure("each module by its size", share, "%", GOAL, note=f"for all {every}")
