"""What is kept without an answer, and what of it the game master can still have played."""

from datetime import timedelta
from email.utils import parseaddr

import pytest

from pbem.judge import quarantine, sieve
from pbem.judge.acts import performing
from pbem.judge.acts.ending import Draw
from pbem.judge.gm import Why
from pbem.judge.sieve import MOST_ALIKE, MOST_WRONG
from pbem.mail import gm_address
from pbem.store import games
from pbem.store.engine import session
from pbem.store.tables import InboxStatus
from tests.judge.conftest import OpenParlour
from tests.judge.parlour import ANNA, BERTA, Parlour, mail

AWAY = "I am out of the office until Monday and read no mail."
GM = "gm@example.org"


@pytest.fixture
def house(parlour: OpenParlour) -> Parlour:
    return parlour(proofs=False)


def test_a_program_that_says_the_same_again_and_again_is_answered_no_more(house: Parlour) -> None:
    rows = [house.bring(mail(AWAY), house.address())[0] for _ in range(MOST_ALIKE + 2)]
    told = [(row.status, bool(house.answers(row))) for row in rows]
    assert told[:MOST_ALIKE] == [(InboxStatus.DONE, True)] * MOST_ALIKE
    assert told[MOST_ALIKE:] == [(InboxStatus.SET_ASIDE, False)] * 2
    assert rows[-1].result == "robot"
    notes = house.letters(kind="note", to=GM)
    assert ["A program seems to answer" in str(note["Subject"]) for note in notes] == [True]
    (row,) = house.bring(mail("I am back!"), house.address())
    assert house.answers(row) == ["not-understood"]
    house.now += timedelta(days=1, minutes=1)
    (row,) = house.bring(mail(AWAY), house.address())
    assert house.answers(row) == ["not-understood"]


def test_who_asks_the_same_question_again_is_no_program(house: Parlour) -> None:
    rows = [house.bring(mail("board"), house.address())[0] for _ in range(MOST_ALIKE + 3)]
    assert {row.status for row in rows} == {InboxStatus.DONE}


def test_a_wrong_order_is_answered_far_longer_than_words_that_say_nothing(
    house: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MOST_WRONG >= 5 * MOST_ALIKE
    most = MOST_ALIKE + 2
    monkeypatch.setattr(sieve, "MOST_WRONG", most)
    wrong = "attack Idnai from Siam"
    rows = [house.bring(mail(wrong), house.address())[0] for _ in range(most + 1)]
    assert [row.status for row in rows[:-1]] == [InboxStatus.DONE] * most
    assert rows[-1].status is InboxStatus.SET_ASIDE


def test_mails_without_words_are_answered_however_many_they_are(house: Parlour) -> None:
    rows = [house.bring(mail("\n> an old line"), house.address())[0] for _ in range(MOST_ALIKE + 2)]
    assert {tuple(house.answers(row)) for row in rows} == {("not-understood",)}


def test_a_program_of_one_player_stops_nobody_else(house: Parlour) -> None:
    for _ in range(MOST_ALIKE + 1):
        house.bring(mail(AWAY), house.address())
    (row,) = house.bring(mail(AWAY, sender=BERTA), house.address("B"), mail_from=BERTA)
    assert house.answers(row) == ["not-understood"]


def test_a_program_at_a_question_of_consent_is_asked_no_more(house: Parlour) -> None:
    with session(house.engine) as opened:
        game = games.lock(opened, house.game_id)
        game.options = {**game.options, "consent": "players"}
        opened.add(game)
    performing.perform(house.engine, house.house, house.game_id, Draw(), Why(GM), house.now)
    house.play()
    to = parseaddr(str(house.letters(kind="note", to=ANNA)[-1]["Reply-To"]))[1]
    rows = [house.bring(mail(AWAY), to)[0] for _ in range(MOST_ALIKE + 1)]
    assert {row.result for row in rows[:-1]} == {"consent-asked"}
    assert (rows[-1].status, rows[-1].result) == (InboxStatus.SET_ASIDE, "robot")


def test_a_program_of_a_game_master_is_answered_no_more(
    house: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sieve, "MOST_WRONG", 2)
    issued = gm_address.issue(house.house.secret, f"g{house.game_id}", GM)
    to = gm_address.written(issued, house.house.domain)
    rows = [house.bring(mail(AWAY, sender=GM), to, mail_from=GM)[0] for _ in range(4)]
    assert [row.result for row in rows] == ["gm-mistakes", "gm-mistakes", "robot", "robot"]
    assert len(house.letters(to=GM)) == 2


def test_spam_by_the_word_of_the_server_in_front_is_set_aside(parlour: OpenParlour) -> None:
    house = parlour(proofs=False, spam_header="X-Spam-Flag")
    (row,) = house.bring(mail("board", "X-Spam-Flag: YES"), house.address())
    assert (row.status, row.result, house.answers(row)) == (InboxStatus.SET_ASIDE, "spam", [])
    with session(house.engine) as opened:
        (kept,) = quarantine.listing(opened)
        assert (kept.id, kept.reason, kept.sender) == (row.id, "spam", ANNA)
        quarantine.retry(opened, row.id, Why(GM), house.now)
    house.play()
    assert house.answers(row) == ["done"]
    (row,) = house.bring(mail("board", "X-Spam-Flag: No"), house.address())
    assert house.answers(row) == ["done"]


def test_without_the_setting_no_header_sets_a_mail_aside(house: Parlour) -> None:
    (row,) = house.bring(mail("board", "X-Spam-Flag: YES"), house.address())
    assert house.answers(row) == ["done"]


def test_a_list_that_writes_itself_into_from_leads_to_a_question(house: Parlour) -> None:
    raw = mail(
        "board",
        f"X-Original-From: {ANNA}",
        f"Reply-To: {ANNA}",
        sender="Anna via Conquest <conquest@lists.example.org>",
    )
    (row,) = house.bring(raw, house.address())
    assert (row.status, row.result) == (InboxStatus.HELD, "confirm")
    assert ANNA in str(house.letters(kind="confirm")[0]["To"])
