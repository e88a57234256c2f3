"""Games in which one mail is a turn (`turns` single)."""

from pbem.rules.position import Phase
from tests.judge.desk import Desk

FRONT = "A SIA 4, NGU 3; B IDA 4, CHN 2; C rest 2"


def single(dice: str = "") -> Desk:
    return Desk(FRONT, phase=Phase.PLACE, to_place=5, dice=dice, chosen={"turns": "single"})


def test_the_end_of_the_first_accepted_mail_closes_the_turn() -> None:
    desk = single("111 66")
    answer = desk.say("A", "place 5 in Siam\nattack India from Siam, once")
    assert answer.facts["closed"]
    assert desk.state.on_turn == "B"


def test_a_mail_with_a_mistake_does_not_use_the_turn_up() -> None:
    desk = single()
    assert desk.say("A", "place 3 in Siam").facts["mistakes"][0]["code"] == "E04"
    assert desk.say("A", "TRY\nplace 5 in Siam").kind == "preview"
    assert desk.say("A", "board").kind == "done"
    assert desk.state.on_turn == "A"
    assert desk.say("A", "place 5 in Siam").facts["closed"]


def test_a_pause_waits_and_the_next_mail_closes() -> None:
    desk = single("111 66")
    mail = "place 5 in Siam\nattack India from Siam, once, else pause\nfortify 1 from Siam to India"
    asked = desk.say("A", mail)
    assert asked.kind == "paused"
    assert desk.state.on_turn == "A"
    assert desk.say("A", "CONTINUE").facts["closed"]
