"""Bent order mails: none is read as something else than was meant."""

import pytest

from bench.orders_corpus import Outcome, Sample, samples
from pbem.orders.lexicon import LANGUAGES


def told(sample: Sample) -> str:
    return "\n".join(sample.lines)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", [1, 20])
def test_a_bent_mail_is_read_as_meant_or_asked_about(language: str, seed: int) -> None:
    judged = [(sample.judge(), sample) for sample in samples(language, 200, seed)]
    wrong = [told(sample) for outcome, sample in judged if outcome is Outcome.OTHER]
    assert not wrong, wrong[0]
    assert sum(outcome is Outcome.MEANT for outcome, _ in judged) > 100


def test_the_same_seed_gives_the_same_mails() -> None:
    assert list(samples("it", 5, 3)) == list(samples("it", 5, 3))
    assert list(samples("it", 5, 3)) != list(samples("it", 5, 4))


def test_a_sample_that_says_something_else_is_found_out() -> None:
    sample = next(iter(samples("en", 1, 1)))
    other = Sample("en", ("attack India from Siam, all in", "end"), sample.meant)
    assert other.judge() is Outcome.OTHER
