"""The same mistakes in Italian, Dutch and Slovenian: the same code, and the help in its words.

The mails and the texts stand in `mistakes_abroad.toml`, a table a language and a code.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from pbem.orders import write
from pbem.orders.mistake import PRECEDENCE, Fact, Mistake
from pbem.rules.state import State
from tests.orders.desk import WORLD, check, codes, read
from tests.orders.test_mistakes import ATTACKING, EACH, text
from tests.orders.test_run import FRONT

ABROAD = tomllib.loads(Path(__file__).with_name("mistakes_abroad.toml").read_text("utf-8"))
LANGUAGES = tuple(ABROAD)

STATES = {case[0]: case[1] for case in reversed(EACH)}
FACTS: Mapping[str, Mapping[str, Fact]] = {
    "E19": {"seat": "B"},
    "E20": {"step": 2, "turn": 3, "current": 4, "current_turn": 3},
    "E23": {"taken": "PRU", "taken_line": 1},
    "E35": {},
    "E39": {"tries": 20},
    "E40": {"lines": ("attack India from Siam",)},
}
"""Of the mistakes that a mail alone does not make."""

LINES = {
    "E23": {"it": "bonus in Egitto", "nl": "bonus Egypte", "sl": "bonus v Egipt"},
    "E35": {"it": "capitale India", "nl": "hoofdstad India", "sl": "prestolnica Indija"},
}
TEXTS = [(language, *case) for language, cases in ABROAD.items() for case in cases.items()]


@pytest.mark.parametrize(
    ("language", "code", "case"), TEXTS, ids=[f"{one[0]}-{one[1]}" for one in TEXTS]
)
def test_each_mistake_has_its_code_and_its_text_in_every_language(
    language: str, code: str, case: dict[str, str]
) -> None:
    if code in FACTS:
        line = 2 if code in LINES else None
        mistake = Mistake(code, line, LINES.get(code, {}).get(language, ""), FACTS[code])
        state = ATTACKING
    else:
        state = STATES[code]
        (mistake,) = check(case["mail"], state, language).mistakes
    assert mistake.code == code
    assert text(mistake, state, language) == case["text"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_mistake_has_a_text_in_every_language(language: str) -> None:
    assert {*PRECEDENCE, "E40"} == set(ABROAD[language])


def can_be_spoken(mail: str) -> bool:
    """Whether every order of the mail has a printed form."""
    sheet = read(mail)
    spoken = [write.line(line, "en", WORLD) for line in sheet.lines]
    return not sheet.mistakes and not any("?" in line for line in spoken)


READABLE = [case[:3] for case in EACH if can_be_spoken(case[2])]


@pytest.mark.parametrize("language", LANGUAGES)
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
    "it": {"attacca India da Siam ->": "E21", "sposta Siam verso Indonesia": "E24"},
    "nl": {"val aan vanuit Siam naar India ->": "E21", "verplaats Siam naar Indonesië": "E24"},
    "sl": {"napadi iz Siama v Indijo ->": "E21", "premakni Siam v Indonezijo": "E24"},
}


@pytest.mark.parametrize(
    ("language", "mail", "code"),
    [(language, *case) for language, cases in UNREAD.items() for case in cases.items()],
)
def test_what_cannot_be_read_is_asked_about_in_every_language(
    language: str, mail: str, code: str
) -> None:
    assert codes(mail, FRONT, language) == [code]
