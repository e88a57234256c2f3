"""Mails in the shapes that real programs send: `tests/letters/NAME.eml`, beside it what to read.

The `.toml` beside a mail says `kind`, `text` and `doubtful`; if they matter also `from`, `refused`,
`message_id` and `notes` (those that must be there). `sent` names the letter that was answered,
`sent_is_needed` says that without it nobody can tell old from new.
Every letter in `sent/` shows orders about Alaska as examples: no mail of the corpus orders them.
"""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbem.mail.inbound import read
from pbem.orders import reader
from pbem.orders.sheet import Table
from pbem.rules.board import load
from pbem.rules.seat import Seat

TABLE = Table(load("classic-world"), {Seat("A"): "Anna", Seat("B"): "Bruno", Seat("C"): "Carla"})
ORDERS = {
    "en": {"place 5 in Siam", "attack India from Siam", "attack India from Siam, keep 4", "end"},
    "it": {"piazza 5 in Siam", "attacca India da Siam, tieni 4", "fine"},
    "nl": {"plaats 5 in Siam", "val India aan vanuit Siam, houd 4", "einde"},
    "sl": {"postavi 5 na Siam", "napadi Indijo iz Siama, obdrži 4", "konec"},
}
LETTERS = Path(__file__).parents[1] / "letters"
NAMES = sorted(path.stem for path in LETTERS.glob("*.eml"))


def expected(name: str) -> dict[str, Any]:
    return tomllib.loads((LETTERS / f"{name}.toml").read_text("utf-8"))


def test_the_corpus_is_there() -> None:
    assert len(NAMES) >= 280
    assert sorted(path.stem for path in LETTERS.glob("*.toml")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_what_is_read(name: str) -> None:
    wanted = expected(name)
    sent = wanted.pop("sent", None)
    wanted.pop("sent_is_needed", None)
    answered = (LETTERS / "sent" / sent).read_text("utf-8") if sent else None
    found = read((LETTERS / f"{name}.eml").read_bytes(), answered).as_json()
    assert set(wanted.pop("notes", [])) <= set(found["notes"])
    wanted = {"from": None, "refused": None} | wanted
    assert {key: found[key] for key in wanted} == wanted


@pytest.mark.parametrize("name", NAMES)
def test_no_old_order_is_new_even_if_the_answered_letter_is_not_known(name: str) -> None:
    found = read((LETTERS / f"{name}.eml").read_bytes())
    assert not [line for line in found.text if "Alaska" in line]
    if "sent_is_needed" not in expected(name):
        assert set(found.text) - {""} <= set(expected(name)["text"])


def language(name: str) -> str | None:
    """The language of the letter that a mail answers; None if it answers none."""
    sent = expected(name).get("sent")
    return None if sent is None else str(sent)[5:7]


@pytest.mark.parametrize("name", [name for name in NAMES if language(name)])
def test_nothing_that_programs_add_is_an_order_or_a_mistake(name: str) -> None:
    wanted, spoken = expected(name), language(name)
    assert spoken is not None
    sheet = reader.read(tuple(wanted["text"]), spoken, TABLE)
    assert [mistake.quoted for mistake in sheet.mistakes] == []
    assert {line.text for line in sheet.lines} <= ORDERS[spoken] | ORDERS["en"]
