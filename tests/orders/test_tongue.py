"""A mail in a language that is not the player's: which one to offer."""

import pytest

from pbem.orders import tongue
from tests.orders.desk import WORLD

MAILS = {
    "en": ["place 5 in Siam", "attack India from Siam, keep 4", "end"],
    "it": ["Metti 5 in Siam. Attacca l'India dal Siam", "Fine"],
    "nl": ["Plaats 5 op Siam", "Val India aan vanuit Siam, houd 4", "anders pauze", "klaar"],
    "sl": ["Postavi 5 v Siam", "Napadi Indijo iz Siama, dokler ni zavzeta", "Konec"],
}


@pytest.mark.parametrize("own", MAILS)
@pytest.mark.parametrize("written", MAILS)
def test_another_language_is_offered_unless_the_own_or_english_is_written(
    own: str, written: str
) -> None:
    offered = None if written in (own, "en") else written
    assert tongue.other(MAILS[written], own, WORLD) == offered


@pytest.mark.parametrize("line", ["", "hello", "5 Siam", "Siam", "Napadi", "attack and napadi"])
def test_a_few_words_are_not_enough(line: str) -> None:
    assert tongue.other([line], "nl", WORLD) is None


@pytest.mark.parametrize(
    "line", [line for mail in MAILS.values() for line in mail[:2]] + ["YES", "prova"]
)
def test_what_begins_as_an_order_does_in_whatever_language(line: str) -> None:
    assert tongue.begins_an_order(line)
    assert tongue.mentions_an_order(f"Ciao {line}")


@pytest.mark.parametrize(
    "line", ["", "Anna Rossi", "+39 333 1234567", "Yes we can", "Sent from my iPhone", "Ik"]
)
def test_names_numbers_and_prose_begin_no_order(line: str) -> None:
    assert not tongue.begins_an_order(line)


def test_the_end_is_told_in_whatever_language() -> None:
    assert all(tongue.ends_the_orders(mail[-1]) for mail in MAILS.values())
    assert not any(tongue.ends_the_orders(mail[0]) for mail in MAILS.values())
