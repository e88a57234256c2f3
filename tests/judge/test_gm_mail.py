"""The game master's mails: commands, all or none, answered by one letter."""

import pytest

from pbem.judge.gm_mail import master
from pbem.mail import gm_address
from pbem.store import games
from pbem.store.engine import session
from tests.judge.conftest import OpenParlour
from tests.judge.parlour import ANNA, Parlour, mail, words_of

DORA = "gm@example.org"


def address_of(house: Parlour, person: str = DORA) -> str:
    issued = gm_address.issue(house.house.secret, f"g{house.game_id}", person)
    return gm_address.written(issued, house.house.domain)


def write(house: Parlour, text: str, sender: str = DORA, *, to: str | None = None) -> str:
    """The result of the row of a game master's mail."""
    raw = mail(text, sender=f"Dora <{sender}>", message_id="<m1@example.org>")
    (row,) = house.bring(raw, to or address_of(house), mail_from=sender)
    return row.result or ""


def test_commands_are_done_told_and_answered(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    with session(house.engine) as opened:
        before = games.deadline(opened, house.game_id)
    text = "EXTEND 24h\nNOTE ALL: see you on Monday; good luck\nREASON power cut"
    assert write(house, text) == "gm-done"
    with session(house.engine) as opened:
        after = games.deadline(opened, house.game_id)
    assert before is not None
    assert after is not None
    assert (after - before).total_seconds() == 86400
    answer = house.letters(to=DORA)[-1]
    assert answer["In-Reply-To"] == "<m1@example.org>"
    assert "EXTEND 24h" in words_of(answer)
    assert answer["Reply-To"] == address_of(house)
    told = [words_of(letter) for letter in house.letters(kind="note", to=ANNA)]
    assert any("power cut" in words for words in told)
    assert any("see you on Monday" in words for words in told)


def test_one_wrong_line_and_nothing_is_done(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    for text, why in (
        ("PAUSE\nEXTEND soon", "cannot be read as by"),
        ("PAUSE\nPAUSE", "the game is paused already"),
        ("PAUSE\nROLLBACK 7", "is done on the game's page"),
        ("PAUSE\nDANCE", "there is no act called dance"),
    ):
        raw = mail(text, sender=DORA)
        (row,) = house.bring(raw, address_of(house), mail_from=DORA)
        assert row.result == "gm-mistakes"
        assert why in words_of(house.letters(to=DORA)[-1])
    with session(house.engine) as opened:
        game = games.find(opened, house.game_id)
    assert game is not None
    assert game.paused_at is None
    assert not house.letters(kind="note", to=ANNA)


def test_help_lists_what_a_mail_may_do(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    assert write(house, "HELP") == "gm-help"
    told = words_of(house.letters(to=DORA)[-1])
    assert "EXTEND by" in told
    assert "ROLLBACK" not in told


@pytest.mark.parametrize("sender", [ANNA, "stranger@example.net"])
def test_nobody_else_can_use_the_address(parlour: OpenParlour, sender: str) -> None:
    house = parlour(proofs=False)
    assert write(house, "PAUSE", sender) == "gm-unproved"
    assert not house.letters(to=sender, kind="note")


def test_a_mail_without_proof_does_nothing(parlour: OpenParlour) -> None:
    house = parlour(proofs=True)
    assert write(house, "PAUSE") == "gm-unproved"


def test_an_address_of_nobody_is_refused_at_the_door(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    with session(house.engine) as opened:
        assert master(opened, house.house, address_of(house)) == DORA
        assert master(opened, house.house, address_of(house, ANNA)) is None
        other = address_of(house).replace("g1.", "g2.")
        assert master(opened, house.house, other) is None
