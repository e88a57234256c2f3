"""What is kept for the game master: listed with its reason, tried again, dropped, or corrected."""

from email.utils import parseaddr

import pytest

from pbem.judge import quarantine
from pbem.judge.gm import ActError, Why
from pbem.judge.quarantine import Kept, Place
from pbem.store import audit, inbox
from pbem.store.engine import session
from pbem.store.tables import Inbox, InboxStatus, Source
from tests.judge.conftest import OpenParlour
from tests.judge.parlour import ANNA, Parlour, kinds, mail, words_of
from tests.mail.forge import Names, keys, signed

DORA = Why("gm@example.org", "a typo")


def kept(house: Parlour, **which: object) -> tuple[Kept, ...]:
    with session(house.engine) as opened:
        return quarantine.listing(opened, **which)  # type: ignore[arg-type]


def correct(house: Parlour, row: Inbox, text: str, place: Place | None = None) -> Inbox:
    with session(house.engine) as opened:
        quarantine.correct(opened, row.id, text, DORA, house.now, place)
    house.play()
    with session(house.engine) as opened:
        found = inbox.find_key(opened, f"gm:{row.id}")
    assert found is not None
    return found


def test_each_is_listed_with_its_reason(parlour: OpenParlour) -> None:
    house = parlour()
    house.bring(mail("board", sender="Eve <eve@example.net>"), house.address())
    house.bring(mail("what is this?"), "postmaster@games.example.org")
    twice = mail("board", message_id="<twice@example.com>")
    house.bring(twice, house.address())
    house.bring(twice.replace(b"board", b"hand"), house.address())
    found = {one.reason: one for one in kept(house)}
    assert sorted((one.reason, one.status) for one in kept(house)) == [
        ("confirm", InboxStatus.HELD),
        ("confirm", InboxStatus.HELD),
        ("postmaster", InboxStatus.SET_ASIDE),
        ("same-id", InboxStatus.SET_ASIDE),
    ]
    service = found["postmaster"]
    assert (service.place, service.sender, service.subject) == (None, ANNA, "the game")
    assert service.guessed == (Place("g1", "A"),)
    assert found["same-id"].place == Place("g1", "A")
    with session(house.engine) as opened:
        assert quarantine.count(opened) == 4
        assert quarantine.count(opened, game="g1") == 3


def test_a_page_goes_on_where_the_last_one_ended(parlour: OpenParlour) -> None:
    house = parlour()
    for _ in range(3):
        house.bring(mail("board"), house.address())
    first = kept(house, limit=2)
    rest = kept(house, limit=2, before=first[-1].id)
    assert [one.id for one in (*first, *rest)] == [3, 2, 1]
    assert kept(house, status=InboxStatus.DEAD) == ()


def test_the_original_stands_beside_what_was_read(parlour: OpenParlour) -> None:
    house = parlour()
    raw = mail("place 3 in Siam\n\n> place 9 in Peru")
    (row,) = house.bring(raw, "abuse@games.example.org")
    with session(house.engine) as opened:
        shown = quarantine.show(opened, row.id)
    assert (shown.raw, shown.read.text) == (raw, ("place 3 in Siam",))


def test_a_mail_that_is_tried_again_plays_once_it_is_proved(parlour: OpenParlour) -> None:
    house = parlour(names=Names())
    (row,) = house.bring(signed(mail("board")), house.address())
    assert row.status == InboxStatus.HELD
    to = parseaddr(str(house.letters(kind="confirm")[0]["Reply-To"]))[1]
    with session(house.engine) as opened:
        quarantine.retry(opened, row.id, DORA, house.now)
    house.play()
    assert (house.row(row.id).status, len(house.letters(kind="confirm"))) == ("held", 1)
    house.names = Names(keys("example.com"))
    with session(house.engine) as opened:
        quarantine.retry(opened, row.id, DORA, house.now)
    house.play()
    assert (house.row(row.id).status, house.answers(row)) == ("done", ["confirm", "done"])
    (late,) = house.bring(mail("YES"), to)
    assert house.answers(late) == ["mistakes"], "what was played waits for no YES"


def test_what_is_dropped_stays_dropped(parlour: OpenParlour) -> None:
    house = parlour()
    (row,) = house.bring(mail("board"), house.address())
    to = parseaddr(str(house.letters(kind="confirm")[0]["Reply-To"]))[1]
    with session(house.engine) as opened:
        quarantine.discard(opened, row.id, DORA, house.now)
        with pytest.raises(ActError):
            quarantine.discard(opened, row.id, DORA, house.now)
    assert (house.row(row.id).status, kept(house)) == (InboxStatus.IGNORED, ())
    (late,) = house.bring(mail("YES"), to)
    assert house.answers(late) == ["mistakes"]
    with session(house.engine) as opened:
        line = audit.of_game(opened, house.game_id)[-1]
    assert (line.who, line.what, line.detail["inbox_id"]) == (DORA.who, "discard-mail", row.id)


def test_a_corrected_text_plays_in_the_players_name_and_the_answer_says_so(
    parlour: OpenParlour,
) -> None:
    house = parlour()
    (row,) = house.bring(mail("baord", message_id="<typo@example.com>"), house.address())
    answer = correct(house, row, "board\r\nhand")
    assert (answer.source, answer.status, answer.seat) == (Source.GM, InboxStatus.DONE, "A")
    assert (answer.turn, answer.step) == (row.turn, row.step)
    assert (house.row(row.id).status, house.row(row.id).result) == ("done", "corrected")
    letter = house.letters(to=ANNA)[-1]
    assert kinds([letter]) == ["done"]
    assert letter["In-Reply-To"] == "<typo@example.com>"
    assert "The game master has corrected your mail" in words_of(letter)
    assert "a typo" in words_of(letter)


def test_a_mail_is_corrected_once(parlour: OpenParlour) -> None:
    house = parlour()
    (row,) = house.bring(mail("board"), house.address())
    correct(house, row, "board")
    with session(house.engine) as opened, pytest.raises(ActError):
        quarantine.correct(opened, row.id, "hand", DORA, house.now)


def test_a_mail_to_the_house_is_given_to_a_seat(parlour: OpenParlour) -> None:
    house = parlour()
    (row,) = house.bring(mail("board"), "postmaster@games.example.org")
    with session(house.engine) as opened:
        with pytest.raises(ActError, match="mail-of-no-seat"):
            quarantine.correct(opened, row.id, "board", DORA, house.now)
        with pytest.raises(ActError, match="mail-of-no-game"):
            quarantine.retry(opened, row.id, DORA, house.now)
        with pytest.raises(ActError, match="no-place"):
            quarantine.correct(opened, row.id, "board", DORA, house.now, Place("g1", "F"))
    answer = correct(house, row, "board", Place("g1", "B"))
    assert (answer.seat, house.answers(answer)) == ("B", ["done"])


@pytest.mark.parametrize("text", ["", " \n\n", "x\n" * 2001])
def test_a_text_of_nothing_or_too_much_is_refused(parlour: OpenParlour, text: str) -> None:
    house = parlour()
    (row,) = house.bring(mail("board"), house.address())
    with session(house.engine) as opened, pytest.raises(ActError, match="text-lines"):
        quarantine.correct(opened, row.id, text, DORA, house.now)
