"""SAY: who gets a message, what of it, and what stays hidden."""

from collections.abc import Mapping

import pytest

from pbem.judge import people, press
from pbem.orders.reader import read
from pbem.orders.service import Say
from pbem.orders.sheet import Table
from pbem.rules import board as boards
from pbem.rules.seat import Seat
from pbem.store import appointments, games
from pbem.store.engine import session
from pbem.store.tables import Office
from tests.judge.desk import GM, Desk


def test_a_message_goes_to_those_named_and_the_answer_repeats_it() -> None:
    desk = Desk()
    answer = desk.say("A", "say Bruno, yellow: Peace in Asia?\nUntil turn 5.\nend say")
    assert answer.kind == "done"
    assert (
        'Your message "Peace in Asia? Until turn 5." goes to Blue (Bruno) and Yellow (Carla).'
        in (answer.words)
    )
    for reader in ("B", "C"):
        (letter,) = desk.letters(reader, "press")
        assert "Red (Anna) writes to Blue (Bruno) and Yellow (Carla):" in letter.words
        assert "\n> Peace in Asia?\n> Until turn 5.\n" in letter.text
        assert letter.mail["In-Reply-To"] is None
        assert letter.mail["X-PBEM-Kind"] == "press"


def test_only_those_named_get_it() -> None:
    desk = Desk()
    desk.say("A", "say Bruno: hush")
    assert desk.letters("C") == []


def test_all_means_all_the_others() -> None:
    desk = Desk()
    desk.say("A", "say all: good luck")
    assert [letter.row.seat for letter in desk.letters(kind="press")] == ["B", "C"]
    assert "writes to all:" in desk.letters("B")[0].words


@pytest.mark.parametrize(
    ("language", "mail", "to"),
    [
        ("en", "tell Blue: hello", "B"),
        ("it", "Di' al Blu: hello", "B"),
        ("it", "Scrivi alla rossa: hello", "A"),
        ("it", "di' ai Gialli, al Rosso: hello", "CA"),
        ("nl", "Zeg tegen Blauw: hello", "B"),
        ("nl", "zeg tegen de rode: hello", "A"),
        ("nl", "vertel de gele en blauwe: hello", "CB"),
        ("sl", "Reci modremu: hello", "B"),
        ("sl", "Reci rdeči: hello", "A"),
        ("sl", "Sporoči rumeni in Rdečemu: hello", "CA"),
    ],
)
def test_a_colour_is_called_as_the_language_bends_it(language: str, mail: str, to: str) -> None:
    colours = {Seat("A"): "red", Seat("B"): "blue", Seat("C"): "yellow"}
    called = {seat: people.colour_words(colour, language) for seat, colour in colours.items()}
    table = Table(boards.load(), {seat: f"Player {seat}" for seat in colours}, called)
    sheet = read([mail], language, table)
    assert [asked.service for asked in sheet.services] == [Say(tuple(map(Seat, to)), "hello")]


def test_no_address_is_ever_shown() -> None:
    desk = Desk()
    desk.say("A", "say Bruno: hello")
    (letter,) = desk.letters("B", "press")
    assert "anna@" not in letter.everything
    assert "bruno@" not in desk.letters("A")[0].text


def test_an_answer_goes_through_the_server_to_the_writer() -> None:
    desk = Desk()
    desk.say("A", "say B: hello")
    desk.say("B", "say A: hello yourself")
    assert "> hello yourself" in desk.letters("A", "press")[0].text


def test_a_hidden_writer_is_nowhere_in_the_letters() -> None:
    desk = Desk(chosen={"press": "anonymous"})
    answer = desk.say("B", "say anon: beware of Red")
    assert "goes to all without your name" in answer.words
    hidden = desk.letters(kind="press")
    assert [letter.row.seat for letter in hidden] == ["A", "C"]
    for letter in hidden:
        assert "An unknown power writes to all:" in letter.words
        assert letter.facts == {"sender": None, "to": [], "text": "beware of Red"}
        about_writer = letter.everything.replace("B Blue Bruno", "")
        assert "Bruno" not in about_writer
        assert "SAY B" not in about_writer


@pytest.mark.parametrize(
    ("chosen", "mail", "code"),
    [
        ({"press": "none"}, "say all: hello", "press-none"),
        ({"press": "named"}, "say anon: hello", "press-named"),
        ({}, "say anna: hello", "press-nobody"),
        ({}, "say all:\n> what you wrote", "press-empty"),
    ],
)
def test_what_cannot_be_sent_is_refused(chosen: dict[str, str], mail: str, code: str) -> None:
    desk = Desk(chosen=chosen)
    answer = desk.say("A", mail)
    assert answer.facts["mistakes"][0]["facts"]["refused"] == code
    assert desk.letters(kind="press") == []


def test_signatures_quotes_and_control_signs_are_cut() -> None:
    said = "yes\x07 and\u202e no\n> your words\nmore\n-- \nAnna\nCEO"
    assert press.clean(said) == ("yes  and  no\nmore", False)


def test_a_long_message_is_cut_and_that_is_told() -> None:
    desk = Desk()
    answer = desk.say("A", "say B: " + "la " * 900)
    assert "its end was cut" in answer.words
    assert max(map(len, desk.letters("B")[0].text.splitlines())) <= 72


def test_markup_in_a_message_stays_text() -> None:
    desk = Desk()
    desk.say("A", "say B: <script>alert(1)</script>")
    page = desk.letters("B")[0].mail.get_body(("html",))
    assert page is not None
    assert "<script>" not in page.get_content()


def test_a_day_has_forty_messages() -> None:
    desk = Desk()
    for number in range(press.MOST_A_DAY):
        desk.say("A", f"say B: {number} greetings")
    answer = desk.say("A", "say B: one more")
    assert "You have sent 40 messages today" in answer.words
    assert len(desk.letters("B")) == press.MOST_A_DAY


def test_a_message_repeated_with_a_mended_mail_is_sent_once() -> None:
    desk = Desk()
    desk.say("A", "say B: hello\nend say\nattack Idnai from Siam")
    desk.say("A", "say B: hello\nend say\nattack India from Siam, keep 8")
    assert len(desk.letters("B", "press")) == 1


def two_of_a_name() -> Desk:
    """Bruno Rossi (B) and Bruno Bianchi (C)."""
    desk = Desk()
    with session(desk.engine) as opened:
        for seat in games.seats(opened, desk.id):
            seat.name = {"B": "Bruno Rossi", "C": "Bruno Bianchi"}.get(seat.letter, seat.name)
            opened.add(seat)
    return desk


def test_one_word_for_two_players_is_asked_about_and_sends_nothing() -> None:
    desk = two_of_a_name()
    answer = desk.say("A", "say Bruno: shall we?")
    assert answer.kind == "mistakes"
    assert answer.facts["mistakes"][0]["facts"]["candidates"] == ["B", "C"]
    assert "can be Blue (Bruno Rossi) and Yellow (Bruno Bianchi)" in answer.words
    assert desk.letters(kind="press") == []


def test_a_yes_sends_it_to_all_whom_the_word_can_mean() -> None:
    desk = two_of_a_name()
    desk.say("A", "say Bruno: shall we?")
    assert "goes to Blue (Bruno Rossi) and Yellow (Bruno Bianchi)" in desk.say("A", "yes").words
    assert [letter.row.seat for letter in desk.letters(kind="press")] == ["B", "C"]


def test_the_whole_name_of_one_of_two_is_enough() -> None:
    desk = two_of_a_name()
    desk.say("A", "say Bruno Rossi: shall we?")
    assert [letter.row.seat for letter in desk.letters(kind="press")] == ["B"]


def test_colours_name_seats_and_each_gets_it_once() -> None:
    desk = Desk()
    desk.say("A", "say blue, yellow and Bruno: peace?")
    assert [letter.row.seat for letter in desk.letters(kind="press")] == ["B", "C"]


def test_a_message_without_a_name_that_names_somebody_is_not_sent_to_all() -> None:
    desk = Desk(chosen={"press": "anonymous"})
    assert desk.say("A", "say anon, Bruno: psst").kind == "mistakes"
    assert desk.letters(kind="press") == []


@pytest.mark.parametrize(
    "text", ["beware of Blue\n\nCheers, Anna", "write to anna@people.example", "I, ÀNNA"]
)
def test_a_signature_does_not_tell_who_a_hidden_writer_is(text: str) -> None:
    desk = Desk(chosen={"press": "anonymous"})
    answer = desk.say("A", f"say anon: {text}")
    assert answer.facts["mistakes"][0]["facts"]["refused"] == "press-signed"
    assert desk.letters(kind="press") == []
    desk.say("A", f"say all: {text}")
    assert len(desk.letters(kind="press")) == 2


def test_the_echo_names_nobody_whom_no_message_reaches() -> None:
    desk = Desk()
    desk.say("B", "set news off")
    with session(desk.engine) as opened:
        seat = games.seat(opened, desk.id, "C")
        assert seat is not None
        seat.unreachable_at = desk.now
        opened.add(seat)
    answer = desk.say("A", "say all: hello")
    reached = {letter.row.seat for letter in desk.letters(kind="press")}
    assert ("Blue (Bruno)" in answer.words.partition("No messages reach")[0]) is ("B" in reached)
    assert "No messages reach Yellow (Carla) at present." in answer.words
    refused = desk.say("A", "say Carla: hello")
    assert refused.facts["mistakes"][0]["facts"]["refused"] == "press-away"
    assert "C" not in reached


OFFICES = {"emil@x.example": Office.GM, "fay@x.example": Office.DEPUTY}


def appoint(desk: Desk, offices: Mapping[str, Office]) -> None:
    with session(desk.engine) as opened:
        for address, office in offices.items():
            appointments.appoint(opened, desk.id, address, office, GM, desk.now)


def to_masters(desk: Desk) -> set[str]:
    """Who has got a message as game master."""
    found = desk.letters(kind="note")
    return {one.row.to_address for one in found if one.facts["about"] == "press"}


def test_who_was_appointed_to_a_game_gets_what_is_said_to_its_game_master() -> None:
    desk = Desk()
    appoint(desk, {**OFFICES, "ugo@x.example": Office.AUDITOR})
    answer = desk.say("A", "say gm, Bruno: a question")
    assert to_masters(desk) == set(OFFICES)
    told = "Who runs the game gets it too: the deputy of the game master and the game master."
    assert told in answer.words
    for address in (*OFFICES, GM):
        assert address not in answer.everything
    assert [letter.row.seat for letter in desk.letters(kind="press")] == ["B"]


def test_a_host_hears_it_too_and_does_not_write_to_himself() -> None:
    desk = Desk()
    appoint(desk, {"bruno@people.example": Office.GM})
    assert "the host, who plays too" in desk.say("A", "say gm: a question").words
    assert to_masters(desk) == {"bruno@people.example"}
    assert "the owner of the house" in desk.say("B", "say gm: who helps me?").words
    assert to_masters(desk) == {"bruno@people.example", GM}


def test_all_and_the_game_master_means_both() -> None:
    desk = Desk()
    answer = desk.say("A", "say all, gm: good luck")
    assert [letter.row.seat for letter in desk.letters(kind="press")] == ["B", "C"]
    assert to_masters(desk) == {GM}
    assert "gets it too: the owner of the house" in answer.words


def test_what_goes_wrong_is_told_to_those_who_run_the_game_too() -> None:
    desk = Desk()
    appoint(desk, {**OFFICES, "carla@people.example": Office.GM})
    desk.say("A", "stop mail")
    found = [one for one in desk.letters(kind="note") if one.facts["about"] == "silenced"]
    assert {one.row.to_address for one in found} == {GM, *OFFICES}


def test_the_game_master_gets_what_is_said_to_the_game_master_alone() -> None:
    desk = Desk(chosen={"press": "none"})
    answer = desk.say("A", "say gm: I am away in May")
    told = 'Your message "I am away in May" goes to who runs the game: the owner of the house.'
    assert told in answer.words
    assert GM not in answer.everything
    assert desk.letters(kind="press") == []
    (note,) = [letter for letter in desk.letters(kind="note") if letter.row.to_address == GM]
    assert "writes to you, the game master: > I am away in May" in note.words


def test_who_is_blocked_is_not_heard_and_is_told_so() -> None:
    desk = Desk()
    assert "No more messages from Red (Anna) come to you." in desk.say("B", "set block anna").words
    answer = desk.say("A", "say all: hello")
    assert "goes to Yellow (Carla)" in answer.words
    assert "No messages from you are wanted by Blue (Bruno)." in answer.words
    assert [letter.row.seat for letter in desk.letters(kind="press")] == ["C"]
    refused = desk.say("A", "say Bruno: hello")
    assert refused.facts["mistakes"][0]["facts"]["refused"] == "press-blocked"
    desk.say("B", "set block none")
    desk.say("A", "say Bruno: hello again")
    assert [letter.row.seat for letter in desk.letters(kind="press")] == ["C", "B"]


def test_a_block_does_not_tell_who_a_hidden_writer_is() -> None:
    desk = Desk(chosen={"press": "anonymous"})
    desk.say("B", "set block A")
    answer = desk.say("A", "say anon: guess")
    assert "wanted" not in answer.words
    assert [letter.facts["to"] for letter in desk.letters(kind="press")] == [[]]


def test_a_block_of_nobody_here_is_refused() -> None:
    answer = Desk().say("A", "set block Dora")
    assert answer.facts["mistakes"][0]["facts"]["refused"] == "block-unknown"


def test_a_slip_in_a_name_is_told_out_of_turn_too_and_mended_by_a_yes() -> None:
    desk = Desk()
    answer = desk.say("C", "say Brumo: hello\nthere")
    assert "nobody here is called Brumo. Did you mean Blue (B)?" in answer.words
    assert "REPLY WITH ONLY YES TO SEND THIS" in answer.words
    assert "| say Bruno: hello" in answer.text
    assert desk.letters(kind="press") == []
    desk.say("A", "end")
    assert "goes to Blue (Bruno)" in desk.say("C", "yes").words
    (letter,) = desk.letters(kind="press")
    assert (letter.row.seat, letter.facts["text"]) == ("B", "hello\nthere")


def test_a_slip_beside_other_wishes_is_written_again() -> None:
    desk = Desk()
    answer = desk.say("C", "set remind off\nsay Brumo: hello")
    assert "Brumo" in answer.words
    assert answer.facts["corrected"] is None
    assert "REMIND is OFF now" in answer.words
