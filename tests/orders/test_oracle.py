"""The reader agrees with the grammar: what that reads in one way is read the same."""

import random
import re
from itertools import islice

import pytest

from bench.orders_corpus import samples
from pbem.orders import write
from pbem.orders.lexicon import LANGUAGES
from pbem.orders.plan import Sentence
from pbem.orders.word import IDLE, MODES, SERVICES, Word
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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "line",
    [
        "place Siam 3, India 2",
        "place 3 Siam and 2 India",
        "place 3 armies in Siam the rest in India",
        "place neutral Siam 3",
        "fill Siam 3 and India 2",
        "trade Egypt and Peru and wild, bonus Egypt",
        "claim Asia and nearest",
        "avoid Asia and Europe",
        "attack Siam to India, once, else pause",
        "unless not captured and odds at most 40%: fortify all from Siam to India",
    ],
)
def test_the_forms_that_are_not_printed_are_read_alike(line: str, language: str) -> None:
    (meant,) = oracle.read(line, "en")
    assert by_reader(line, language) == [meant]


def test_every_class_of_word_stands_in_the_grammar_or_beside_it() -> None:
    """What the grammar of orders leaves out are services, modes, and words that people add."""
    beside = {*SERVICES, *MODES, *IDLE, Word.WHEN, Word.ANON, Word.END_SAY, Word.CARDS}
    beside |= {
        Word.MORE_THAN,
        Word.LESS_THAN,
        Word.OR,
        Word.UNKNOWN,
        Word.PERIOD,
        Word.TOLD,
        Word.AGAINST,
        Word.MINE,
    }
    named = set(re.findall(r"\b[A-Z_]{2,}\b", oracle.GRAMMAR))
    assert {word.value for word in set(Word) - beside} - {"GM"} <= named  # GM: whom SAY may name
