"""What every letter carries on the way out, whatever it says (mail.md, "Outgoing")."""

import re
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime

import pytest

from pbem.mail import address
from tests.judge.conftest import OpenParlour
from tests.judge.parlour import DOMAIN, Parlour, kinds, mail
from tests.mail.forge import Names, keys, signed

ANSWERS = {"done", "mistakes", "help", "not-understood"}
SOMETIMES = {"confirm"}


def letters(house: Parlour) -> list[Message]:
    """Letters of many kinds: calls, answers, a question, and those of another game's lobby."""
    house.bring(signed(mail("board")), house.address())
    house.bring(signed(mail("help")), house.address())
    house.bring(signed(mail("")), house.address())
    house.bring(signed(mail("YES")), house.address())
    house.bring(mail("board", sender="who@rival.example"), house.address())
    invited = house.new_game(start=False)
    house.bring(signed(mail("YES")), house.address(game_id=invited))
    house.bring(
        signed(mail("NO", sender="berta@example.net"), "example.net"),
        house.address("B", invited),
    )
    return house.letters()


@pytest.fixture
def written(parlour: OpenParlour) -> list[Message]:
    return letters(parlour(names=Names(keys(), keys("example.net"))))


def test_many_kinds_are_looked_at(written: list[Message]) -> None:
    assert ANSWERS | SOMETIMES | {"setup-call", "invitation", "joined", "note"} <= set(
        kinds(written)
    )


def test_headers_that_all_letters_have(written: list[Message]) -> None:
    for letter in written:
        for name in ("From", "To", "Reply-To", "Subject", "Date", "Message-ID", "MIME-Version"):
            assert len(letter.get_all(name, [])) == 1, (letter["X-PBEM-Kind"], name)
        assert letter["X-Auto-Response-Suppress"] == "All"
        assert re.fullmatch(rf"<g\d+\.games\.{re.escape(DOMAIN)}>", letter["List-Id"])
        assert re.fullmatch(rf"<[^<>\s]+@{re.escape(DOMAIN)}>", letter["Message-ID"])
        assert parsedate_to_datetime(letter["Date"]).tzinfo is not None


def test_headers_that_no_letter_has(written: list[Message]) -> None:
    for letter in written:
        for name in ("Sender", "Precedence", "List-Post", "Return-Path", "Bcc"):
            assert letter[name] is None


def test_from_is_where_the_answer_goes(written: list[Message]) -> None:
    for letter in written:
        ((_, author),) = getaddresses([letter["From"]])
        ((_, reply),) = getaddresses([letter["Reply-To"]])
        assert author == reply


def test_ids_are_never_given_twice(written: list[Message]) -> None:
    given = [letter["Message-ID"] for letter in written]
    assert len(set(given)) == len(given)


def test_answers_name_the_mail_that_they_answer_and_nothing_else_does(
    written: list[Message],
) -> None:
    for letter in written:
        kind = letter["X-PBEM-Kind"]
        replied = letter["In-Reply-To"] is not None
        assert replied or kind not in ANSWERS | {"joined"}
        assert not replied or kind in ANSWERS | {"joined", "note"} | SOMETIMES
        wanted = "auto-replied" if replied else "auto-generated"
        assert letter["Auto-Submitted"] == wanted
        assert len((letter["References"] or "").split()) <= 10


def test_bounces_come_back_to_an_address_that_gives_no_orders(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    play = address.parse(house.address())
    assert play is not None
    bounce = address.parse_bounce(address.bounce_address(play, DOMAIN))
    assert bounce is not None
    with pytest.raises(AssertionError, match=r"550 5\.1\.1"):
        house.bring(mail("board"), house.address().replace(play.tag, bounce.tag))


@pytest.mark.parametrize(
    "odd",
    [
        "no.brackets@example.com",
        "<with a space@example.com>",
        "<two@example.com> <ids@example.com>",
        "<commented@example.com> (by hand)",
        f"<{'long' * 150}@example.com>",
        "<žoga@example.com>",
    ],
)
def test_an_odd_message_id_is_repeated_as_it_is(parlour: OpenParlour, odd: str) -> None:
    house = parlour(proofs=False)
    house.bring(mail("board", message_id=odd), house.address())
    answer = house.letters()[-1]
    assert str(make_header(decode_header(answer["In-Reply-To"]))) == odd
    assert odd not in (answer["References"] or "")
    assert answer["Auto-Submitted"] == "auto-replied"


def test_a_message_id_in_two_lines_is_repeated(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    house.bring(mail("board", message_id="\r\n <folded@example.com>"), house.address())
    assert house.letters()[-1]["In-Reply-To"] == "<folded@example.com>"


def test_a_mail_without_a_message_id_is_answered_too(parlour: OpenParlour) -> None:
    house = parlour(proofs=False)
    house.bring(mail("board", message_id=None), house.address())
    answer = house.letters()[-1]
    assert (answer["X-PBEM-Kind"], answer["In-Reply-To"]) == ("done", None)
