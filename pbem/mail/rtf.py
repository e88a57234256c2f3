"""Rich text to lines: what Outlook puts into a winmail.dat, packed and unpacked.

Only the words count here. The format is Microsoft's (MS-OXRTFCP for the packing).
"""

import re
import struct
from collections.abc import Iterator

from .charset import decode

_LONGEST = 1024 * 1024
_PACKED, _PLAIN = b"LZFu", b"MELA"
_HEADER = struct.Struct("<II4sI")
# What every packer and unpacker knows beforehand.
_KNOWN = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern "
    b"\\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0"
    b"\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
_WINDOW = 4096
_BLANK = 0x20

_TOKEN = re.compile(
    r"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?[0-9]{1,10})? ?"
    r"|\\'(?P<byte>[0-9a-fA-F]{2})|\\(?P<sign>[^a-zA-Z'])|(?P<brace>[{}])|(?P<text>[^\\{}]+)",
    re.DOTALL,
)
_BREAKS = frozenset({"par", "line", "row", "sect", "page"})
_GAPS = {"tab": "\t", "cell": " ", "emdash": "-", "endash": "-", "bullet": "*", "nbsp": " "}
_SIGNS = {"~": " ", "_": "-", "\n": "\n", "\r": "\n", "\\": "\\", "{": "{", "}": "}"}
_UNSEEN = frozenset(
    (
        *("fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "themedata", "datastore"),
        *("listtable", "listoverridetable", "rsidtbl", "generator", "latentstyles", "fldinst"),
        *("header", "footer", "xmlnstbl", "colorschememapping", "mmathPr"),
    )
)


def unpacked(packed: bytes) -> bytes:
    """The rich text inside a packed one, 1 MiB at most. ValueError if it is neither."""
    if len(packed) < _HEADER.size:
        raise ValueError("too short for rich text")
    _, size, kind, _ = _HEADER.unpack_from(packed)
    content = packed[_HEADER.size :]
    if kind == _PLAIN:
        return content[: min(size, _LONGEST)]
    if kind != _PACKED:
        raise ValueError("no packed rich text")
    return _inflated(content, min(size, _LONGEST))


def _inflated(content: bytes, size: int) -> bytes:
    """Eight items after each byte of flags: a byte, or a place and a length in the last 4096."""
    known = bytearray(_KNOWN)
    for item, flagged in _items(content):
        if not flagged:
            known += item
            continue
        place, length = int.from_bytes(item, "big") >> 4, (item[1] & 15) + 2
        start = _start(place, len(known))
        if start is None:
            break
        # The copy may read what it has only just written.
        for at in range(start, start + length):
            known.append(known[at] if at >= 0 else _BLANK)
        if len(known) > size + len(_KNOWN):
            break
    return bytes(known[len(_KNOWN) :][:size])


def _items(content: bytes) -> Iterator[tuple[bytes, bool]]:
    """What the flags announce: one byte each, or two where the bit is set."""
    read = 0
    while read < len(content):
        flags, read = content[read], read + 1
        for bit in range(8):
            flagged = bool(flags >> bit & 1)
            item = content[read : read + 1 + flagged]
            read += 1 + flagged
            if len(item) == 1 + flagged:
                yield item, flagged


def _start(place: int, written: int) -> int | None:
    """Where in all that was written a place of the window is; None at the mark of the end."""
    back = (written - place) % _WINDOW
    return None if back == 0 else written - back


def rtf_to_text(rich: bytes) -> str:
    """The words that a reader of rich text shows, one line a paragraph."""
    reader = _Reader()
    for token in _TOKEN.finditer(rich[:_LONGEST].decode("latin-1")):
        reader.take(token)
    return reader.text()


class _Reader:
    """What holds inside of each pair of braces: whether it is shown, and how `\\u` is doubled."""

    def __init__(self) -> None:
        self._outer: list[tuple[bool, int]] = []
        self._shown, self._doubles = True, 1
        self._skip = 0
        self._charset = "windows-1252"
        self._bytes = bytearray()
        self._pieces: list[str] = []

    def text(self) -> str:
        """All that was shown."""
        self._flush()
        return "".join(self._pieces)

    def take(self, token: re.Match[str]) -> None:
        """The next token."""
        if (byte := token["byte"]) is not None:
            self._byte(int(byte, 16))
        elif (word := token["word"]) is not None:
            self._word(word, token["number"])
        elif (brace := token["brace"]) is not None:
            self._brace(brace)
        elif (sign := token["sign"]) is not None:
            self._sign(sign)
        else:
            self._plain(token["text"].replace("\r", "").replace("\n", ""))

    def _byte(self, byte: int) -> None:
        if self._skip:
            self._skip -= 1
        elif self._shown:
            self._bytes.append(byte)

    def _word(self, word: str, number: str | None) -> None:
        if word == "u" and number is not None:
            self._show(chr(int(number) % 0x10000))
            self._skip = self._doubles
        elif word == "uc" and number is not None:
            self._doubles = max(0, int(number))
        elif word == "ansicpg" and number is not None:
            self._charset = f"windows-{number}"
        elif word in _UNSEEN:
            self._shown = False
        elif word in _BREAKS:
            self._show("\n")
        elif word in _GAPS:
            self._show(_GAPS[word])

    def _brace(self, brace: str) -> None:
        self._flush()
        self._skip = 0
        if brace == "{":
            self._outer.append((self._shown, self._doubles))
        elif self._outer:
            self._shown, self._doubles = self._outer.pop()

    def _sign(self, sign: str) -> None:
        if sign == "*":  # a kind of group that readers need not know
            self._shown = False
        elif sign in _SIGNS:
            self._show(_SIGNS[sign])

    def _plain(self, text: str) -> None:
        skipped, self._skip = min(self._skip, len(text)), max(0, self._skip - len(text))
        self._show(text[skipped:])

    def _show(self, text: str) -> None:
        if self._shown and text:
            self._flush()
            self._pieces.append(text)

    def _flush(self) -> None:
        if self._bytes:
            self._pieces.append(decode(bytes(self._bytes), self._charset)[0])
            self._bytes.clear()
