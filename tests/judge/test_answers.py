"""What an answer says of a mail that did nothing, and what it proposes."""

import pytest

from pbem.judge import examples
from pbem.rules.position import Phase
from pbem.rules.seat import Seat
from pbem.rules.view import view
from tests.judge.desk import Desk

BEATEN = "A SIA 2, IDO 3; B IDA 3; C rest 3"


def test_prose_alone_is_quoted_back_and_not_called_empty() -> None:
    answer = Desk().say("A", "xyzzy frobnicate")
    assert answer.kind == "not-understood"
    assert "no order in the mail" in answer.words
    assert 'I ignored "xyzzy frobnicate".' in answer.words
    assert answer.mail["Subject"] == "[g1] Nothing was done"


@pytest.mark.parametrize("mail", ["", "thanks!", "xyzzy frobnicate"])
def test_a_mail_without_orders_is_told_what_could_be_ordered(mail: str) -> None:
    desk = Desk()
    answer = desk.say("A", mail).text
    assert [line for line in answer.splitlines() if line.startswith("| ")] == [
        f"| {order}" for order in examples.turn(view(desk.state, Seat("A")), "en")
    ]
    assert "| end" in answer
    assert "| end" not in desk.say("B", mail).text


def test_of_much_that_was_ignored_only_the_beginning_is_quoted() -> None:
    prose = [f"xyzzy frobnicate {chr(97 + n)}" for n in range(20)]
    words = Desk().say("A", "\n".join(prose)).words
    assert all(line in words for line in prose[:6])
    assert not any(line in words for line in prose[6:])
    assert "more of that kind (14)" in words


def test_prose_in_answer_to_an_invitation_is_asked_for_yes_or_no() -> None:
    answer = Desk(phase=Phase.INVITED).say("A", "who else will be there?")
    assert "with the one word YES or NO" in answer.words


def test_a_mail_without_text_is_called_empty() -> None:
    answer = Desk().say("A", "\n \n")
    assert answer.kind == "not-understood"
    assert "There was no text of yours" in answer.words
    assert answer.mail["Subject"] == "[g1] I could not read your mail"


def test_orders_for_an_earlier_step_of_the_turn_name_the_steps() -> None:
    answer = Desk().say("A", "attack India from Siam", step=0)
    assert "the board of step 0, but step 1 is current" in answer.words


def test_orders_for_an_earlier_turn_name_the_turns() -> None:
    desk = Desk()
    now = desk.state.turn
    answer = desk.say("A", "attack India from Siam", turn=now - 1)
    assert f"the board of turn {now - 1}, but turn {now} is current" in answer.words


def test_no_attack_is_proposed_that_three_dice_cannot_begin() -> None:
    seen = view(Desk(BEATEN, phase=Phase.ATTACK).state, Seat("A"))
    assert [line for line in examples.turn(seen, "en") if line.startswith("attack")] == []


def test_the_proposed_attack_begins_where_most_armies_stand() -> None:
    seen = view(Desk("A SIA 2, IDO 6; B IDA 3; C rest 3", phase=Phase.ATTACK).state, Seat("A"))
    (attack,) = (line for line in examples.turn(seen, "en") if line.startswith("attack"))
    assert "from Indonesia" in attack


@pytest.mark.parametrize("mode", ["", "NEXT TURN\n", "TRY\n"])
def test_who_is_out_of_the_game_has_no_turn_to_wait_for(mode: str) -> None:
    desk = Desk("A SIA 8; C rest 1", phase=Phase.PLACE, to_place=3, eliminated=("B",))
    answer = desk.say("B", f"{mode}place 3 in Siam")
    assert (answer.kind, answer.facts["mistakes"][0]["code"]) == ("mistakes", "E19")
    assert "You are out of the game" in answer.words
    assert "next turn" not in answer.words
    assert desk.seat("B").settings == {}
