"""Questions to a seat: how long each of them waits for its YES, and what the YES then does."""

from datetime import timedelta

import pytest

from pbem.rules.position import Phase
from pbem.store import proposals, tables
from pbem.store.engine import session
from tests.judge.desk import Desk

CALM = "A SIA 8, NGU 3; B IDA 1, CHN 2; C rest 2"


def opened_for(desk: Desk, seat: str) -> list[str]:
    """The kinds of what a YES of the seat could take."""
    with session(desk.engine) as opened:
        found: list[tables.Proposal] = list(proposals.open_for(opened, desk.id, seat))
    return [proposal.kind for proposal in found]


def corrected(desk: Desk, seat: str, mail: str) -> list[str]:
    answer = desk.say(seat, mail)
    assert answer.kind == "mistakes"
    return [entry["order"] for entry in answer.facts["corrected"]]


@pytest.mark.parametrize(("language", "top"), [("en", "NEXT TURN"), ("it", "PROSSIMO TURNO")])
def test_the_mended_text_of_a_kept_plan_is_kept_and_never_played(language: str, top: str) -> None:
    desk = Desk(CALM, phase=Phase.PLACE, to_place=3)
    desk.say("A", f"set language {language}")
    mended = corrected(desk, "A", "NEXT TURN\nplace 3 in Siamm\nattack Idnai from Siam, once")
    assert mended[0] == top
    assert desk.say("A", "YES").facts["notes"][0]["code"] == "kept-for-next-turn"
    assert desk.dice.used == 0
    assert desk.state.to_place == 3


def test_a_mended_plan_for_later_outlives_the_moves_of_others() -> None:
    desk = Desk(CALM, phase=Phase.PLACE, to_place=3)
    corrected(desk, "B", "NEXT TURN\nplace the rest in Idnai\nattack Siam from India, once")
    desk.say("A", "place 3 in Siam")
    assert desk.say("B", "YES").facts["notes"][0]["code"] == "kept-for-next-turn"


def test_a_mended_plan_for_later_is_void_once_the_turn_has_come() -> None:
    desk = Desk(CALM)
    corrected(desk, "B", "NEXT TURN\nplace the rest in Idnai")
    desk.say("A", "end")
    assert opened_for(desk, "B") == []


def test_a_resignation_waits_for_its_answer_whatever_others_do() -> None:
    desk = Desk(CALM, phase=Phase.PLACE, to_place=3, dice="123456" * 60)
    assert desk.say("B", "resign").codes == ["resign-asked"]
    desk.say("A", "place 3 in Siam")
    desk.say("A", "end")
    assert opened_for(desk, "B") == ["resign"]
    assert desk.say("B", "YES").kind == "note"
    assert desk.seat("B").computer


def test_a_resignation_is_void_for_who_is_out() -> None:
    desk = Desk("A SIA 9, NGU 3; B IDA 1; C rest 2", dice="6 6 6 1", hands={"B": ""})
    desk.say("B", "resign")
    desk.say("A", "attack India from Siam")
    assert "B" in desk.state.eliminated
    assert opened_for(desk, "B") == []
    assert desk.say("B", "YES").facts["mistakes"][0]["code"] == "E32"


def test_what_was_mended_for_an_older_board_is_void() -> None:
    desk = Desk(CALM, phase=Phase.PLACE, to_place=3)
    corrected(desk, "A", "place 3 in Siam\nattack Idnai from Siam, once")
    assert opened_for(desk, "A") == ["corrected"]
    desk.say("A", "place 1 in Siam")
    assert opened_for(desk, "A") == []


@pytest.mark.parametrize(
    ("language", "word"),
    [("en", "Yes, please"), ("it", "sì, grazie"), ("nl", "prima"), ("sl", "V redu.\n\nAna")],
)
def test_yes_plays_what_was_offered(language: str, word: str) -> None:
    desk = Desk(CALM, dice="6 6 6 1")
    desk.say("A", f"set language {language}")
    corrected(desk, "A", "attack Idnai from Siam, once")
    assert desk.say("A", word).kind == "done"
    assert desk.dice.used == 4


@pytest.mark.parametrize("words", ["yes but only once", "yes\nattack India from Siam"])
def test_yes_beside_other_words_plays_nothing(words: str) -> None:
    desk = Desk(CALM)
    corrected(desk, "A", "attack Idnai from Siam, once")
    assert desk.say("A", words).kind in ("mistakes", "not-understood")


def test_tries_with_mistakes_are_not_counted() -> None:
    desk = Desk(CALM)
    for _ in range(21):
        assert desk.say("A", "TRY\nattack Idnai from Siam").kind == "mistakes"
    assert desk.say("A", "TRY\nattack India from Siam").kind == "preview"


def test_the_day_of_the_tries_is_the_players_own() -> None:
    desk = Desk(CALM)
    desk.say("A", "set zone Pacific/Auckland")
    for _ in range(20):
        desk.say("A", "TRY\nattack India from Siam")
    assert desk.say("A", "TRY\nattack India from Siam").kind == "mistakes"
    # It is two in the morning there, and far from midnight in UTC.
    desk.now = desk.now.replace(hour=12) + timedelta(hours=11)
    assert desk.say("A", "TRY\nattack India from Siam").kind == "mistakes"
    desk.now += timedelta(hours=13)
    assert desk.say("A", "TRY\nattack India from Siam").kind == "preview"


def test_a_list_for_the_setup_can_be_tried() -> None:
    desk = Desk("A SIA 9; B IDA 2", phase=Phase.CLAIM)
    answer = desk.say("A", "TRY\nclaim Asia, nearest\nfill Siam 3")
    assert answer.kind == "done"
    assert [line["orders"] for line in answer.facts["lines"]] == [
        ["claim Asia, nearest"],
        ["fill Siam 3"],
    ]
    assert "Only tried: the list was not kept." in answer.words
    assert "Your list is kept" not in answer.words
    assert desk.say("A", "TRY\nclaim Asiaa, nearest").kind == "mistakes"
