"""How order mails are read that people and their phones have bent: as meant, or asked about.

A mail that is read as something else would roll dice that nobody wanted: there may be none.
"""

from collections import Counter

from bench.figure import Figure
from bench.orders_corpus import Outcome, samples
from bench.scale import Scale
from pbem.orders.lexicon import LANGUAGES

SEED = 1
AT_LEAST = 99.0
"""Percent of the mails read as meant or answered with a question."""


def measure(scale: Scale) -> list[Figure]:
    """So many sample mails of each language."""
    return [figure for language in LANGUAGES for figure in _figures(language, scale.samples)]


def _figures(language: str, count: int) -> list[Figure]:
    found = Counter(sample.judge() for sample in samples(language, count, SEED))
    meant, other = found[Outcome.MEANT], found[Outcome.OTHER]
    asked = 100 * found[Outcome.ASKED] / count
    note = f"{100 * meant / count:.0f} % as meant, {asked:.0f} % asked"
    right = 100 * (count - other) / count
    return [
        Figure(f"{language}: {count} order mails, meant or asked", right, "%", AT_LEAST, note=note),
        Figure(f"{language}: read as something else", other, "mails", under=1),
    ]
