"""The words of a player's language, English beside them, and the names of the board.

English works in every mail; where a word means something else in the player's own language, the
own language is right. Words are data: `words/*.toml`, and the names of the board file.
"""

import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from itertools import chain, product
from typing import Any, NamedTuple, TypeVar

from pbem.orders.places import places
from pbem.orders.spelling import words
from pbem.orders.word import Word
from pbem.rules import board as boards
from pbem.rules.board import Board, Code, ContinentId
from pbem.rules.seat import COLOURS

LANGUAGES = ("en", "it", "nl", "sl")
CODE = 3
SHORTEST_BEGINNING = 3
SHORTEST_REPAIR = 4
"""Letters that a word needs so that a slip of the pen in it is looked for."""

LONGEST_BEGINNING = 4
"""Words of a name that are looked for when it is cut short."""

MOST_AT_HAND = 64
"""Lexica that a process keeps: each language of a board of another maker has one."""

Name = TypeVar("Name", Code, ContinentId)

Phrase = tuple[str, ...]
"""Folded words, e.g. ``("north", "africa")``."""


class LanguageError(ValueError):
    """There is no table of words for that language."""


class Places(NamedTuple):
    """What a name can mean, in the board's order."""

    territories: tuple[Code, ...] = ()
    continents: tuple[ContinentId, ...] = ()


@dataclass(frozen=True)
class Lexicon:
    """Everything that a mail in one language can be read and printed with.

    `longest` gives, for a first word, the most words that a phrase or a full name beginning with
    it has; `beginnings` maps every beginning of a name (of its words, one by one) to what it can
    mean.
    """

    language: str
    phrases: Mapping[Phrase, tuple[Word, int | None]]
    names: Mapping[Phrase, Places]
    beginnings: Mapping[Phrase, Places]
    longest: Mapping[str, int]
    spellings: Mapping[str, Places]
    printed: Mapping[Word, str]
    form: Mapping[str, str]
    told: Mapping[Phrase, Word]
    """The order word of a word that tells of it in the past."""
    topics: Mapping[Phrase, frozenset[str]]
    """The part of the help for what HELP is asked about."""
    keys: Mapping[Phrase, frozenset[str]]
    """The keys of SET that other words mean."""
    values: Mapping[Phrase, frozenset[str]]
    """The values of SET that other words mean; which, the key decides."""
    examples: Mapping[str, str]
    """A service that is written well, by the name of its word in small letters."""
    idle_not: frozenset[Phrase]
    """Words of UNLESS behind which NOT denies nothing, as in Italian "a meno che non"."""


def lexicon(language: str, board: Board) -> Lexicon:
    """The lexicon of a language for a board (built once); raises LanguageError."""
    return _built(language, board.id)


def reserved() -> frozenset[str]:
    """Every word of the order languages that is as long as a code, in capitals.

    No code may be one of them, nor a colour, which calls a seat. Those of the classic world stay
    good: orders are read with them in every language, though Italian may say "finché non sia mia".
    """
    said = {word for name in LANGUAGES for phrase, _ in _phrases(_table(name)) for word in phrase}
    long = frozenset(word.upper() for word in (*said, *COLOURS) if len(word) == CODE)
    return long.difference(boards.load().codes)


@lru_cache(maxsize=MOST_AT_HAND)
def _built(language: str, board_id: str) -> Lexicon:
    board = boards.load(*board_id.split("/"))
    tables = [_table(name) for name in dict.fromkeys(("en", language))]
    own = tables[-1]
    phrases = {phrase: meaning for table in tables for phrase, meaning in _phrases(table)}
    names = _gathered(_names(board, language, tables))
    continents = _gathered(_continent_names(board, language, tables))
    full = _merged(names, continents)
    return Lexicon(
        language=language,
        phrases=phrases,
        names=full,
        beginnings=_merged(_beginnings(names), _beginnings(continents)),
        longest=_longest([*phrases, *full]),
        spellings=_spellings(full),
        printed={Word(name): said[0] for name, said in own["words"].items()},
        form=own["form"],
        topics=_said(tables, "topics"),
        keys=_said(tables, "keys"),
        values=_said(tables, "values"),
        examples=own["examples"],
        idle_not=frozenset(words(said) for said in own.get("idle_not", ())),
        told={
            words(said): Word(name)
            for t in tables
            for name, past in t["told"].items()
            for said in past
        },
    )


def colour_forms(language: str, colour: str) -> tuple[str, ...]:
    """How a language bends a colour of `COLOURS` beside its first form: "modremu", "rode"."""
    return tuple(_table(language).get("colours", {}).get(colour, ()))


@cache
def _table(language: str) -> dict[str, Any]:
    if language not in LANGUAGES:
        raise LanguageError(f"no words for {language!r}; there are {', '.join(LANGUAGES)}")
    source = resources.files(__package__) / "words" / f"{language}.toml"
    return tomllib.loads(source.read_text(encoding="utf-8"))


def _said(tables: Iterable[Mapping[str, Any]], part: str) -> Mapping[Phrase, frozenset[str]]:
    """What the phrases of a part of the tables stand for."""
    found: dict[Phrase, frozenset[str]] = {}
    for table in tables:
        for name, phrases in table[part].items():
            for phrase in map(words, phrases):
                found[phrase] = found.get(phrase, frozenset()) | {name}
    return found


def _phrases(table: Mapping[str, Any]) -> Iterator[tuple[Phrase, tuple[Word, int | None]]]:
    for name, said in table["words"].items():
        for phrase in said:
            yield words(phrase), (Word(name), None)
    for said in chain.from_iterable(table["told"].values()):
        yield words(said), (Word.TOLD, None)
    for number, value in table["numbers"].items():
        yield words(number), (Word.NUMBER, value)
    for times, value in table["rolls"].items():
        yield words(times), (Word.ROLLS, value)
    for but, value in table.get("but", {}).items():
        yield words(but), (Word.BUT, value)


def _names(
    board: Board, language: str, tables: Iterable[Mapping[str, Any]]
) -> Iterator[tuple[str, Code]]:
    for code, territory in board.territories.items():
        yield code, code
        yield territory.name, code
        yield territory.names.get(language, territory.name), code
        yield from ((alias, code) for alias in territory.aliases)
    for table in tables if board.is_classic else ():
        for code, more in table.get("names", {}).items():
            yield from ((name, Code(code)) for name in more)
    if board.is_classic:
        yield from _bent_names(language, board.territories)


def _bent_names(language: str, named: Collection[Name]) -> Iterator[tuple[str, Name]]:
    """Names as sentences say them, without the article or preposition: "Siama", "Kitajske"."""
    for forms in places(language).values():
        for name in named:
            if name in forms:
                said = words(forms[name])
                small = said[0] in _small_words(language)
                yield " ".join(said[1:] if small else said), name


@cache
def _small_words(language: str) -> frozenset[str]:
    """Articles and prepositions."""
    said = _table(language)["words"]
    classes = (Word.FILLER, Word.FROM, Word.TO, Word.ON)
    return frozenset("".join(words(small)) for word in classes for small in said[word])


def _continent_names(
    board: Board, language: str, tables: Iterable[Mapping[str, Any]]
) -> Iterator[tuple[str, ContinentId]]:
    for key, continent in board.continents.items():
        yield continent.name, key
        yield continent.names.get(language, continent.name), key
    for table in tables if board.is_classic else ():
        for name, more in table.get("continents", {}).items():
            yield from ((other, ContinentId(name)) for other in more)
    if board.is_classic:
        yield from _bent_names(language, board.continents)


def _gathered(named: Iterable[tuple[str, Name]]) -> dict[Phrase, dict[Name, None]]:
    """Meanings by phrase; the dicts serve as sets that keep the board's order."""
    found: dict[Phrase, dict[Name, None]] = {}
    for name, meaning in named:
        if phrase := words(name):
            found.setdefault(phrase, {})[meaning] = None
    return found


def _beginnings(names: Mapping[Phrase, Mapping[Name, None]]) -> dict[Phrase, dict[Name, None]]:
    """Every beginning, word by word: "n africa", "north afr", but no single word too short."""
    found: dict[Phrase, dict[Name, None]] = {}
    for name, meanings in names.items():
        for count in range(1, min(len(name), LONGEST_BEGINNING) + 1):
            for phrase in product(*(_prefixes(word) for word in name[:count])):
                if count > 1 or len(phrase[0]) >= SHORTEST_BEGINNING:
                    found.setdefault(phrase, {}).update(meanings)
    return found


def _prefixes(word: str) -> list[str]:
    return [word[:size] for size in range(1, len(word) + 1)]


def _merged(
    territories: Mapping[Phrase, Mapping[Code, None]],
    continents: Mapping[Phrase, Mapping[ContinentId, None]],
) -> dict[Phrase, Places]:
    return {
        phrase: Places(tuple(territories.get(phrase, ())), tuple(continents.get(phrase, ())))
        for phrase in {**territories, **continents}
    }


def _longest(phrases: Iterable[Phrase]) -> dict[str, int]:
    longest: dict[str, int] = {}
    for phrase in phrases:
        longest[phrase[0]] = max(len(phrase), longest.get(phrase[0], 0))
    return longest


def _spellings(names: Mapping[Phrase, Places]) -> dict[str, Places]:
    """Names that a slip of the pen may mean, written as one word; never codes."""
    return {
        joined: places
        for name, places in names.items()
        if places.territories and len(joined := "".join(name)) >= SHORTEST_REPAIR
    }
