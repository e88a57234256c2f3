"""The tables of words: whole, without clashes, printed as they are read."""

import tomllib
from collections import defaultdict
from importlib import resources

import pytest

from pbem.orders.lexicon import LANGUAGES, LanguageError, lexicon
from pbem.orders.mender import Mender
from pbem.orders.spelling import edits, words
from pbem.orders.word import Word
from pbem.rules import board as boards
from tests.orders.desk import WORLD, read

OTHER_KINDS = {
    Word.NUMBER,
    Word.PERCENT,
    Word.NAME,
    Word.COMMA,
    Word.COLON,
    Word.PERIOD,
    Word.TOLD,
    Word.UNKNOWN,
}


def table(language: str) -> dict[str, dict[str, list[str]]]:
    source = resources.files("pbem.orders") / "words" / f"{language}.toml"
    return tomllib.loads(source.read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_class_has_a_word_in_every_language(language: str) -> None:
    assert set(table(language)["words"]) == {str(word) for word in set(Word) - OTHER_KINDS}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_is_there_in_every_language(language: str) -> None:
    assert set(table(language)["form"]) == set(table("en")["form"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_phrase_stands_for_two_classes(language: str) -> None:
    meanings = defaultdict(set)
    for word, phrases in table(language)["words"].items():
        for phrase in phrases:
            meanings[words(phrase)].add(word)
    assert not {phrase: found for phrase, found in meanings.items() if len(found) > 1}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_code_and_no_name_is_a_word_of_the_language(language: str) -> None:
    known = lexicon(language, WORLD)
    assert not known.phrases.keys() & known.names.keys()


CLASHES = {
    "it": {"a": ("FILLER", "TO")},
    "nl": {},
    "sl": {"in": ("ON", "AND"), "is": ("FILLER", "FROM"), "s": ("FILLER", "FROM")},
}
"""English words that mean something else in the other language of a mail, which is then right."""


@pytest.mark.parametrize("language", CLASHES)
def test_english_words_clash_with_no_others_than_these(language: str) -> None:
    english, own = meanings("en"), meanings(language)
    both = {phrase for phrase in english.keys() & own.keys() if english[phrase] != own[phrase]}
    found = {" ".join(phrase): (english[phrase], own[phrase]) for phrase in both}
    assert found == CLASHES[language]
    known = lexicon(language, WORLD)
    assert {phrase: known.phrases[phrase][0].value for phrase in both} == {p: own[p] for p in both}


def meanings(language: str) -> dict[tuple[str, ...], str]:
    """The class of every phrase of one language alone."""
    whole = table(language)
    numbers = dict.fromkeys(map(words, whole["numbers"]), "NUMBER")
    said = whole["words"].items()
    return {words(phrase): word for word, phrases in said for phrase in phrases} | numbers


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_code_is_a_word_of_the_language_or_the_beginning_of_another_name(language: str) -> None:
    known = lexicon(language, WORLD)
    for code in WORLD.codes:
        assert words(code) not in known.phrases
        assert known.names[words(code)].territories == (code,)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_printed_word_reads_as_its_own_class(language: str) -> None:
    known = lexicon(language, WORLD)
    for word, printed in known.printed.items():
        assert known.phrases[words(printed)][0] is word


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_printed_name_means_one_territory(language: str) -> None:
    known = lexicon(language, WORLD)
    for code, territory in WORLD.territories.items():
        for name in (code, territory.name, territory.names.get(language, territory.name)):
            assert known.names[words(name)].territories == (code,)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_is_one_slip_from_that_of_another_territory(language: str) -> None:
    known = lexicon(language, WORLD)
    for name, places in known.spellings.items():
        near = Mender(known, WORLD.id).near(name)
        slips = {code for code, count in near.items() if count < 2}
        for code in slips - set(places.territories):
            # The one pair that is: Italian Cita and Cina; an exact name is never mended.
            assert {code, *places.territories} == {"IRK", "CHN"}


def test_a_beginning_of_a_name_is_enough_if_it_is_the_only_one() -> None:
    known = lexicon("en", WORLD)
    assert known.beginnings[("bra",)].territories == ("BRA",)
    assert known.beginnings[("north",)].territories == ("NWT", "NEU", "NAF")
    assert ("br",) not in known.beginnings


def test_an_unknown_language_is_an_error_of_ours() -> None:
    with pytest.raises(LanguageError):
        lexicon("xx", boards.load())


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [("india", "india", 0), ("indai", "india", 1), ("idnai", "india", 2), ("siam", "siamm", 1)],
)
def test_edits_count_letters_and_swaps(one: str, other: str, count: int) -> None:
    assert edits(one, other, 2) == count


def test_a_mail_of_64_kib_is_read_no_further_than_it_makes_sense() -> None:
    sheet = read("attack Idnai from Siam\n" * 2800)
    assert len(sheet.mistakes) < 30
    assert [note.code for note in sheet.notes] == ["read-no-further"]
