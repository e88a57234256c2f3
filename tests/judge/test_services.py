"""Services beside orders: one answer a mail, and what each of them does."""

from datetime import timedelta

import pytest

from pbem.judge import absence, intake, standing
from pbem.judge.house import House
from pbem.rules.position import Phase
from pbem.store import games
from pbem.store.engine import session
from pbem.store.tables import SeatStatus
from tests.judge.desk import BEGIN, GM, HOUSE, Desk

CALM = "A SIA 2; B IDA 3; C rest 3"
"""A board on which the computer attacks nobody."""
WON, LOST = "6 6 6  1", "1 1 1  6"


def test_help_history_and_stats_alone_have_kinds_of_their_own() -> None:
    desk = Desk(dice=WON)
    desk.say("A", "attack India from Siam\nend")
    assert [desk.say("C", word).kind for word in ("help", "history", "stats")] == [
        "help",
        "history",
        "stats",
    ]


@pytest.mark.parametrize("word", ["board", "hand", "orders", "set", "set board map"])
def test_the_others_are_answered_by_done(word: str) -> None:
    answer = Desk().say("B", word)
    assert answer.kind == "done"
    assert len(answer.mail["X-PBEM-State"].split()) == 6


def test_several_services_in_one_mail_are_all_done_in_one_answer() -> None:
    desk = Desk(phase=Phase.PLACE, to_place=3)
    answer = desk.say("A", "set late nothing\nhelp attack\nplace 3 in Siam\nstats")
    assert answer.kind == "done"
    assert answer.codes == ["set"]
    assert "HOW FAR AN ATTACK GOES" in answer.text
    assert "A TURN, IN THIS ORDER" not in answer.text
    assert "Nothing was rolled yet." in answer.text
    assert desk.state.armies["SIA"] == 11  # type: ignore[index]  # a code


def test_a_topic_that_has_no_help_says_so() -> None:
    assert 'I have no help of its own on "weather"' in Desk().say("A", "help weather").words


def test_a_mail_with_mistakes_shows_hand_and_board_if_asked_for() -> None:
    answer = Desk(hands={"A": "EGY"}).say("A", "board\nhand\nattack Idnai from Siam")
    assert answer.kind == "mistakes"
    assert "Egypt, soldier" in answer.text
    assert "IDA India" in answer.text


def test_an_empty_hand_is_named_for_who_asks_for_it_alone() -> None:
    desk = Desk()
    assert "You hold no cards." in desk.say("A", "hand").words
    assert "You hold no cards." not in desk.say("A", "board").words


def test_the_mission_comes_with_the_hand() -> None:
    desk = Desk(options={"goal": "missions"}, missions={"A": "occupy-18x2"})
    assert "YOUR MISSION (ONLY YOU SEE IT)" in desk.say("A", "hand").text
    assert "MISSION" not in desk.say("A", "board").text


def test_the_same_mail_again_does_its_services_only_once() -> None:
    desk = Desk(phase=Phase.PLACE, to_place=3)
    mail = "say Bruno: hello\nend say\nplace 3 in Siam"
    desk.say("A", mail)
    again = desk.say("A", mail, step=1)
    assert again.facts["repeated"] is not None
    assert again.codes == []
    assert len(desk.letters("B", "press")) == 1


def test_a_yes_to_stale_orders_does_not_do_their_services_again() -> None:
    desk = Desk(phase=Phase.PLACE, to_place=3)
    desk.say("A", "place 1 in Siam")
    stale = desk.say("A", "newkey\nplace 1 in Siam\nplace 1 in New Guinea", step=1)
    assert (stale.kind, stale.codes) == ("mistakes", ["newkey"])
    assert desk.say("A", "yes").kind == "done"
    assert desk.seat("A").key_epoch == 1


def test_history_tells_closed_turns_through_the_gate() -> None:
    desk = Desk(dice=WON, deck="EGY ALA")
    desk.say("A", "attack India from Siam\nend")
    told = desk.say("C", "history 1").words
    assert "Turn 1: Red took India".upper() in told
    assert "Red drew a card." in told
    assert "Egypt, soldier" not in told
    assert "You drew a card: Egypt, soldier." in desk.say("A", "history 1").words


def test_history_of_an_open_turn_is_for_its_own_seat() -> None:
    desk = Desk(dice=WON)
    desk.say("A", "attack India from Siam")
    assert desk.say("C", "history 1").kind == "mistakes"
    assert desk.say("A", "history 1-9").kind == "history"
    assert desk.say("A", "history 7").kind == "mistakes"


def test_stats_count_the_dice_of_both_sides() -> None:
    desk = Desk(dice=LOST + WON)
    desk.say("A", "attack India from Siam")
    words = desk.say("C", "stats").words
    assert "Red: 6 dice thrown; faces 1 to 6 came 3, 0, 0, 0, 0, 3 times." in words
    assert "Lost 1 army, destroyed 1 army, took 1 territory." in words


def test_defence_is_rolled_as_ordered_and_told_to_its_seat_alone() -> None:
    desk = Desk("A SIA 8; B IDA 2; C rest 1", dice="1 1 1 6")
    answer = desk.say("B", "defend India with 1")
    assert "Defence of India with 1 die." in answer.words
    desk.say("A", "attack India from Siam, once")
    assert desk.dice.used == 4
    others = [letter for letter in desk.letters() if letter.row.seat != "B"]
    assert others
    assert not any("efence" in letter.everything for letter in others)


@pytest.mark.parametrize(
    ("orders", "dice"),
    [
        ("defend all with 1", 1),
        ("defend all with 1\ndefend India with 2", 2),
        ("defend India with 2\ndefend asia with 1", 2),
        ("defend asia with 1\ndefend all with 2", 1),
        ("defend India with 1 when at most 2", 2),
        ("defend India with 1 when at most 3", 1),
        ("defend India with 1\ndefend India with 2", 2),
        ("defend China with 1", 2),
        ("defend neutral with 1", 2),
    ],
)
def test_the_defence_that_names_the_place_best_counts(orders: str, dice: int) -> None:
    desk = Desk("A SIA 8; B IDA 3; C rest 1", dice="1 1 1 6 6")
    desk.say("B", orders)
    desk.say("A", "attack India from Siam, once")
    assert desk.dice.used == 3 + dice


def test_where_the_defence_rolls_the_most_it_cannot_be_ordered() -> None:
    desk = Desk(options={"defence_dice": "max"})
    assert desk.say("B", "defend all with 1").facts["mistakes"][0]["code"] == "E27"


def test_away_moves_the_own_deadline_to_the_day_after() -> None:
    desk = Desk()
    answer = desk.say("A", "away 6 Jan to 9 Jan")
    assert desk.game.deadline == BEGIN + timedelta(days=5)
    assert "Sat 10 Jan, 12:00 UTC" in answer.words
    assert "away from Tue 6 Jan 2026 to Fri 9 Jan 2026" in answer.words
    (note,) = desk.letters(GM)
    assert "Red (Anna) is away from Tue 6 Jan 2026 to Fri 9 Jan 2026." in note.words
    desk.say("A", "end")
    assert desk.game.deadline == desk.now + timedelta(hours=48)


def test_away_moves_a_deadline_that_is_set_later() -> None:
    desk = Desk()
    desk.say("B", "away 6 to 8 January")
    desk.say("A", "end")
    assert desk.game.deadline == desk.now + timedelta(days=4)


@pytest.mark.parametrize(
    ("days", "code"),
    [
        ("soon", "away-unreadable"),
        ("31 Feb to 9 Mar", "away-unreadable"),
        ("9 Feb 2026 to 3 Feb 2026", "away-order"),
        ("2020-01-01 to 2020-01-03", "away-order"),
        ("1 Feb to 1 Apr", "away-long"),
    ],
)
def test_days_that_make_no_sense_are_refused(days: str, code: str) -> None:
    answer = Desk().say("A", f"away {days}")
    assert answer.facts["mistakes"][0]["facts"]["refused"] == code


def test_days_are_read_as_people_write_them() -> None:
    today = BEGIN.date()
    for first, last, language in (
        ("3 Feb", "9 Feb", "en"),
        ("3", "9 February", "en"),
        ("3. 2.", "9. 2.", "sl"),
        ("2026-02-03", "2026-02-09", "it"),
        ("3 febbraio", "9 febb 2026", "it"),
        ("3. februarja", "9. feb.", "sl"),
    ):
        read = absence.read(first, last, language, today)
        assert (read.first.isoformat(), read.last.isoformat()) == ("2026-02-03", "2026-02-09")


def test_newkey_closes_the_old_addresses_and_calls_anew() -> None:
    desk = Desk()
    before = desk.say("A", "board")
    answer = desk.say("A", "newkey")
    assert not desk.is_open(before.mail["Reply-To"].addresses[0].addr_spec, "A")
    assert desk.is_open(answer.mail["Reply-To"].addresses[0].addr_spec, "A")
    (call,) = desk.letters("A", "turn-call")
    assert desk.is_open(call.mail["Reply-To"].addresses[0].addr_spec, "A")


def test_stop_mail_stops_all_but_answers_until_the_player_writes_again() -> None:
    desk = Desk()
    desk.say("C", "stop mail")
    assert any("no more letters" in note.words for note in desk.letters(GM))
    desk.say("A", "end")
    assert [letter.kind for letter in desk.letters("C")] == ["done"]
    assert desk.say("C", "board").codes == ["letters-again"]
    desk.say("B", "place 3 in India\nend")
    assert [letter.kind for letter in desk.letters("C")][-1] == "turn-call"


def test_resign_asks_once_and_the_computer_plays_on() -> None:
    desk = Desk(CALM)
    old = desk.say("A", "board").mail["Reply-To"].addresses[0].addr_spec
    assert desk.say("A", "resign").codes == ["resign-asked"]
    assert not desk.seat("A").computer
    answer = desk.say("A", "yes")
    assert answer.kind == "note"
    assert "You have resigned" in answer.words
    assert answer.row.to_address == "anna@people.example"
    assert "play+" not in answer.everything
    assert desk.seat("A").computer
    assert not desk.is_open(old, "A")
    assert desk.game.turn > 1
    for other in ("B", "C"):
        (news,) = desk.letters(other, "note")
        assert "Anna has resigned. The computer plays Red from now on." in news.words
    assert [letter.row.to_address for letter in desk.letters("A")][-1] == "anna@people.example"
    with session(desk.engine) as opened:
        assert intake.refuse_recipient(opened, HOUSE, old, desk.now) is not None


def test_no_keeps_the_seat() -> None:
    desk = Desk()
    desk.say("A", "resign")
    assert desk.say("A", "no").kind == "done"
    assert desk.say("A", "yes").facts["mistakes"][0]["code"] == "E32"
    assert desk.seat("A").address is not None


def test_the_game_master_can_be_the_heir() -> None:
    desk = Desk(chosen={"vacant": "gm"})
    desk.say("A", "resign")
    answer = desk.say("A", "yes")
    assert desk.seat("A").address == GM
    assert "play+" not in answer.everything
    (call,) = desk.letters("A", "turn-call")
    assert call.row.to_address == GM
    desk.say("A", "end")
    assert desk.game.on_turn == "B"


def test_without_a_game_master_the_computer_takes_the_seat() -> None:
    desk = Desk(CALM, chosen={"vacant": "gm"}, house=House(domain="h.example", secret=b"x"))
    desk.say("A", "resign")
    desk.say("A", "yes")
    assert desk.seat("A").computer


@pytest.mark.parametrize("mail", ["resign\nend", "resign\nboard"])
def test_resign_beside_other_words_is_refused(mail: str) -> None:
    desk = Desk()
    desk.say("A", mail)
    assert desk.say("A", "yes").kind == "mistakes"
    assert desk.seat("A").address is not None


def test_orders_for_the_next_turn_run_when_it_begins() -> None:
    desk = Desk()
    kept = desk.say("B", "NEXT TURN\nplace the rest in India\nend")
    assert kept.kind == "done"
    assert "kept for your next turn" in kept.words
    desk.say("A", "end")
    assert desk.game.on_turn == "C"
    assert desk.state.armies["IDA"] == 4  # type: ignore[index]  # a code
    done = desk.letters("B", "done")[-1]
    assert done.mail["In-Reply-To"] is None
    assert "orders that you had kept for it were played" in done.words
    assert desk.letters("B", "turn-call") == []
    assert standing.of(desk.seat("B")).next_turn == ()


def test_kept_orders_that_no_longer_fit_are_told_in_the_turn_call() -> None:
    desk = Desk(dice=WON)
    desk.say("B", "NEXT TURN\nplace 3 in India\nend")
    desk.say("A", "attack India from Siam\nend")
    assert desk.game.on_turn == "B"
    (call,) = desk.letters("B", "turn-call")
    assert "none of them was played" in call.words
    assert "India belongs to Red" in call.words
    assert desk.state.to_place == 3


def test_what_cannot_be_read_is_not_kept() -> None:
    desk = Desk()
    assert desk.say("B", "NEXT TURN\nplace 3 in Idnai").kind == "mistakes"
    assert standing.of(desk.seat("B")).next_turn == ()


def test_cancel_drops_a_kept_plan() -> None:
    desk = Desk()
    desk.say("B", "NEXT TURN\nplace the rest in India\nend")
    assert "dropped" in desk.say("B", "cancel").words
    assert desk.say("B", "cancel").facts["mistakes"][0]["code"] == "E32"
    desk.say("A", "end")
    assert desk.game.on_turn == "B"


def test_cancel_drops_a_paused_plan_first() -> None:
    desk = Desk(dice=LOST)
    desk.say("A", "NEXT TURN\nplace the rest in Siam")
    paused = "attack India from Siam, once, else pause\nattack China from Siam, once"
    assert desk.say("A", paused).kind == "paused"
    desk.say("A", "cancel")
    assert standing.of(desk.seat("A")).next_turn != ()
    assert desk.say("A", "continue").facts["mistakes"][0]["code"] == "E32"


def test_orders_kept_in_the_own_turn_wait_for_the_next_one() -> None:
    desk = Desk()
    desk.say("A", "NEXT TURN\nplace the rest in Siam\nend")
    assert desk.state.turn == 1
    assert desk.state.armies["SIA"] == 8  # type: ignore[index]  # a code


def test_the_history_of_the_open_turn_says_that_it_is_not_over() -> None:
    desk = Desk(dice=WON, deck="EGY")
    assert "TURN 1 SO FAR" in desk.say("A", "history 1").text
    desk.say("A", "end")
    assert "TURN 1: RED TOOK NOTHING" in desk.say("A", "history 1").text


def test_services_are_heard_before_the_game_begins() -> None:
    desk = Desk(phase=Phase.INVITED, turn=0)
    answer = desk.say("B", "set zone Europe/Rome")
    assert answer.kind == "done"
    assert "The game has not begun yet." in answer.words


def test_a_service_before_the_yes_says_that_the_invitation_is_not_answered() -> None:
    desk = Desk(phase=Phase.INVITED, turn=0)
    with session(desk.engine) as opened:
        seat = games.seat(opened, desk.id, "B")
        assert seat is not None
        seat.status = SeatStatus.INVITED
        opened.add(seat)
    answer = desk.say("B", "yes, gladly\nLUCK mango")
    assert (answer.kind, answer.codes) == ("done", ["luck"])
    assert "Answer the invitation with the one word YES or NO." in answer.words
    assert "SIA Siam" not in answer.everything


def test_a_second_yes_takes_nothing_that_came_after_the_first() -> None:
    desk = Desk(dice="6 6 6 1")
    desk.say("A", "attack Idnai from Siam\npause\nattack China from Siam, all in")
    assert desk.say("A", "yes", step=1).kind == "paused"
    version = desk.game.version
    again = desk.say("A", "yes", step=1)
    assert (again.kind, desk.game.version) == ("done", version)
    assert again.facts["repeated"] is not None


def test_a_yes_may_bring_services_along() -> None:
    desk = Desk()
    assert desk.say("A", "attack Idnai from Siam, keep 8").kind == "mistakes"
    answer = desk.say("A", "yes\nset board list")
    assert (answer.kind, answer.codes) == ("done", ["set"])
    assert answer.facts["lines"] != []


def test_the_answer_to_an_invitation_may_bring_services_along() -> None:
    desk = Desk(phase=Phase.INVITED, turn=0)
    answer = desk.say("B", "yes\nset zone Europe/Rome")
    assert answer.kind == "joined"
    assert "ZONE is Europe/Rome now." in answer.words
    assert desk.seat("B").zone == "Europe/Rome"


def test_a_second_yes_to_an_invitation_is_told_the_same_again() -> None:
    desk = Desk(phase=Phase.INVITED, turn=0)
    assert [desk.say("B", "yes").kind for _ in range(2)] == ["joined", "joined"]
    assert desk.state.phase is Phase.INVITED


@pytest.mark.parametrize(
    "mail",
    [
        f"history {10**30}",
        f"history 1-{10**30}",
        f"defend all with 1 when at most {10**30}",
        f"set remind {10**30}s",
        "away 99 Dec to 0 Jan",
        "away 0000-00-00 to 9999-99-99",
        "away 9999-12-31",
        "say all:",
        "set name " + "\u0301" * 400,
        "set zone " + "../" * 100 + "etc/passwd",
        "help " + "{{ 7919*7907 }}%(n)s" * 50,
    ],
)
def test_whatever_is_asked_for_is_answered(mail: str) -> None:
    answer = Desk().say("A", mail)
    assert answer.kind in ("done", "mistakes", "help")
    assert str(7919 * 7907) not in answer.text


def test_a_plan_kept_before_the_first_turn_runs_in_it() -> None:
    desk = Desk(phase=Phase.FILL, turn=0, reserve={"A": 2, "B": 2, "C": 2}, dice="6 1 1")
    kept = desk.say("A", "NEXT TURN\nplace the rest in Siam\nend")
    assert "kept for your next turn" in kept.words
    for seat, place in (("A", "Siam"), ("B", "India"), ("C", "Brazil")):
        desk.say(seat, f"fill {place} 2")
    assert desk.state.turn == 2
    assert desk.letters("A", "turn-call") == []
