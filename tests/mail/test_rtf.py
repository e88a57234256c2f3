"""Rich text as Outlook packs it: the words, and nothing that breaks."""

import random
import struct

import pytest

from pbem.mail.rtf import _KNOWN, rtf_to_text, unpacked

PACKED = bytes.fromhex(
    "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
)


def packed(content: bytes) -> bytes:
    """Packed without any look back."""
    body = b"".join(b"\0" + content[at : at + 8] for at in range(0, len(content), 8))
    return struct.pack("<II4sI", len(body) + 12, len(content), b"LZFu", 0) + body


def test_the_example_of_the_format() -> None:
    assert len(_KNOWN) == 207
    assert unpacked(PACKED) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    assert rtf_to_text(unpacked(PACKED)) == "hello world"


def test_a_copy_may_read_what_it_writes() -> None:
    flagged = bytes([0b0000_0010]) + b"x" + ((207 << 4) | 15).to_bytes(2, "big")
    head = struct.pack("<II4sI", len(flagged) + 12, 18, b"LZFu", 0)
    assert unpacked(head + flagged) == b"x" * 18


def test_plain_rich_text_and_what_is_none() -> None:
    plain = struct.pack("<II4sI", 15, 3, b"MELA", 0) + b"abc"
    assert unpacked(plain) == b"abc"
    for broken in (b"", b"short", struct.pack("<II4sI", 15, 3, b"NONE", 0) + b"abc"):
        with pytest.raises(ValueError, match="rich text"):
            unpacked(broken)


@pytest.mark.parametrize(
    ("rich", "text"),
    [
        (rb"{\rtf1 place 5 in Siam\par end\par}", "place 5 in Siam\nend\n"),
        (rb"{\rtf1\ansicpg1252 Per\'f9\line {\b end}}", "Per\u00f9\nend"),
        (rb"{\rtf1\ansicpg1250 \'c8e\'9ako}", "\u010ce\u0161ko"),
        (rb"{\rtf1\uc1 Per\u249?\tab x\~y}", "Per\u00f9\tx y"),
        (rb"{\rtf1{\fonttbl{\f0 Arial;}}{\*\htmltag64 <p>}end{\*\htmltag72 </p>}\par}", "end\n"),
        (rb"{\rtf1{\pict 0102ff}\{a\} \\b}", "{a} \\b"),
        (b"{\\rtf1 one\r\ntwo\\par\r\nthree", "onetwo\nthree"),
    ],
)
def test_the_words_of_rich_text(rich: bytes, text: str) -> None:
    assert rtf_to_text(rich) == text


def test_no_bytes_break_it() -> None:
    rng = random.Random(11)
    for _ in range(300):
        noise = rng.randbytes(rng.randrange(200))
        unpacked(struct.pack("<II4sI", 0, 5000, b"LZFu", 0) + noise)
        rtf_to_text(noise)
        rtf_to_text(packed(noise))
