"""The same letter gives the same bytes, and the bytes give the letter back."""

from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from pbem.mail.letter import Attachment, Letter, message_id, to_bytes

LETTER = Letter(
    kind="turn-call",
    subject="[g7] Turn 23: your move, Blue",
    text="--- write your orders above this line ---\n\nTurn 23 - your move, Anna.\n",
    html=None,
    sender="World conquest <play+g7.a.23.2.abcdefghijklmnop@play.example.org>",
    reply_to="play+g7.a.23.2.abcdefghijklmnop@play.example.org",
    to="Anna <anna@example.org>",
    message_id=message_id("play.example.org", "g7", 23, "A", "turn-call", 1),
    date=datetime(2026, 12, 1, 20, 0, tzinfo=UTC),
)
PICTURE = Attachment(
    "image/png", "board.png", b"\x89PNG\r\n\x1a\n" * 20, cid="board@play.example.org"
)
TWIN = Attachment("application/json", "state.json", b'{"turn": 23}')


def parsed(letter: Letter) -> EmailMessage:
    message = message_from_bytes(to_bytes(letter).replace(b"\r\n", b"\n"), policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def shape(message: EmailMessage) -> list[str]:
    return [part.get_content_type() for part in message.walk()]


words = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\u2028\u2029\x85"),
    max_size=120,
)


@given(words, words, st.lists(st.from_regex(r"<[a-z0-9]{1,90}@[a-z]{1,20}>", fullmatch=True)))
@settings(deadline=None, max_examples=50)
def test_any_letter_has_the_same_bytes_twice_and_reads_back(
    subject: str, text: str, ids: list[str]
) -> None:
    letter = replace(
        LETTER,
        subject=subject.strip(),
        text=text + "\n",
        html=f"<p>{text}</p>\n",
        references=tuple(ids),
        in_reply_to=ids[0] if ids else None,
        attachments=(PICTURE, TWIN),
    )
    raw = to_bytes(letter)
    message = parsed(letter)
    assert raw == to_bytes(letter)
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert b"\n" not in raw.replace(b"\r\n", b"")
    plain = message.get_body(("plain",))
    assert plain is not None
    assert plain.get_content() == text + "\n"
    assert str(message["References"] or "").split() == ids
    assert message.get("In-Reply-To") == letter.in_reply_to


@pytest.mark.parametrize(
    "subject",
    [
        "Però è così",
        "Turn 23: Žiga čaka",
        "x" * 200,
        "日本" * 40,
        "a  b",
        "Re: [g1] Poteza 4: na vrsti si, Zeleni (do pon. 30. nov. 14:46) - še 8 sekund",
        "sekund Ærø 30. nov. 4: [g1] za si, 14:46) Re: za è še",
        " ".join(["a", "bč", "dé", "ef"] * 20),
    ],
)
def test_a_subject_comes_back(subject: str) -> None:
    assert parsed(replace(LETTER, subject=subject))["Subject"] == subject


def test_lines_of_78_columns_survive() -> None:
    text = "".join(character * 78 + "\n" for character in "abé") + ".\nFrom Siam\n"
    assert parsed(replace(LETTER, text=text)).get_content() == text


def test_pictures_stand_inside_related_and_files_outside() -> None:
    letter = replace(
        LETTER, html='<img src="cid:board@play.example.org">', attachments=(PICTURE, TWIN)
    )
    assert shape(parsed(letter)) == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "application/json",
    ]


def test_a_letter_of_text_alone_is_one_part() -> None:
    assert shape(parsed(LETTER)) == ["text/plain"]
    assert shape(parsed(replace(LETTER, html="<p>x</p>"))) == [
        "multipart/alternative",
        "text/plain",
        "text/html",
    ]


def test_headers_say_kind_and_who_wrote() -> None:
    letter = replace(
        LETTER,
        sender="Però è <play+x@play.example.org>",
        headers={
            "X-PBEM-State": "game=g7 turn=23 step=2 phase=attack to-place=0 open=yes",
            "List-Unsubscribe": f"<https://play.example.org/u/{'k' * 120}>, <mailto:a@b.org>",
        },
    )
    raw, message = to_bytes(letter), parsed(letter)
    assert message["X-PBEM-Kind"] == "turn-call"
    assert message["X-PBEM-State"] == letter.headers["X-PBEM-State"]
    assert f"<https://play.example.org/u/{'k' * 120}>".encode() in raw
    assert message["From"].addresses[0].display_name == "Però è"
    assert message["From"].addresses[0].addr_spec == "play+x@play.example.org"
    assert message["Auto-Submitted"] == "auto-generated"


def test_an_answer_carries_exactly_the_id_it_answers() -> None:
    long_id = f"<{'A' * 150}@prod.example.com>"
    raw = to_bytes(replace(LETTER, in_reply_to=long_id, auto_submitted="auto-replied"))
    assert f"In-Reply-To: {long_id}\r\n".encode() in raw


@pytest.mark.parametrize("field", ["subject", "to", "sender", "in_reply_to", "message_id"])
def test_no_value_can_add_a_header(field: str) -> None:
    changed: dict[str, Any] = {field: "x\r\nBcc: mallory@example.org"}
    with pytest.raises(ValueError, match="line break"):
        to_bytes(replace(LETTER, **changed))


def test_message_ids_are_readable_and_differ_by_each_part() -> None:
    one = message_id("play.example.org", "g7", 23, "A", "done", 1)
    assert one == message_id("play.example.org", "g7", 23, "A", "done", 1)
    assert one.startswith("<g7.23.a.done.1.")
    assert one.endswith("@play.example.org>")
    others = {
        message_id("play.example.org", "g7", 23, "A", "done", 2),
        message_id("play.example.org", "g7", 23, "a", "done", 1),
        message_id("play.example.org", "g7", 2, "3A", "done", 1),
    }
    assert len(others | {one}) == 4
