"""The reader agrees with the grammar: what that reads in one way is read the same."""

import random
from itertools import islice

import pytest

from bench.orders_corpus import samples
from pbem.orders import write
from pbem.orders.lexicon import LANGUAGES
from pbem.orders.plan import Sentence
from tests.orders import oracle
from tests.orders.desk import WORLD, read

MEANT = [said for sample in samples("en", 150, 7) for said in sample.meant]


def by_reader(line: str, language: str) -> list[Sentence]:
    sheet = read(line, language)
    if sheet.mistakes:
        return []
    return [said for line in sheet.lines for said in line.sentences]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_printed_order_is_read_in_one_way_by_both(language: str) -> None:
    for said in MEANT:
        line = write.sentence(said, language, WORLD)
        assert oracle.read(line, language) == by_reader(line, language) == [said], line


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_left_of_an_order_is_read_alike(language: str) -> None:
    """A word left out or two exchanged: what the grammar still has, the reader has too."""
    rng, compared = random.Random(f"7/{language}"), 0
    for said in islice(MEANT, 250):
        words = write.sentence(said, language, WORLD).split(" ")
        at = rng.randrange(len(words))
        line = " ".join(words[:at] + words[at + 1 :])
        by_grammar = oracle.read(line, language)
        if len(by_grammar) == 1:
            compared += 1
            assert by_reader(line, language) == by_grammar, line
    assert compared > 10
