"""TRY by mail: exact chances in a letter, no die, no change, a bound on how often."""

import re

import pytest

from pbem.rules.position import Phase
from tests.judge.desk import Desk

FRONT = "A SIA 4, NGU 3; B IDA 4, CHN 2; C rest 2"


def opened() -> Desk:
    return Desk(FRONT, phase=Phase.PLACE, to_place=5)


MAIL = "TRY\nplace 5 in Siam\nattack India from Siam\nend"


def test_the_letter_tells_the_chances_of_the_manual() -> None:
    answer = opened().say("A", MAIL)
    assert answer.kind == answer.mail["X-PBEM-Kind"] == "preview"
    assert re.search(r"3 Siam - India +100\.0% +82\.2%", answer.text)
    assert '"all in" in 88.8%' in answer.words
    assert "| place 5 in Siam\n| attack India from Siam, move in the least\n" in answer.text


def test_nothing_changes_and_the_same_mail_has_the_same_numbers() -> None:
    desk = opened()
    before = desk.game
    first, second = desk.say("A", MAIL), desk.say("A", MAIL)
    assert first.text == second.text
    assert desk.dice.used == 0
    after = desk.game
    assert (after.state, after.step, after.version, after.last_seq) == (
        before.state,
        before.step,
        before.version,
        before.last_seq,
    )


def test_after_twenty_tries_a_day_no_more() -> None:
    desk = opened()
    assert {desk.say("A", MAIL).kind for _ in range(20)} == {"preview"}
    answer = desk.say("A", MAIL)
    assert [found["code"] for found in answer.facts["mistakes"]] == ["E39"]
    assert desk.say("B", MAIL.replace("Siam", "India")).kind != "done"


def test_out_of_turn_the_own_turn_is_supposed_on_this_board() -> None:
    answer = opened().say("B", "TRY\nplace 3 in India\nattack Siam from India, all in")
    assert answer.kind == "preview"
    assert "It is Red that is on move, not you" in answer.words


def test_a_mistake_is_told_and_a_yes_tries_again() -> None:
    desk = opened()
    answer = desk.say("A", "TRY\nplace 5 in Siam\nattack Idnai from Siam")
    assert answer.kind == "mistakes"
    assert "| TRY\n" in answer.text
    assert "three dice only, 82% to capture" in answer.words
    assert desk.say("A", "YES").kind == "preview"
    assert desk.dice.used == 0


@pytest.mark.parametrize("mail", ["TRY", "TRY\nhello"])
def test_a_try_of_nothing_is_asked_about(mail: str) -> None:
    assert opened().say("A", mail).kind == "mistakes"


def test_what_a_setting_makes_of_a_failed_attack_counts() -> None:
    desk = Desk("A SIA 5, NGU 3; B IDA 4, CHN 2; C rest 2")
    mail = "TRY\nattack India from Siam, once\nattack China from Siam, once"
    assert re.search(r"Siam - China +100\.0%", desk.say("A", mail).text)
    desk.say("A", "set on fail stop")
    assert "the attacks have stopped before" in desk.say("A", mail).words


def test_the_own_trade_setting_is_reckoned_with() -> None:
    desk = Desk(
        "A SIA 4, NGU 3; B IDA 4; C rest 2",
        phase=Phase.TRADE,
        to_place=3,
        hands={"A": "EGY PRU WILD"},
    )
    desk.say("A", "set trade auto")
    answer = desk.say("A", "TRY\nplace the rest in Siam")
    assert answer.kind == "preview"
