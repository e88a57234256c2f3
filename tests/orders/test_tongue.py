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
