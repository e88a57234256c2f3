"""Whole turns as people of four languages write them: never read as anything but what is meant.

The mails stand in `turns.toml`, under the turn that all of them mean.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.orders.check import Checked
from pbem.orders.lexicon import LANGUAGES
from pbem.orders.plan import Order, Place, Sentence
from pbem.rules.position import Phase
from tests.orders.desk import check, read
from tests.rules.table import A, drawn

HERE = Path(__file__)
TURNS = tomllib.loads(HERE.with_name("turns.toml").read_text("utf-8"))["turn"]
NO_ORDERS = tomllib.loads(HERE.with_name("no_orders.toml").read_text("utf-8"))
POSITION = drawn(
    "A BRA 6, PRU 3, VEN 2, ARG 1, EGY 4, SIA 5, IDO 3;"
    "B NAF 3, CAM 2, IDA 3, CHN 2, EAF 2; C rest 2",
    phase=Phase.TRADE,
    to_place=7,
    hands={A: "EGY PRU WILD SIA"},
)
MAILS = [
    (language, fate, mail, tuple(turn["means"]))
    for turn in TURNS
    for language in LANGUAGES
    for fate, mails in turn[language].items()
    for mail in mails
]


def meaning(checked: Checked) -> list[Sentence | Order]:
    """What a plan does, however it is parted into lines and sentences; [] without a plan."""
    lines = checked.plan.lines if checked.plan else ()
    return [one for line in lines for said in line.sentences for one in _parts(said)]


def _parts(said: Sentence) -> Iterator[Sentence | Order]:
    if said.guard is not None:
        yield said
        return
    for order in said.orders:
        if isinstance(order, Place):
            yield from (Place((spot,)) for spot in order.spots)
        else:
            yield order


@pytest.mark.parametrize(
    ("language", "fate", "mail", "means"), MAILS, ids=[f"{m[0]}-{m[2][:30]}" for m in MAILS]
)
def test_a_turn_is_done_as_it_is_meant_or_asked_about(
    language: str, fate: str, mail: str, means: tuple[str, ...]
) -> None:
    wanted = meaning(check("\n".join(means), POSITION))
    assert wanted
    checked = check(mail, POSITION, language)
    offered = check("\n".join(checked.corrected or ()), POSITION, language)
    assert meaning(checked) == (wanted if fate == "read" else [])
    assert meaning(offered) == (wanted if fate == "offered" else [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_nearly_all_get_through_with_one_yes_at_most(language: str) -> None:
    fates = Counter(fate for spoken, fate, _, _ in MAILS if spoken == language)
    assert fates.total() >= 25
    assert fates["read"] > fates["offered"] > fates["asked"]
    assert fates["asked"] / fates.total() < 0.1


@pytest.mark.parametrize(
    ("language", "line"), [(spoken, line) for spoken, said in NO_ORDERS.items() for line in said]
)
def test_what_orders_nothing_is_not_read_as_an_order(language: str, line: str) -> None:
    assert read(line, language).lines == ()
