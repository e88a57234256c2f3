"""Single facts of a mail without reading all of it."""

from datetime import UTC, datetime

import hypothesis.strategies as st
from hypothesis import given

from pbem.mail.glance import answered_ids, content_hash, own_text, subject
from pbem.mail.letter import Letter, to_bytes


def test_the_subject_stands_without_what_answers_add() -> None:
    assert subject(b"Subject: Re: RE: re:[g7] Turn 23\n\n") == "[g7] Turn 23"
    assert subject(b"Subject: =?utf-8?q?Perch=C3=A9?=\n =?utf-8?q?_no?=\n\n") == "Perché no"
    assert subject(b"From: a@b.org\n\n") == ""


def test_the_nearest_letter_that_is_answered_comes_first() -> None:
    raw = b"References: <1@x> <2@x>\nIn-Reply-To: <3@x>\n\n"
    assert answered_ids(raw) == ("<3@x>", "<2@x>", "<1@x>")


def test_our_own_text_comes_back() -> None:
    letter = Letter(
        kind="turn-call",
        subject="x",
        text="Perù\n| place 5 in Siam\n",
        html="<p>no</p>",
        sender="a@b.org",
        reply_to="a@b.org",
        to="c@d.org",
        message_id="<x@b.org>",
        date=datetime(2026, 12, 1, tzinfo=UTC),
    )
    raw = to_bytes(letter)
    assert own_text(raw).split("\n")[:2] == ["Perù", "| place 5 in Siam"]
    wrapped = b'Content-Type: multipart/mixed; boundary="new"\n\n--new\n%s\n--new--\n' % raw
    assert own_text(wrapped) == own_text(raw)
    assert own_text(wrapped.replace(b"--new\n", b"--new\nContent-Type: text/html\n\n--new\n", 1))
    assert own_text(b"Content-Type: multipart/mixed; boundary=torn\n\nno part\n") == ""


def test_a_retry_has_the_content_of_the_first_try() -> None:
    first = content_hash(b"Received: by one\r\nSubject: x\r\n\r\nend\r\n")
    assert content_hash(b"Received: by two\nSubject: x\n\nend\n\n") == first
    assert content_hash(b"Received: by one\r\nSubject: x\r\n\r\nplace\r\n") != first


@given(st.binary(max_size=500))
def test_no_bytes_break_a_glance(raw: bytes) -> None:
    assert isinstance(subject(raw), str)
    assert isinstance(answered_ids(raw), tuple)
    assert len(content_hash(raw)) == 64
