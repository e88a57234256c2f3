"""The same mistakes in Italian, Dutch and Slovenian."""

import pytest

from pbem.orders import write
from pbem.rules.state import State
from tests.orders.desk import WORLD, check, codes, read
from tests.orders.test_mistakes import EACH
from tests.orders.test_run import FRONT

ABROAD = ("it", "nl", "sl")


def can_be_spoken(mail: str) -> bool:
    """Whether every order of the mail has a printed form."""
    sheet = read(mail)
    spoken = [write.line(line, "en", WORLD) for line in sheet.lines]
    return not sheet.mistakes and not any("?" in line for line in spoken)


READABLE = [case[:3] for case in EACH if can_be_spoken(case[2])]


@pytest.mark.parametrize("language", ABROAD)
@pytest.mark.parametrize(("code", "state", "mail"), READABLE, ids=[case[0] for case in READABLE])
def test_what_the_position_forbids_is_a_mistake_in_every_language(
    code: str, state: State, mail: str, language: str
) -> None:
    spoken = [write.line(line, language, WORLD) for line in read(mail).lines]
    (english,) = check(mail, state).mistakes
    (abroad,) = check("\n".join(spoken), state, language).mistakes
    assert (abroad.code, abroad.facts.keys()) == (code, english.facts.keys())
    for name in ("territory", "source", "target", "have", "placed", "left", "armies", "most"):
        assert abroad.facts.get(name) == english.facts.get(name)


UNREAD = {
    "it": {
        "attacca Idnai da Siam": "E01",
        "metti 3 in Australia O": "E02",
        "attacca India da Siam con 3": "E10",
        "attacca India da Siam ->": "E21",
        "metti 3 Brasile Perù 2": "E26",
        "attacca presto": "E27",
        "scrivi a Red: ciao\nattacca India da Siam": "E37",
        "scrivi a Greem: ciao": "E38",
        "sposta Siam verso Indonesia": "E24",
        "continua": "E32",
    },
    "nl": {
        "val Idnai aan vanuit Siam": "E01",
        "plaats 3 op Noord": "E02",
        "val India aan vanuit Siam met 3": "E10",
        "val aan vanuit Siam naar India ->": "E21",
        "plaats 3 Brazilië Peru 2": "E26",
        "val snel aan": "E27",
        "zeg Red: hoi\nval India aan vanuit Siam": "E37",
        "zeg Greem: hoi": "E38",
        "verplaats Siam naar Indonesië": "E24",
        "ga verder": "E32",
    },
    "sl": {
        "napadi Idnai iz Siama": "E01",
        "postavi 3 v Severno": "E02",
        "napadi Indijo iz Siama s 3": "E10",
        "napadi iz Siama v Indijo ->": "E21",
        "postavi 3 Brazilija Peru 2": "E26",
        "napadi hitro": "E27",
        "sporoči Red: živjo\nnapadi Indijo iz Siama": "E37",
        "sporoči Greem: živjo": "E38",
        "premakni Siam v Indonezijo": "E24",
        "nadaljuj": "E32",
    },
}


@pytest.mark.parametrize(
    ("language", "mail", "code"),
    [(language, *case) for language, cases in UNREAD.items() for case in cases.items()],
)
def test_what_cannot_be_read_is_asked_about_in_every_language(
    language: str, mail: str, code: str
) -> None:
    assert codes(mail, FRONT, language) == [code]
