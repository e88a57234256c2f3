"""SET and HELP in the player's language: keys, values and topics, English beside them."""

import pytest

from pbem.orders.clause.service import KEYS
from pbem.orders.lexicon import LANGUAGES, lexicon
from pbem.orders.service import Help, Service, Set
from tests.orders.desk import WORLD, read


def asked(mail: str, language: str) -> Service:
    sheet = read(mail, language)
    assert not sheet.mistakes, mail
    (one,) = sheet.services
    return one.service


SETTINGS = {
    "it": {
        "imposta lingua italiano": Set("LANGUAGE", "IT"),
        "imposta fuso orario = Europe/Rome": Set("ZONE", "Europe/Rome"),
        "imposta ritardo metti nel Siam": Set("LATE", "PLACE SIA"),
        "imposta ritardo niente": Set("LATE", "NOTHING"),
        "imposta file niente": Set("FILE", "NONE"),
        "imposta immagine no": Set("PICTURE", "OFF"),
        "imposta se fallisce basta": Set("ON FAIL", "STOP"),
        "imposta in caso di errore esegui prima": Set("ON MISTAKE", "RUN BEFORE IT"),
        "imposta promemoria no": Set("REMIND", "OFF"),
        "imposta promemoria 24h, 3h": Set("REMIND", "24h, 3h"),
        "imposta notizie ogni giorno": Set("NEWS", "DAILY"),
    },
    "nl": {
        "stel in taal Nederlands": Set("LANGUAGE", "NL"),
        "stel in ruil automatisch": Set("TRADE", "AUTO"),
        "stel in te laat plaats op Siam": Set("LATE", "PLACE SIA"),
        "stel in bord lijst": Set("BOARD", "LIST"),
        "stel in bij mislukken pauze": Set("ON FAIL", "PAUSE"),
        "stel in afbeelding uit.": Set("PICTURE", "OFF"),
        "stel in naam Jan de Boer": Set("NAME", "Jan de Boer"),
    },
    "sl": {
        "nastavi jezik slovenščina": Set("LANGUAGE", "SL"),
        "nastavi menjava = samodejno": Set("TRADE", "AUTO"),
        "nastavi ob zamudi postavi na Japonsko": Set("LATE", "PLACE JPN"),
        "nastavi slika ne": Set("PICTURE", "OFF"),
        "nastavi ob neuspehu premor": Set("ON FAIL", "PAUSE"),
        "nastavi novice dnevno": Set("NEWS", "DAILY"),
    },
    "en": {
        "set time zone Europe/London": Set("ZONE", "Europe/London"),
        "set reminders off": Set("REMIND", "OFF"),
        "set on mistake = run before it": Set("ON MISTAKE", "RUN BEFORE IT"),
        "SET LATE PLACE north africa": Set("LATE", "PLACE NAF"),
    },
}
CASES = [(language, *case) for language, cases in SETTINGS.items() for case in cases.items()]


@pytest.mark.parametrize(("language", "mail", "meant"), CASES)
def test_a_setting_is_read_in_the_words_of_the_language(
    language: str, mail: str, meant: Set
) -> None:
    assert asked(mail, language) == meant


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", [key for key in KEYS if KEYS[key]])
def test_the_keys_and_values_of_the_manual_work_in_every_language(language: str, key: str) -> None:
    for value in KEYS[key]:
        if value != "PLACE":
            assert asked(f"SET {key} {value}", language) == Set(key, value)
            assert asked(f"set {key.lower()} = {value.lower()}", language) == Set(key, value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_for_a_value_means_one_for_every_key(language: str) -> None:
    known = lexicon(language, WORLD)
    for phrase, meant in known.values.items():
        for values in KEYS.values():
            assert len(meant & set(values)) < 2, phrase
    assert all(len(keys) == 1 for keys in known.keys.values())
    assert set().union(*known.keys.values()) <= KEYS.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_topic_of_the_help_is_of_one_part(language: str) -> None:
    parts = {"turn", "attack", "conditions", "standing", "press", "services"}
    topics = lexicon(language, WORLD).topics
    assert all(len(found) == 1 for found in topics.values())
    assert set().union(*topics.values()) == parts


@pytest.mark.parametrize(
    ("language", "mail", "part"),
    [
        ("en", "HELP ATTACK", "attack"),
        ("en", "help next turn!", "standing"),
        ("it", "AIUTO attacco", "attack"),
        ("it", "aiuto impostazioni", "standing"),
        ("it", "help say", "press"),
        ("nl", "hulp voorwaarden", "conditions"),
        ("nl", "hulp beurt", "turn"),
        ("sl", "pomoč sporočila", "press"),
        ("sl", "POMOČ NAPAD.", "attack"),
        ("sl", "pomoč luna", "luna"),
    ],
)
def test_help_is_asked_for_in_the_words_of_the_language(
    language: str, mail: str, part: str
) -> None:
    assert asked(mail, language) == Help(part)
