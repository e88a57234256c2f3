"""Mail that no person wrote: neither played nor answered, and never dropped without a trace."""

from datetime import timedelta

import pytest

from pbem.store.engine import session
from pbem.store.tables import InboxStatus
from tests.judge.conftest import OpenParlour
from tests.judge.parlour import ANNA, Parlour, mail
from tests.store import boxes

FROM = f"From: Anna <{ANNA}>"
ORDERS = "board"


def plain(*headers: str, sender: str = FROM, text: str = ORDERS) -> str:
    return "\r\n".join((sender, *headers, "", text, ""))


def parts(kind: str, second: str, content: str) -> str:
    head = (FROM, "MIME-Version: 1.0", f'Content-Type: {kind}; boundary="b"', "")
    body = ("--b", "Content-Type: text/plain", "", ORDERS, "--b", f"Content-Type: {second}", "")
    return "\r\n".join((*head, *body, content, "--b--", ""))


MACHINES = {
    "a vacation by the standard": (plain("Auto-Submitted: auto-replied"), "auto-reply"),
    "a vacation with a comment": (plain("Auto-Submitted: (why) auto-replied"), "auto-reply"),
    "a notice of a program": (plain("Auto-Submitted: auto-generated"), "auto-reply"),
    "precedence bulk": (plain("Precedence: bulk"), "auto-reply"),
    "precedence junk": (plain("Precedence: junk"), "auto-reply"),
    "precedence list": (plain("Precedence: list"), "list"),
    "precedence auto_reply": (plain("Precedence: auto_reply"), "auto-reply"),
    "x-autoreply": (plain("X-Autoreply: yes"), "auto-reply"),
    "x-autorespond": (plain("X-Autorespond: 1"), "auto-reply"),
    "a list": (plain("List-Id: <risk.lists.example.com>"), "list"),
    "a newsletter": (plain("List-Unsubscribe: <mailto:off@example.com>"), "list"),
    "mailer-daemon": (plain(sender="From: MAILER-DAEMON@mx.example.com"), "bounce"),
    "failed recipients": (plain("X-Failed-Recipients: berta@example.net"), "bounce"),
    "a subject in English": (plain("Subject: Out of office: back Monday"), "auto-reply"),
    "a subject in Italian": (plain("Subject: Risposta automatica: in ferie"), "auto-reply"),
    "a subject in Dutch": (plain("Subject: Automatisch antwoord: vrij"), "auto-reply"),
    "a subject in Slovenian": (plain("Subject: Samodejni odgovor: dopust"), "auto-reply"),
    "a subject in German": (plain("Subject: Automatische Antwort: Urlaub"), "auto-reply"),
    "our own letter": (plain("X-PBEM-Kind: turn-call"), "auto-reply"),
    "our own letter by its state": (plain("X-PBEM-State: game=g1 turn=3"), "auto-reply"),
    "a delivery report": (
        parts(
            "multipart/report; report-type=delivery-status",
            "message/delivery-status",
            "Reporting-MTA: dns; x\r\n\r\nAction: failed\r\nStatus: 5.1.1",
        ),
        "bounce",
    ),
    "a read receipt": (
        parts(
            "multipart/report; report-type=disposition-notification",
            "message/disposition-notification",
            "Disposition: manual-action/MDN-sent-manually; displayed",
        ),
        "receipt",
    ),
    "a feedback report": (
        parts(
            "multipart/report; report-type=feedback-report",
            "message/feedback-report",
            "Feedback-Type: abuse",
        ),
        "report",
    ),
    "an answer to an invitation": (
        parts(
            "multipart/alternative",
            "text/calendar; method=REPLY",
            "BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\nEND:VCALENDAR",
        ),
        "calendar",
    ),
}


@pytest.mark.parametrize("name", MACHINES)
def test_a_machines_mail_is_kept_and_not_answered(parlour: OpenParlour, name: str) -> None:
    raw, kind = MACHINES[name]
    house = parlour(proofs=False)
    before, letters = house.step(), len(house_letters(house))
    (row,) = house.bring(raw.encode(), house.address())
    assert (row.status, row.result) == (InboxStatus.IGNORED, kind)
    assert row.raw == raw.encode()
    assert (house.step(), len(house_letters(house))) == (before, letters)


def house_letters(house: Parlour) -> list[object]:
    house.play()
    return list(house.letters())


def test_the_null_sender_is_a_machine(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    (row,) = house.bring(mail(ORDERS), house.address(), mail_from="")
    assert (row.status, row.result) == (InboxStatus.IGNORED, "auto-reply")


@pytest.mark.parametrize(
    "headers",
    [
        ("Auto-Submitted: no",),
        ("X-Auto-Response-Suppress: All",),
        ("Subject: Re: Out of office, I said",),
        ("Precedence: first-class",),
    ],
)
def test_a_person_is_answered(parlour: OpenParlour, headers: tuple[str, ...]) -> None:
    house = parlour(proofs=False)
    (row,) = house.bring(plain(*headers, "Message-ID: <p@example.com>").encode(), house.address())
    assert house.answers(row) == ["done"]


def test_none_of_our_own_letters_is_answered_when_it_comes_back(parlour: OpenParlour) -> None:
    """Two houses, or a forward that runs in a circle."""
    house = parlour(proofs=False)
    house.bring(mail("board"), house.address())
    house.bring(mail("help, please, what?"), house.address())
    house.bring(mail("board", sender="who@rival.example"), house.address())
    written = house.letters()
    assert len(written) > 4
    for letter in written:
        back = letter.as_bytes().replace(b"From: ", b"X-Was-From: ", 1)
        (row,) = house.bring(FROM.encode() + b"\r\n" + back, house.address())
        assert row.status in (InboxStatus.IGNORED, InboxStatus.SET_ASIDE)
    assert len(house.letters()) == len(written)


# -- the same again, and the same id with something else --


def test_the_same_id_with_the_same_text_has_one_answer(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    raw, to = mail(ORDERS, message_id="<one@example.com>"), house.address()
    (first,) = house.bring(raw, to)
    house.now += timedelta(minutes=1)
    (again,) = house.bring(b"Received: by another way; now\r\n" + raw, to)
    assert again.id == first.id
    assert house.answers(first) == ["done"]


def test_the_same_id_with_other_text_is_set_aside(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    to = house.address()
    (first,) = house.bring(mail(ORDERS, message_id="<one@example.com>"), to)
    (other,) = house.bring(mail("hand", message_id="<one@example.com>"), to)
    assert other.id != first.id
    assert (other.status, house.answers(other)) == (InboxStatus.SET_ASIDE, [])
    with session(house.engine) as opened:
        assert [row.id for row in boxes.mails(opened, (InboxStatus.SET_ASIDE,))] == [other.id]


@pytest.mark.parametrize("message_id", [None, "not an id", "<a@b> <c@d>"])
def test_without_a_sound_id_the_content_tells_mails_apart(
    parlour: OpenParlour, message_id: str | None
) -> None:
    house = parlour(proofs=False)
    to = house.address()
    (first,) = house.bring(mail(ORDERS, message_id=message_id), to)
    (again,) = house.bring(mail(ORDERS, message_id=message_id), to)
    (other,) = house.bring(mail("hand", message_id=message_id), to)
    assert first.id == again.id != other.id
    assert (house.answers(first), house.answers(other)) == (["done"], ["done"])


# -- one mail to several games --


def test_one_mail_to_two_games_is_answered_in_both(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    second = house.new_game()
    raw = mail(ORDERS, message_id="<both@example.com>")
    rows = house.bring(raw, house.address(), house.address(game_id=second))
    assert [row.game_id for row in rows] == [house.game_id, second]
    assert [house.answers(row) for row in rows] == [["done"], ["done"]]
    house.bring(raw, house.address(), house.address(game_id=second))
    assert [house.answers(row) for row in rows] == [["done"], ["done"]]


def test_the_same_recipient_twice_is_one_delivery(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    to = house.address()
    first, again = house.bring(mail(ORDERS), to, to.replace("play+", "play.").upper())
    assert first.id == again.id


def test_a_mail_to_two_seats_speaks_for_its_own_one(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    mine, other = house.bring(mail(ORDERS), house.address("A"), house.address("B"))
    assert house.answers(mine) == ["done"]
    assert other.status == InboxStatus.HELD


def test_a_letter_to_the_postmaster_is_set_aside(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    (row,) = house.bring(mail("hello"), f"Postmaster@{house.house.domain}")
    assert (row.status, row.game_id) == (InboxStatus.SET_ASIDE, None)
