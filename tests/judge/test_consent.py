"""Acts that touch what was played and wait for others: who is asked, and what their words do."""

from dataclasses import replace
from datetime import timedelta
from email.utils import parseaddr

import pytest

from pbem.judge import intake
from pbem.judge.acts import performing, voting
from pbem.judge.acts.act import Act
from pbem.judge.acts.board import Set, SetCards
from pbem.judge.acts.clock import Extend, Pause
from pbem.judge.acts.ending import Draw, End
from pbem.judge.acts.performing import Performed, Refused, Waiting
from pbem.judge.acts.terms import ChangeOption
from pbem.judge.gm import COMMAND_LINE, ActError, Why
from pbem.judge.reply_to import errand_address
from pbem.judge.sweep import sweep
from pbem.mail import errand
from pbem.mail.errand import Purpose
from pbem.store import appointments, audit, consents, games, inbox, tables
from pbem.store.engine import session
from pbem.store.tables import Consent, ConsentStatus, InboxStatus, Office
from tests.judge.conftest import OpenParlour
from tests.judge.desk import GM, HOUSE, Desk, Letter
from tests.judge.parlour import ANNA, BERTA, mail

EMIL, REASON = "emil@x.example", "an army too few"
SET = Set("IDA", "B", 5)


def table(of: str, *, second: bool = False) -> Desk:
    """Three players, and one game master or two."""
    desk = Desk(chosen={"consent": of}, hands={"A": "EGY PRU WILD"})
    if second:
        with session(desk.engine) as opened:
            appointments.appoint(opened, desk.id, EMIL, Office.GM, GM, desk.now)
    return desk


def ask(desk: Desk, act: Act = SET, who: str = GM) -> Waiting:
    done = perform(desk, act, who)
    assert isinstance(done, Waiting)
    return done


def perform(desk: Desk, act: Act, who: str = GM) -> object:
    why = Why(who, REASON)
    return performing.perform(desk.engine, desk.house, desk.id, act, why, desk.now)


def word(desk: Desk, text: str, to: str, sender: str, seat: str | None) -> tables.Inbox:
    """What becomes of a mail to the address of a question."""
    number = desk.bring_to(to, text, sender, seat)
    desk.drain()
    with session(desk.engine) as opened:
        row = inbox.find(opened, number)
    assert row is not None
    return row


def question(desk: Desk, to: str) -> Letter:
    """The question to a seat, or to an address."""
    return next(one for one in desk.letters(to, "note") if one.facts["about"] == "consent-asked")


def say(desk: Desk, text: str, letter: str) -> tables.Inbox:
    """A player answers the question."""
    asked = question(desk, letter)
    return word(desk, text, parseaddr(str(asked.mail["Reply-To"]))[1], asked.row.to_address, letter)


def say_gm(desk: Desk, text: str, who: str = EMIL, sender: str | None = None) -> tables.Inbox:
    to = parseaddr(str(question(desk, who).mail["Reply-To"]))[1]
    return word(desk, text, to, sender or who, None)


def notes(desk: Desk, to: str) -> list[str]:
    return [one.facts["about"] for one in desk.letters(to, "note")]


def found(desk: Desk, number: int) -> Consent:
    with session(desk.engine) as opened:
        row = consents.find(opened, number)
    assert row is not None
    return row


def armies(desk: Desk) -> int:
    return int(desk.state.armies[SET.territory])  # type: ignore[index]  # a code


def test_without_the_option_an_act_is_done_at_once() -> None:
    assert isinstance(perform(table("none"), SET), Performed)


@pytest.mark.parametrize("of", ["gm", "players"])
def test_safe_and_fair_acts_wait_for_nobody(of: str) -> None:
    desk = table(of, second=True)
    assert isinstance(perform(desk, Pause()), Performed)
    assert isinstance(perform(desk, ChangeOption("pace", "72h")), Performed)


def test_a_second_game_master_is_asked_and_nobody_else() -> None:
    desk = table("gm", second=True)
    asked = ask(desk)
    assert asked.of == "gm"
    assert armies(desk) == 1
    assert notes(desk, EMIL) == ["consent-asked"]
    assert not any(notes(desk, to) for to in (GM, "A", "B", "C"))
    told = question(desk, EMIL).words
    assert "India: Blue (Bruno) with 5 armies" in told
    assert "India: B 1 -> B 5" in told
    assert REASON in told


def test_the_act_is_done_when_the_second_has_said_yes() -> None:
    desk = table("gm", second=True)
    asked = ask(desk)
    assert say_gm(desk, "YES").result == "consent-given"
    assert armies(desk) == 5
    assert found(desk, asked.number).status is ConsentStatus.GIVEN
    assert notes(desk, GM) == ["consent-given"]
    told = next(one for one in desk.letters("C", "note"))
    assert told.facts["about"] == "territory-set"
    assert "A second game master has agreed." in told.words
    with session(desk.engine) as opened:
        lines = audit.of_game(opened, desk.id)
        (voice,) = consents.voices(opened, asked.number)
    assert [(line.who, line.what) for line in lines] == [
        (GM, "consent-asked"),
        (EMIL, "consent-yes"),
        (GM, "set"),
    ]
    assert lines[-1].detail["consent"] == asked.number
    assert (voice.address, voice.agrees, voice.at) == (EMIL, True, desk.now)


@pytest.mark.parametrize("text", ["no", "nee", "NE"])
def test_a_no_in_any_language_refuses_it(text: str) -> None:
    desk = table("gm", second=True)
    asked = ask(desk)
    assert say_gm(desk, text).result == "consent-refused"
    assert armies(desk) == 1
    assert found(desk, asked.number).status is ConsentStatus.REFUSED
    assert notes(desk, GM) == ["consent-refused"]
    assert say_gm(desk, "YES").result == "consent-over"
    assert armies(desk) == 1


def test_who_asks_cannot_agree_and_a_stranger_with_the_address_cannot_either() -> None:
    desk = table("gm", second=True)
    asked = ask(desk)
    with pytest.raises(ActError, match="consent-not-asked"):
        voting.say(desk.engine, HOUSE, desk.id, asked.number, GM, desk.now, agrees=True)
    row = say_gm(desk, "YES", sender="mallory@x.example")
    assert (row.status, row.result) == (InboxStatus.SET_ASIDE, "gm-unproved")
    assert armies(desk) == 1


def test_anything_else_is_answered_with_the_question() -> None:
    desk = table("gm", second=True)
    ask(desk)
    assert say_gm(desk, "what is this?").result == "consent-asked"
    assert notes(desk, EMIL) == ["consent-asked", "consent-asked"]
    assert armies(desk) == 1


def test_more_than_half_of_the_players_have_to_agree() -> None:
    desk = table("players")
    asked = ask(desk)
    assert asked.of == "players"
    for letter in "ABC":
        assert notes(desk, letter) == ["consent-asked"]
    assert say(desk, "YES", "C").result == "consent-noted"
    assert armies(desk) == 1
    assert say(desk, "NO", "A").result == "consent-noted"
    assert say(desk, "YES", "A").result == "consent-given"  # who has thought again
    assert armies(desk) == 5
    assert say(desk, "NO", "B").result == "consent-over"
    assert "Most of the players have agreed." in desk.letters("B", "note")[1].words


def test_players_refuse_as_soon_as_no_majority_is_left() -> None:
    desk = table("players")
    ask(desk)
    assert say(desk, "NO", "A").result == "consent-noted"
    assert say(desk, "NO", "B").result == "consent-refused"
    assert notes(desk, "C") == ["consent-asked", "consent-refused"]
    assert armies(desk) == 1


def test_a_letter_that_asks_a_player_is_as_any_letter_to_a_seat() -> None:
    desk = table("players")
    ask(desk)
    mail = question(desk, "A").mail
    assert str(mail["X-PBEM-State"]).startswith("game=g1 ")
    assert str(mail["Reply-To"]).startswith("vote+g1.a.vote1.")
    assert errand.parse(question(desk, "A").row.envelope_from) is None  # it bounces as all do


def test_the_word_of_one_seat_does_not_count_for_another() -> None:
    desk = table("players")
    ask(desk)
    for sender in ("anna@people.example", "mallory@x.example"):
        to = str(question(desk, "B").mail["Reply-To"])
        row = word(desk, "YES", parseaddr(to)[1], sender, "B")
        assert (row.status, row.result) == (InboxStatus.SET_ASIDE, "to-vote")


def test_without_a_second_game_master_the_players_are_asked() -> None:
    assert ask(table("gm")).of == "players"


def test_where_nobody_can_be_asked_it_is_done_and_stays_marked() -> None:
    desk = table("gm")
    with session(desk.engine) as opened:
        for seat in games.seats(opened, desk.id):
            seat.address, seat.computer = None, True
            opened.add(seat)
    assert isinstance(perform(desk, SET), Performed)
    with session(desk.engine) as opened:
        assert [line.what for line in audit.of_game(opened, desk.id)] == ["set"]


def test_who_types_commands_may_be_the_only_game_master_and_so_asks_the_players() -> None:
    assert ask(table("gm"), who=COMMAND_LINE).of == "players"
    assert ask(table("gm", second=True), who=COMMAND_LINE).of == "gm"


@pytest.mark.parametrize(("of", "readers"), [("gm", (EMIL,)), ("players", ("A", "B", "C"))])
def test_as_soon_as_anything_is_played_the_question_lapses_and_all_are_told(
    of: str, readers: tuple[str, ...]
) -> None:
    desk = table(of, second=True)
    asked = ask(desk)
    desk.say("A", "end")
    assert found(desk, asked.number).status is ConsentStatus.LAPSED
    assert notes(desk, GM) == ["consent-lapsed"]
    for to in readers:
        assert notes(desk, to) == ["consent-asked", "consent-lapsed"]
    told = desk.letters(readers[0], "note")[-1]
    assert "The game has gone on" in told.words
    assert not str(told.mail["Reply-To"]).startswith("vote")
    with session(desk.engine) as opened:
        lapsed = [line for line in audit.of_game(opened, desk.id) if line.what == "consent-lapsed"]
    assert len(lapsed) == 1


def test_an_act_that_was_agreed_to_makes_the_other_questions_void() -> None:
    desk = table("gm", second=True)
    first, second = ask(desk), ask(desk, Draw())
    assert say_gm(desk, "YES").result == "consent-given"
    assert found(desk, first.number).status is ConsentStatus.GIVEN
    assert found(desk, second.number).status is ConsentStatus.LAPSED
    assert notes(desk, EMIL) == [
        "consent-asked",
        "consent-asked",
        "consent-given",
        "consent-lapsed",
    ]


def test_an_answer_to_what_is_void_is_told_so() -> None:
    desk = table("gm", second=True)
    asked = ask(desk)
    desk.say("A", "end")
    assert say_gm(desk, "YES").result == "consent-over"
    assert armies(desk) == 1
    assert found(desk, asked.number).status is ConsentStatus.LAPSED
    assert notes(desk, GM)[-1] == "consent-lapsed"


def test_a_pause_keeps_the_question_alive() -> None:
    desk = table("gm", second=True)
    ask(desk)
    assert isinstance(perform(desk, Pause()), Performed)
    assert isinstance(perform(desk, Extend(timedelta(hours=24))), Performed)
    assert say_gm(desk, "YES").result == "consent-given"


def test_the_sweep_lets_it_lapse_after_a_week() -> None:
    desk = table("gm", second=True)
    asked = ask(desk)
    desk.perform(Pause())
    for days, status in ((6, ConsentStatus.OPEN), (1, ConsentStatus.LAPSED)):
        desk.now += timedelta(days=days)
        sweep(desk.engine, desk.house, desk.now, lambda *_: None)
        assert found(desk, asked.number).status is status
    assert notes(desk, GM)[-1] == "consent-lapsed"


def test_only_who_asked_takes_it_back() -> None:
    desk = table("gm", second=True)
    asked = ask(desk)
    here = (desk.engine, HOUSE, desk.id, asked.number)
    with pytest.raises(ActError, match="consent-not-yours"):
        voting.withdraw(*here, EMIL, desk.now)
    voting.withdraw(*here, GM, desk.now)
    assert found(desk, asked.number).status is ConsentStatus.WITHDRAWN
    assert notes(desk, EMIL) == ["consent-asked", "consent-withdrawn"]
    with pytest.raises(ActError, match="consent-over"):
        voting.withdraw(*here, GM, desk.now)
    assert say_gm(desk, "YES").result == "consent-over"


def test_the_same_is_not_asked_twice() -> None:
    desk = table("gm", second=True)
    ask(desk)
    again = perform(desk, SET, EMIL)
    assert isinstance(again, Refused)
    assert again.code == "consent-asked"


def test_an_act_that_makes_no_sense_asks_nobody() -> None:
    desk = table("gm", second=True)
    assert isinstance(perform(desk, Set("IDA", "B", 0)), Refused)
    assert not notes(desk, EMIL)


def test_who_has_lost_the_office_meanwhile_does_nothing() -> None:
    desk = table("gm", second=True)
    ask(desk, who=EMIL)
    with session(desk.engine) as opened:
        appointments.dismiss(opened, desk.id, EMIL)
    assert say_gm(desk, "YES", GM).result == "consent-failed"
    assert armies(desk) == 1
    (told,) = (one for one in desk.letters(EMIL, "note"))
    assert "you may not do this in this game" in told.words


@pytest.mark.parametrize("act", [End("A"), Draw()])
def test_a_game_ends_by_consent_too(act: Act) -> None:
    desk = table("gm", second=True)
    ask(desk, act)
    assert desk.game.over_at is None
    say_gm(desk, "YES")
    assert desk.game.over_at == desk.now


def test_whose_consent_is_asked_for_is_not_unasked_by_its_game_master() -> None:
    desk = table("none")
    assert isinstance(perform(desk, ChangeOption("consent", "players")), Performed)
    again = perform(desk, ChangeOption("consent", "none"))
    assert isinstance(again, Refused)
    assert again.code == "consent-kept"


def test_cards_are_told_by_their_number_only() -> None:
    desk = table("players", second=True)
    ask(desk, SetCards("A", ("PRU", "WILD")))
    for letter in "ABC":
        told = question(desk, letter)
        assert "Give Red (Anna) another hand of 2 cards" in told.words
        assert told.row.recipe["facts"]["told"]["fields"] == {"seat": "A", "cards": "2"}


def test_a_preview_says_whom_it_would_ask() -> None:
    for of in ("gm", "players"):
        desk = table(of, second=True)
        seen = performing.preview(desk.engine, HOUSE, desk.id, SET, Why(GM), desk.now)
        assert seen.asks == of
    open_house = replace(HOUSE, gm=())
    seen = performing.preview(
        table("none").engine, open_house, 1, SET, Why(COMMAND_LINE), Desk().now
    )
    assert seen.asks == ""


def test_the_addresses_of_two_questions_differ() -> None:
    desk = table("players")
    seat = desk.seat("A")
    made = {
        errand_address(HOUSE, seat, {"errand": {"purpose": Purpose.VOTE.value, "number": n}})
        for n in (1, 2)
    }
    assert len(made) == 2


def test_words_come_in_at_the_door_unsigned_and_each_has_its_answer(parlour: OpenParlour) -> None:
    house = parlour(proofs=True)
    with session(house.engine) as opened:
        game = games.lock(opened, house.game_id)
        game.options = {**game.options, "consent": "players"}
        opened.add(game)
    why = Why("gm@example.org", "too long")
    done = performing.perform(house.engine, house.house, house.game_id, Draw(), why, house.now)
    assert isinstance(done, Waiting)
    house.play()
    for number, who in enumerate((ANNA, BERTA)):
        asked = house.letters(kind="note", to=who)[-1]
        to = parseaddr(str(asked["Reply-To"]))[1].replace("vote+", "")  # as some hosts leave it
        raw = mail("YES", sender=who, message_id=f"<v{number}@x.example>")
        (row,) = house.bring(raw, to, mail_from=who)
        answer = house.letters(kind="note", to=who)[-1]
        assert answer["In-Reply-To"] == f"<v{number}@x.example>"
    assert row.result == "consent-given"
    assert len(house.letters(kind="game-over")) == 3
    with session(house.engine) as opened:
        tag = to.replace("vote1.", "vote2.")
        assert intake.refuse_recipient(opened, house.house, tag, house.now) is not None
