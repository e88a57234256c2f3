"""What becomes of seats that miss turns or resign; the bank, the session, rounds."""

from datetime import timedelta

import pytest

from pbem.judge.export import export
from pbem.judge.sweep import sweep
from pbem.rules.position import Phase
from pbem.rules.seat import NEUTRAL, Seat
from pbem.rules.verify import verify
from pbem.store import games
from pbem.store.engine import session
from tests.judge.desk import GM, HOUSE, Desk
from tests.judge.year import HOUR, MINUTE, Manner, Year, at, facts

BEGIN = at("2026-01-05 12:00")
DRAWING = "A SIA 8, NGU 3; B IDA 1, CHN 2; C rest 1"


def silent_c(**chosen: str) -> Year:
    """Anna and Bruno play, Carla is silent: until her third miss, and a day more."""
    manners: dict[str, Manner] = {
        "A": lambda called, _end: called + HOUR,
        "B": lambda called, _end: called + HOUR,
        "C": lambda _called, _end: None,
    }
    year = Year(BEGIN, manners, None, seats=3, **{"pace": "24h", **chosen})
    while len([t for t in year.turns if t.seat == "C" and t.closed]) < 3:
        year.run(year.now + timedelta(days=1))
    return year


def test_the_computer_plays_for_who_is_absent_and_gives_the_seat_back() -> None:
    year = silent_c()
    seat = year.seat("C")
    assert (seat.computer, seat.address, seat.open_since) == (True, "yellow@people.example", None)
    before = year.state.turn
    year.run(year.now + timedelta(days=2))
    assert year.state.turn > before + 3
    year.send("C", "hello, I am back")
    assert not year.seat("C").computer
    answer = year.letters("done", to="C")[-1]
    assert [one["code"] for one in facts(answer)["served"]] == ["back"]
    assert len(year.notes("came-back")) == 3


def test_a_turn_of_the_computer_that_is_open_is_the_players_when_they_are_back() -> None:
    desk = Desk(drawing=DRAWING, to_place=3, phase=Phase.PLACE)
    with session(desk.engine) as opened:
        seat = games.seat(opened, desk.id, "A")
        assert seat is not None
        seat.computer = True
        opened.add(seat)
        games.lock(opened, desk.id).deadline = None
    answer = desk.say("A", "place 3 in Siam")
    assert answer.codes == ["back"]
    assert desk.state.armies["SIA"] == 11  # type: ignore[index]  # a code
    assert desk.game.deadline == desk.now + 48 * HOUR


def test_a_replacement_is_sought_while_the_computer_plays() -> None:
    year = silent_c(vacant="replacement")
    seat = year.seat("C")
    assert seat.computer
    assert seat.open_since is not None
    (told,) = (n for n in year.notes("taken") if n.to_address == GM)
    assert facts(told)["told"] == {"seat": "C", "how": "replacement", "game": "g1"}
    year.send("C", "end")
    assert year.seat("C").open_since is None


def test_a_seat_becomes_neutral_and_the_record_is_proved() -> None:
    year = silent_c(vacant="neutral")
    state = year.state
    assert NEUTRAL in state.owner.values()
    assert Seat("C") not in state.owner.values()
    assert state.standing == (Seat("A"), Seat("B"))
    assert len(year.notes("taken")) == 4
    year.run(year.now + timedelta(days=2))
    assert {t.seat for t in year.turns[-3:]} == {"A", "B"}


def test_with_gm_nothing_happens_but_that_the_gm_is_told() -> None:
    year = silent_c(vacant="gm")
    assert not year.seat("C").computer
    assert year.notes("taken") == year.notes("last-chance") == []
    assert len(year.notes("missed")) == 2


def test_the_warning_reaches_who_switched_reminders_off() -> None:
    manners: dict[str, Manner] = {
        "A": lambda called, _end: called + HOUR,
        "B": lambda called, _end: called + HOUR,
        "C": lambda _called, _end: None,
    }
    year = Year(BEGIN, manners, {BEGIN: ("C", "set remind off")}, seats=3, pace="24h")
    year.run(BEGIN + timedelta(days=8))
    assert year.letters("reminder", to="C") == []
    assert len(year.notes("last-chance", to="C")) == 1


def test_resigning_leaves_a_neutral_army_or_an_open_seat() -> None:
    desk = Desk(drawing=DRAWING, chosen={"vacant": "neutral"})
    desk.say("A", "resign")
    desk.say("A", "yes")
    assert desk.state.owner["SIA"] == NEUTRAL  # type: ignore[index]  # a code
    assert desk.state.on_turn == "B"
    desk = Desk(drawing=DRAWING, chosen={"vacant": "replacement"})
    desk.say("B", "resign")
    desk.say("B", "yes")
    assert desk.seat("B").open_since == desk.now
    (note,) = desk.letters(GM, "note")
    assert "pbem game replace g1 B ADDRESS" in note.words


# -- time ------------------------------------------------------------------------------------------


def test_time_saved_by_quick_play_is_spent_at_a_deadline() -> None:
    desk = Desk(drawing=DRAWING, chosen={"time_bank": "24h"})
    desk.say("A", "end")
    assert desk.seat("A").time_saved == 24 * 3600
    with session(desk.engine) as opened:
        seat = games.seat(opened, desk.id, "B")
        assert seat is not None
        seat.time_saved = 5 * 3600
        opened.add(seat)
    before = desk.game.deadline
    assert before is not None
    desk.run_out()
    assert (desk.state.on_turn, desk.game.deadline) == ("B", before + 5 * HOUR)
    assert desk.seat("B").time_saved == 0
    (note,) = desk.letters("B", "note")
    assert note.facts["about"] == "time-bank"
    desk.run_out()
    assert desk.state.on_turn == "C"


def test_the_first_roll_begins_the_session() -> None:
    desk = Desk(drawing=DRAWING, dice="6 6 6 1 6 6 6 5 4", chosen={"session": "3h"})
    desk.say("A", "attack India from Siam")
    assert desk.game.deadline == desk.now + 3 * HOUR
    ends = desk.game.deadline
    desk.say("A", "attack China from Siam, once")
    assert desk.game.deadline == ends


def test_the_last_round_ends_the_game() -> None:
    desk = Desk(drawing=DRAWING, chosen={"round_limit": "1"})
    desk.say("A", "end")
    for letter, place in (("B", "China"), ("C", "Brazil")):
        answer = desk.say(letter, f"place the rest in {place}\nend")
        assert answer.kind == "done"
    assert desk.state.phase is Phase.OVER
    assert desk.state.winner == "C"
    over = desk.letters("A", "game-over")[0]
    assert "The game has come to its last turn, 3." in over.words


def test_a_missed_turn_earns_no_card_beyond_a_capture_already_made() -> None:
    desk = Desk(drawing=DRAWING, deck="EGY PRU")
    desk.run_out()
    assert desk.state.hands[Seat("A")] == ()
    desk = Desk(drawing=DRAWING, dice="6 6 6 1", deck="EGY PRU")
    desk.say("A", "attack India from Siam")
    desk.run_out()
    assert len(desk.state.hands[Seat("A")]) == 1
    assert desk.letters("A", "late")[0].facts["missed"] == 0


def test_who_gave_no_name_resigns_by_the_colour_as_the_reader_calls_it() -> None:
    desk = Desk(drawing=DRAWING)
    with session(desk.engine) as opened:
        for seat in games.seats(opened, desk.id):
            seat.language = "sl" if seat.letter == "A" else "en"
            seat.name = "Blue" if seat.letter == "B" else seat.name
            opened.add(seat)
    desk.say("B", "resign")
    desk.say("B", "yes")
    (note,) = desk.letters("A", "note")
    assert "Modri se predaja." in note.words
    assert "Blue" not in note.words


def test_the_letter_of_a_missed_turn_tells_nothing_of_the_next_one() -> None:
    desk = Desk(drawing=DRAWING, phase=Phase.PLACE, to_place=3)
    desk.run_out()
    (late,) = desk.letters("A", "late")
    assert "You placed 3 in" in late.words
    assert "Blue (Bruno) got" not in late.words
    assert "Blue got" not in late.words


# -- absences and dead tables ----------------------------------------------------------------------


def test_a_season_has_so_many_days_of_absence() -> None:
    desk = Desk(drawing=DRAWING, chosen={"away_days": "10"})
    assert desk.say("B", "away 2026-01-05 to 2026-01-11").codes == ["away"]
    desk.now += timedelta(days=30)
    refused = desk.say("B", "away 2026-02-10 to 2026-02-14")
    assert "you can be away for 3 more days" in refused.words
    assert desk.say("B", "away 2026-02-10 to 2026-02-12").codes == ["away"]
    assert desk.say("B", "away 2026-02-20 to 2026-02-22").codes == ["away"]
    assert desk.say("B", "away 2026-05-10 to 2026-05-19").codes == ["away"]


@pytest.mark.parametrize(("shown", "told"), [("no", 0), ("yes", 1)])
def test_rivals_are_told_of_an_absence_only_if_the_game_says_so(shown: str, told: int) -> None:
    desk = Desk(drawing=DRAWING, chosen={"away_shown": shown})
    desk.say("B", "away 2026-01-06 to 2026-01-08")
    assert len(desk.letters("A", "note")) == told
    assert len(desk.letters(GM, "note")) == 1


def is_over(year: Year) -> bool:
    return year.game.over_at is not None


def test_a_dead_table_is_warned_and_then_closed() -> None:
    nobody: dict[str, Manner] = dict.fromkeys("ABC", lambda _called, _end: None)
    year = Year(BEGIN, nobody, seats=3, pace="24h", stalled="8d", vacant="gm")
    year.run(BEGIN + timedelta(days=9))
    assert [n.created_at for n in year.notes("stale", to="A")] == [BEGIN + timedelta(days=8)]
    year.mails[BEGIN + timedelta(days=9)] = ("B", "orders")
    year.run(BEGIN + timedelta(days=16))
    assert not is_over(year)
    year.run(BEGIN + timedelta(days=30))
    assert is_over(year)
    assert year.now - (BEGIN + timedelta(days=19)) < MINUTE
    assert year.state.winner is None
    assert len(year.letters("game-over")) == 3
    with session(year.engine) as opened:
        text = export(opened, year.game, public=True)
    assert "  closed stalled" in text
    assert all("gives" in failure.message for failure in verify(text).failures), "loaded dice only"


def test_daily_news_are_a_report_that_hides_what_others_drew() -> None:
    desk = Desk(drawing=DRAWING, dice="6 6 6 1", deck="EGY PRU")
    desk.say("C", "set news daily")
    desk.say("A", "attack India from Siam\nend")
    assert desk.letters("C", "report") == []
    sweep(desk.engine, HOUSE, BEGIN.replace(day=6, hour=8), lambda _name, _id: None)
    (news,) = desk.letters("C", "report")
    assert str(news.mail["X-PBEM-Kind"]) == "report"
    assert "Red drew a card." in news.words
    assert "Egypt" not in news.words.split("WHAT HAPPENED")[1].split("BOARD")[0]
    sweep(desk.engine, HOUSE, BEGIN.replace(day=7, hour=8), lambda _name, _id: None)
    assert len(desk.letters("C", "report")) == 1, "a day without news is silent"
