"""SET, one key after another: what it keeps, what it does, what it refuses."""

from datetime import UTC, datetime, timedelta

import pytest

from pbem.judge import standing, sweep
from pbem.judge.options import Options
from pbem.rules.position import Phase
from tests.judge.desk import BEGIN, HOUSE, Desk

LOST = "1 1 1  6"


def test_set_alone_lists_every_key_with_its_value() -> None:
    answer = Desk().say("B", "set")
    assert answer.kind == "done"
    for line in (
        "LANGUAGE EN",
        "ZONE UTC",
        "NAME Bruno",
        "TRADE ASK",
        "LATE BORDER",
        "ON FAIL GO ON",
    ):
        assert f"| SET {line}\n" in answer.text
    for line in ("ON MISTAKE NOTHING", "BOARD MAP", "FILE NONE", "REMIND ON", "NEWS EACH"):
        assert f"| SET {line}\n" in answer.text


def test_orders_lists_all_that_stands() -> None:
    desk = Desk()
    desk.say("B", "defend India with 1 when at most 2\nset late place India\nset remind 5h, 1h")
    desk.say("B", "NEXT TURN\nplace the rest in India\nend")
    text = desk.say("B", "orders").text
    for line in (
        "SET LATE PLACE India",
        "SET REMIND 5h, 1h",
        "DEFEND India WITH 1 WHEN AT MOST 2",
        "place the rest in India",
        "end",
    ):
        assert f"| {line}\n" in text


def test_a_setting_can_be_read_again_as_it_is_listed() -> None:
    desk = Desk()
    desk.say("B", "defend asia with 1\nset late place India\naway 3 Feb to 9 Feb\nset remind 5h")
    listed = [line[2:] for line in desk.say("B", "orders").text.splitlines() if line[:2] == "| "]
    other = Desk()
    answer = other.say("B", "\n".join(listed))
    assert answer.kind == "done"
    assert not any(one["refused"] for one in answer.facts["served"])
    assert standing.of(other.seat("B")) == standing.of(desk.seat("B"))


def test_language_zone_and_name_show_in_the_very_answer() -> None:
    desk = Desk()
    answer = desk.say(
        "A", "set zone = europe/rome\nset name Ännchen of Tharau and of the wide world"
    )
    seat = desk.seat("A")
    assert (seat.zone, seat.name) == ("Europe/Rome", "Ännchen of Tharau and of")
    assert "CET" in answer.text
    assert "A Red (you) Ännchen" in answer.text
    desk.say("A", "set language it")
    assert desk.seat("A").language == "it"


@pytest.mark.parametrize(
    "name", ["Bruno", "bruno", "blue", "C", "all", "neutral", "!!!", "anon", "\u200b"]
)
def test_a_name_that_is_taken_or_empty_is_refused(name: str) -> None:
    desk = Desk()
    answer = desk.say("A", f"set name {name}")
    assert answer.kind == "mistakes"
    assert answer.facts["mistakes"][0]["code"] == "E27"
    assert desk.seat("A").name == "Anna"


def test_the_own_colour_may_be_a_name() -> None:
    desk = Desk()
    assert desk.say("A", "set name Red").kind == "done"


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ("set zone Middle/Earth", 'I know no time zone "Middle/Earth"'),
        ("set remind tomorrow", 'I cannot read "tomorrow" as times'),
        ("set remind 0s", "as times"),
        ("set remind 1h 2h 3h 4h 5h 6h", "as times"),
        ("set late place", "There is no territory in that"),
    ],
)
def test_a_value_without_an_effect_is_refused_in_a_sentence(order: str, words: str) -> None:
    desk = Desk()
    answer = desk.say("A", order)
    assert answer.kind == "mistakes"
    assert words in answer.words
    assert desk.seat("A").settings == {}


def test_a_refused_service_does_not_keep_orders_from_being_played() -> None:
    desk = Desk(phase=Phase.PLACE, to_place=3)
    answer = desk.say("A", "set zone Middle/Earth\nplace 3 in Siam")
    assert answer.kind == "done"
    assert desk.state.armies["SIA"] == 11  # type: ignore[index]  # a code
    assert 'I know no time zone "Middle/Earth"' in answer.words


def test_services_are_done_although_the_orders_have_mistakes() -> None:
    desk = Desk(phase=Phase.PLACE, to_place=3)
    answer = desk.say("A", "set board list\nplace 3 in Brazil")
    assert answer.kind == "mistakes"
    assert answer.codes == ["set"]
    assert "BOARD is LIST now." in answer.words
    assert standing.of(desk.seat("A")).values["BOARD"] == "LIST"


def test_late_place_and_nothing_are_what_the_deadline_does() -> None:
    desk = Desk(phase=Phase.PLACE, to_place=3)
    desk.say("A", "set late place New Guinea")
    desk.run_out()
    assert desk.state.armies["NGU"] == 6  # type: ignore[index]  # a code
    desk = Desk(phase=Phase.PLACE, to_place=3)
    desk.say("A", "set late nothing")
    desk.run_out()
    assert sum(desk.state.armies[c] for c in desk.state.held(desk.state.seats[0])) == 11
    assert desk.state.turn == 2
    assert "Armies not placed are lost" in desk.letters("A", "late")[0].words


def test_trade_auto_acts_from_the_next_own_turn_on() -> None:
    hand = {"A": "EGY PRU WILD"}
    desk = Desk(phase=Phase.TRADE, to_place=3, hands=hand)
    answer = desk.say("A", "set trade auto\nplace 3 in Siam")
    assert "TRADE is AUTO from your next turn on." in answer.words
    assert len(desk.state.hand) == 3


def test_trade_auto_trades_where_a_plan_says_nothing_of_it() -> None:
    hand = {"B": "EGY PRU WILD"}
    desk = Desk(phase=Phase.ATTACK, hands=hand, deck="ALA BRA")
    desk.say("B", "set trade auto")
    desk.say("A", "end")
    answer = desk.say("B", "place the rest in India\nend")
    assert answer.kind == "done"
    assert desk.state.hands[desk.state.seats[1]] == ()
    assert desk.state.armies["IDA"] == 1 + 3 + 4  # type: ignore[index]  # a code
    assert "| trade auto" in answer.text


def test_trade_auto_leaves_a_plan_alone_that_says_what_to_trade() -> None:
    desk = Desk(hands={"B": "EGY PRU WILD"}, deck="ALA BRA")
    desk.say("B", "set trade auto")
    desk.say("A", "end")
    desk.say("B", "trade none\nplace 3 in India\nend")
    assert len(desk.state.hands[desk.state.seats[1]]) == 3


def test_a_forced_trade_without_a_line_is_exactly_the_announced_set() -> None:
    """Nothing new may happen: the set that the letter marks is the one that is traded."""
    desk = Desk(hands={"B": "EGY PRU ALA BRA WILD"}, deck="JPN")
    desk.say("A", "end")
    call = desk.letters("B", "turn-call")[-1]
    announced = next(
        line for line in call.text.splitlines() if "this one, if you name none" in line
    )
    places = [int(number) - 1 for number in announced.split()[:3]]
    kept = [card for place, card in enumerate(desk.state.hand) if place not in places]
    desk.say("B", "place the rest in India")
    assert list(desk.state.hand) == kept


def test_on_fail_stop_acts_on_later_mails_only() -> None:
    plan = "attack India from Siam, once\nattack China from Siam, once"
    desk = Desk(dice=LOST + LOST + "6")
    desk.say("A", f"set on fail stop\n{plan}")
    assert desk.dice.left == 0 or desk.dice.used > 4
    desk = Desk(dice=LOST)
    desk.say("A", "set on fail stop")
    answer = desk.say("A", plan)
    assert answer.facts["skipped"] == [2]
    assert desk.dice.used == 4


def test_on_fail_pause_keeps_the_rest() -> None:
    desk = Desk(dice=LOST)
    desk.say("A", "set on fail pause")
    answer = desk.say("A", "attack India from Siam, once\nattack China from Siam, once")
    assert answer.kind == "paused"
    assert len(answer.facts["kept"]) == 1


def test_run_before_it_plays_the_lines_above_the_first_mistake() -> None:
    desk = Desk(phase=Phase.PLACE, to_place=3)
    desk.say("A", "set on mistake run before it")
    answer = desk.say("A", "place 3 in Siam\nattack Idnai from Siam\nend")
    assert answer.kind == "mistakes"
    assert desk.state.armies["SIA"] == 11  # type: ignore[index]  # a code
    assert desk.state.turn == 1
    assert "The orders above the first mistake were played" in answer.words
    assert answer.mail["X-PBEM-State"].split()[2] == "step=2"


def test_without_it_nothing_of_a_mail_with_a_mistake_is_played() -> None:
    desk = Desk(phase=Phase.PLACE, to_place=3)
    desk.say("A", "place 3 in Siam\nattack Idnai from Siam")
    assert desk.state.armies["SIA"] == 8  # type: ignore[index]  # a code


def test_news_off_sends_no_reports() -> None:
    desk = Desk()
    desk.say("C", "set news off")
    desk.say("A", "end")
    assert [letter.kind for letter in desk.letters("C")] == ["done"]


def test_remind_takes_the_seats_own_times_at_once() -> None:
    desk = Desk()
    end = BEGIN + timedelta(hours=48)
    desk.say("A", "set remind 10h and 90m")
    assert desk.game.next_reminder_at == end - timedelta(hours=10)
    at = end - timedelta(hours=10)
    sweep.remind(desk.engine, HOUSE, desk.id, at)
    assert desk.game.next_reminder_at == end - timedelta(minutes=90)
    assert [r.facts["left"] for r in desk.letters("A", "reminder")] == [36_000]


def test_remind_can_be_switched_off_and_on_within_a_turn() -> None:
    desk = Desk()
    times = []
    for value in ("off", "on"):
        desk.say("A", f"set remind {value}")
        times.append(desk.game.next_reminder_at)
    assert times == [None, BEGIN + timedelta(hours=24)]


def test_remind_off_lasts_over_turns() -> None:
    desk = Desk()
    desk.say("B", "set remind off")
    desk.say("A", "end")
    assert desk.game.on_turn == "B"
    assert desk.game.next_reminder_at is None


def test_times_longer_than_the_pace_remind_nobody() -> None:
    seat = Desk().seat("A")
    standing.put(seat, "REMIND", "3600 360000")
    assert standing.of(seat).reminders(Options(pace=7200)) == (timedelta(hours=1),)


def test_a_day_has_so_many_of_a_thing() -> None:
    seat = Desk().seat("A")
    noon = datetime(2026, 1, 5, 12, tzinfo=UTC)
    assert [standing.spend(seat, "try", noon, 2) for _ in range(3)] == [True, True, False]
    assert standing.spend(seat, "try", noon + timedelta(hours=12), 2)


def test_the_board_as_a_list_comes_at_once() -> None:
    answer = Desk().say("A", "set board list\nboard")
    assert "\nIndia: Blue, 1\n" in answer.text
    assert "IDA India" not in answer.text


def test_a_mail_in_another_language_is_offered_that_language() -> None:
    desk = Desk()
    answer = desk.say("A", "Val India aan vanuit Siam, houd 4\nanders pauze")
    assert answer.kind == "mistakes"
    assert "Do you write in Dutch?" in answer.words
    assert "| SET LANGUAGE NL\n" in answer.text
    assert "SET LANGUAGE" not in desk.say("A", "attack Idnai from Siam").text
    desk.say("A", "SET LANGUAGE NL")
    assert desk.say("A", "probeer\nVal India aan vanuit Siam, houd 4").kind == "preview"
