"""The content of a mail up to its final dot, in whatever pieces it comes."""

import random

import pytest

from pbem.mail.content import Content


def read(data: bytes, *cuts: int, largest: int = 1000, line: int = 100) -> tuple[Content, bytes]:
    """The content, and what came behind its end."""
    content = Content(largest, line)
    pieces = [data[a:b] for a, b in zip((0, *cuts), (*cuts, len(data)), strict=True)]
    for number, piece in enumerate(pieces):
        rest = content.feed(piece)
        if rest is not None:
            return content, rest + b"".join(pieces[number + 1 :])
    raise AssertionError("no end was found")


@pytest.mark.parametrize(
    ("sent", "mail"),
    [
        (b".\r\n", b""),
        (b"\r\n.\r\n", b"\r\n"),
        (b"a\r\n.\r\n", b"a\r\n"),
        (b"..\r\n.\r\n", b".\r\n"),
        (b"..a\r\n...\r\n.\r\n", b".a\r\n..\r\n"),
        (b".a\r\n.\r\n", b"a\r\n"),
        (b"a.\r\n.b\r\n\r\n.\r\n", b"a.\r\nb\r\n\r\n"),
        (b"a\n.\nb\r\n.\r\n", b"a\n.\nb\r\n"),
        (b"a\r.\rb\r\n.\r\n", b"a\r.\rb\r\n"),
        (b"a\r\n.\n\r\n.\r\n", b"a\r\n\n\r\n"),
    ],
)
def test_every_cut_gives_the_same_mail(sent: bytes, mail: bytes) -> None:
    for behind in (b"", b"QUIT\r\n", b"\r\n.\r\n"):
        data = sent + behind
        for cut in range(len(data) + 1):
            for second in range(cut, len(data) + 1):
                content, rest = read(data, cut, second)
                assert (content.whole(), rest) == (mail, behind)
                assert not content.is_too_large


def test_a_mail_of_any_bytes_in_any_pieces_comes_through() -> None:
    rng = random.Random(7)
    for _ in range(500):
        mail = bytes(rng.choice(b".\r\nab") for _ in range(rng.randrange(60))) + b"\r\n"
        sent = (b"\r\n" + mail).replace(b"\r\n.", b"\r\n..")[2:] + b".\r\n"
        cuts = sorted(rng.randrange(len(sent) + 1) for _ in range(rng.randrange(9)))
        content, rest = read(sent, *cuts)
        assert (content.whole(), rest) == (mail, b"")


@pytest.mark.parametrize(("size", "too_large"), [(1000, False), (1001, True), (9000, True)])
def test_what_is_too_large_is_not_kept_and_still_ends(size: int, too_large: bool) -> None:
    sent = b"x" * (size - 2) + b"\r\n.\r\nQUIT\r\n"
    for piece in (7, 400, len(sent)):
        content, rest = read(sent, *range(piece, len(sent), piece), line=size)
        assert (content.is_too_large, rest) == (too_large, b"QUIT\r\n")
        assert len(content._held) < 1010


@pytest.mark.parametrize(("length", "is_long"), [(100, False), (101, True)])
def test_the_longest_line(length: int, is_long: bool) -> None:
    content, _ = read(b"a\r\n" + b"x" * length + b"\r\nb\r\n.\r\n")
    assert content.has_long_line is is_long


@pytest.mark.parametrize("line_break", [b"\r\n", b"\n", b"\r"])
def test_a_bare_break_ends_a_line_too(line_break: bytes) -> None:
    content, _ = read(line_break.join([b"x" * 100] * 3) + b"\r\n.\r\n")
    assert not content.has_long_line
