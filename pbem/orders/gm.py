"""The words of a game master's mail: the name of an act begins a line, in any of the languages.

Which fields an act has is not known here, only what it is called.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple

from pbem.orders.spelling import fold

Spoken = Mapping[str, list[str]]
"""The phrases of one word, by language; the first of each is the one that is printed."""


class Command(NamedTuple):
    """A line that begins with the name of an act: which, in which language, and what follows."""

    act: str
    language: str
    rest: str


def command(line: str) -> Command | None:
    """What a line commands; None where it begins with no act. The longest phrase is meant."""
    begun = fold(line)
    for known, phrase, act, language in _phrases():
        if begun == known or re.match(rf"{re.escape(known)}[\s:.!]", begun):
            return Command(act, language, line[len(phrase) :].strip(" \t:.!"))
    return None


def value(written: str, meant: str) -> bool:
    """Whether a word is one of those for a value: `all` or `computer`."""
    said = fold(written)
    return any(
        said == fold(phrase) for told in _words()["values"][meant].values() for phrase in told
    )


def is_field(written: str, name: str) -> bool:
    """Whether a word names this field, in any language; mail programs make one dash of two."""
    said = _undashed(written)
    spoken = _words()["fields"].get(name, {})
    return any(said == _undashed(phrase) for phrases in spoken.values() for phrase in phrases)


def _undashed(word: str) -> str:
    return fold(word.lstrip("-\N{EN DASH}\N{EM DASH}"))


def printed(act: str, language: str) -> str:
    """The name of an act as letters print it."""
    return _first(_words()["acts"][act], language).upper()


def field(name: str, language: str) -> str:
    """What a field is called."""
    return _first(_words()["fields"][name], language)


def _first(spoken: Spoken, language: str) -> str:
    return spoken.get(language, spoken["en"])[0]


@cache
def _phrases() -> tuple[tuple[str, str, str, str], ...]:
    """Folded and as written, with the act and the language; long ones first, English before all."""
    found = [
        (fold(phrase), phrase, act, language)
        for act, spoken in _words()["acts"].items()
        for language, phrases in spoken.items()
        for phrase in phrases
    ]
    return tuple(sorted(found, key=lambda one: (-len(one[0]), one[3] != "en")))


@cache
def _words() -> Mapping[str, Mapping[str, Spoken]]:
    source = resources.files(__package__) / "words" / "gm.toml"
    return tomllib.loads(source.read_text(encoding="utf-8"))
