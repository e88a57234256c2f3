"""Our way to read headers finds what the library's parser finds, in whatever bytes."""

import random
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from pathlib import Path

import pytest

from pbem.mail.header import plain_breaks, read_headers

LETTERS = sorted((Path(__file__).parents[1] / "letters").glob("*.eml"))
SEED = 20261130
PIECES = (
    *(b"Subject: x", b"From: a@b", b"From a@b Mon", b"To:", b" folded", b"\ttab", b":", b": x"),
    *(b"\xff\xfe: y", b"no colon", b"X Y: z", b"A:\x00", b"Message-ID: <a@b>", b"  ", b""),
)


def by_the_library(raw: bytes) -> list[tuple[str, str]]:
    parsed = BytesParser(Message, policy=compat32).parsebytes(plain_breaks(raw), headersonly=True)
    return list(parsed.raw_items())


def test_the_headers_of_every_letter_of_the_corpus() -> None:
    assert LETTERS
    for path in LETTERS:
        raw = path.read_bytes()
        assert list(read_headers(raw).raw_items()) == by_the_library(raw), path.name


@pytest.mark.parametrize("part", range(4))
def test_the_headers_of_rubbish(part: int) -> None:
    chance = random.Random(SEED + part)
    for _ in range(250):
        lines = chance.choices(PIECES, k=chance.randint(0, 8))
        raw = b"".join(line + chance.choice((b"\r\n", b"\n", b"\r")) for line in lines)
        assert list(read_headers(raw).raw_items()) == by_the_library(raw), (SEED + part, raw)
