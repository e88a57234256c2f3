"""What reports of all shapes say: hard, soft, or nothing."""

import pytest

from pbem.mail.bounces import shown_reply
from pbem.mail.inbound import read
from pbem.mail.reading import Kind, Reading


def report(*blocks: str, kind: str = "delivery-status") -> bytes:
    """A report in the standard's form with these fields for each recipient."""
    fields = "\r\n\r\n".join(("Reporting-MTA: dns; mx.example.com", *blocks))
    return (
        "From: Mail Delivery System <MAILER-DAEMON@mx.example.com>\r\n"
        "Subject: Undelivered Mail Returned to Sender\r\n"
        f'Content-Type: multipart/report; report-type={kind}; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nSorry, 4.4.1 and 5.1.1 stand here too.\r\n"
        f"--b\r\nContent-Type: message/delivery-status\r\n\r\n{fields}\r\n"
        "--b--\r\n"
    ).encode()


def block(action: str, status: str) -> str:
    return f"Final-Recipient: rfc822; anna@example.com\r\nAction: {action}\r\nStatus: {status}"


@pytest.mark.parametrize(
    ("blocks", "wanted"),
    [
        ([block("failed", "5.1.1")], "hard-bounce"),
        ([block("failed", "5.0.0 (unknown)")], "hard-bounce"),
        ([block("Failed", "5.1.10")], "hard-bounce"),
        ([block("failed", "4.4.7")], "soft-bounce"),
        ([block("failed", "5.2.2")], "soft-bounce"),
        ([block("failed", "5.7.1")], "soft-bounce"),
        ([block("delayed", "4.4.1")], "soft-bounce"),
        ([block("delayed", "5.1.1")], "soft-bounce"),
        ([block("delivered", "2.0.0")], None),
        ([block("relayed", "2.0.0")], None),
        ([block("relayed", "2.0.0"), block("failed", "5.1.1")], "hard-bounce"),
        ([block("failed", "4.4.7"), block("failed", "5.1.1")], "hard-bounce"),
    ],
)
def test_a_report_in_the_standards_form(blocks: list[str], wanted: str | None) -> None:
    found = read(report(*blocks), envelope_from="")
    assert found.kind is Kind.BOUNCE
    assert [note for note in found.notes if "bounce" in note] == ([wanted] if wanted else [])


@pytest.mark.parametrize(
    ("blocks", "said"),
    [
        (
            [f"{block('failed', '5.1.1')}\r\nDiagnostic-Code: smtp; 550 5.1.1 No such\r\n user"],
            "550 5.1.1 No such user",
        ),
        ([block("relayed", "2.0.0"), block("failed", "5.1.1")], "5.1.1"),
        ([block("delivered", "2.0.0")], ""),
    ],
)
def test_why_a_letter_came_back(blocks: list[str], said: str) -> None:
    found = read(report(*blocks), envelope_from="")
    assert found.said == said
    assert Reading.from_json(found.as_json()) == found


def test_a_reply_is_told_in_one_line_without_keys_and_ends() -> None:
    said = "550-5.1.1 <play+g7.a.3.1.abcdefghijklmnop@x.example>\r\n unknown \x1b[1m, see\n"
    link = "https://games.example.org/key/abc?to=d, or mailto:bounce+g7@x.example"
    shown = shown_reply(said + link)
    assert shown == ("550-5.1.1 <…@x.example> unknown [1m, see https://… or mailto:…@x.example")
    assert len(shown_reply("x" * 9000)) == 300
    assert shown_reply("a" * 20_000 + "@b " + "c" * 20_000) == "…@b " + "c" * 296


QMAIL = """From: MAILER-DAEMON@example.com
Subject: failure notice

Hi. This is the qmail-send program at example.com.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<anna@example.com>:
Sorry, no mailbox here by that name.

--- Below this line is a copy of the message.
"""

POSTFIX_DELAY = """From: MAILER-DAEMON@mx.example.com (Mail Delivery System)
Subject: Warning: could not send message for past 4 hours

<anna@example.com>: host mx.example.com said: 451 4.3.0 try again
"""

UNKNOWN_FORM = """From: Postmaster <postmaster@example.com>
Subject: Nachricht unzustellbar

Das Postfach gibt es nicht: 550 5.1.1 unbekannt
"""

NO_CODE = """From: Postmaster <postmaster@example.com>
Subject: returned mail

Something went wrong at 10.5.1.1 somewhere.
"""


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        (QMAIL, "hard-bounce"),
        (POSTFIX_DELAY, "soft-bounce"),
        (UNKNOWN_FORM, "hard-bounce"),
        (NO_CODE, None),
    ],
)
def test_other_forms(raw: str, wanted: str | None) -> None:
    found = read(raw.encode(), envelope_from="")
    assert found.kind is Kind.BOUNCE
    assert [note for note in found.notes if "bounce" in note] == ([wanted] if wanted else [])


def test_a_person_who_writes_of_a_bounce_sent_none() -> None:
    raw = b"From: anna@example.com\r\nSubject: Re: turn 3\r\n\r\nI got a 550 5.1.1 from you\r\n"
    found = read(raw, envelope_from="anna@example.com")
    assert found.kind is Kind.ORDERS
    assert not [note for note in found.notes if "bounce" in note]
