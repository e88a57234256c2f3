"""TAKE BACK by mail: until the first roll, and what it does to the letters."""

from pbem.rules.position import Phase
from tests.judge.desk import Desk

FRONT = "A SIA 4, NGU 3; B IDA 4, CHN 2; C rest 2"


def test_placements_of_an_earlier_mail_are_taken_back_before_the_first_roll() -> None:
    desk = Desk(FRONT, phase=Phase.PLACE, to_place=5, dice="666 11  666 11")
    desk.say("A", "place 5 in New Guinea")
    answer = desk.say("A", "take back\nplace 5 in Siam")
    assert answer.kind == "done"
    assert "You took 5 in New Guinea back into your hand." in answer.words
    assert (desk.state.armies["SIA"], desk.state.armies["NGU"]) == (9, 3)  # type: ignore[index]
    desk.say("A", "attack India from Siam")
    late = desk.say("A", "take back")
    assert [found["code"] for found in late.facts["mistakes"]] == ["E31"]
    assert "dice have rolled in this turn" in late.words


def test_the_same_placement_after_a_take_back_is_a_new_one() -> None:
    desk = Desk(FRONT, phase=Phase.PLACE, to_place=5)
    desk.say("A", "place 5 in Siam")
    desk.say("A", "take back")
    answer = desk.say("A", "place 5 in Siam")
    assert answer.facts["repeated"] is None
    assert desk.state.armies["SIA"] == 9  # type: ignore[index]
