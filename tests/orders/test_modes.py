"""Yes and no, in the words that people answer with."""

import pytest

from pbem.orders.sheet import Mode
from tests.orders.desk import read

YES = {
    "en": (
        "YES",
        "yes!",
        "Yes please.",
        "Yes, please",
        "ok",
        "OK!",
        "Okay",
        "sure",
        "Yep",
        "y",
        "Yes, do it",
        "Yes, that's right",
        "Yes I do",
        "“YES”",
        "'yes'",
        "Hi! Yes.",
        "*YES*",
        "Hello Dora,\n\nok\n\nAnna",
        "Yes\nthanks",
        "YES\n-- \nAnna, tel. 123",
        "👍 yes",
    ),
    "it": (
        "SÌ",
        "si",
        "Sì, grazie",
        "ok",
        "va bene",
        "certo",
        "Sì per favore",
        "yes",
        "D’accordo.",
    ),
    "nl": ("JA", "ja graag", "Ja, doe maar", "oké", "ok", "jazeker", "prima", "yes", "Ja hoor!"),
    "sl": ("DA", "da, prosim", "v redu", "ja", "seveda", "velja", "OK", "yes", "Da, hvala"),
}
NO = {
    "en": ("NO", "no thanks", "No, thank you.", "nope"),
    "it": ("NO", "no grazie", "No, per favore"),
    "nl": ("NEE", "nee dank je", "Nee, bedankt"),
    "sl": ("NE", "ne, hvala"),
}
NEITHER = (
    "yes but only once",
    "yes and no",
    "yes if captured",
    "not yes",
    "ok but wait",
    "ok?",
    "Yes?",
    "ok, I will look at it tomorrow evening",
    "ok\nI want to think about it before",
    "yes\nattack India from Siam",
    "attack India from Siam\nyes",
    "ok, attack India from Siam",
)


@pytest.mark.parametrize("language", YES)
def test_yes_is_read_in_many_words(language: str) -> None:
    for said in YES[language]:
        assert read(said, language).mode is Mode.YES, said
        assert not read(said, language).mistakes, said


@pytest.mark.parametrize("language", NO)
def test_no_is_read_in_many_words(language: str) -> None:
    for said in NO[language]:
        assert read(said, language).mode is Mode.NO, said


@pytest.mark.parametrize("language", YES)
def test_what_says_more_is_neither(language: str) -> None:
    for said in NEITHER:
        assert read(said, language).mode is Mode.NONE, said


@pytest.mark.parametrize(
    ("language", "word"),
    [
        ("en", "TEST"),
        ("en", "Dry run:"),
        ("it", "simula"),
        ("nl", "Simuleer"),
        ("sl", "preizkusi"),
        ("sl", "test"),
    ],
)
def test_whoever_asks_for_a_test_rolls_no_die(language: str, word: str) -> None:
    assert read(f"{word}\nattack India from Siam", language).mode is Mode.TRY
