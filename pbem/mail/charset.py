"""Bytes to letters, whatever charset the mail claims."""

import codecs
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from types import MappingProxyType

# Labels that real programs write and Python does not know, or knows too narrowly.
_ALIASES = MappingProxyType(
    {
        "utf8mb4": "utf-8",
        "utf-8mb4": "utf-8",
        "unicode": "utf-8",
        "unicode-1-1-utf-7": "utf-7",
        "us-ascii": "utf-8",
        "ascii": "utf-8",
        "ansi_x3.4-1968": "utf-8",
        "x-unknown": "utf-8",
        "unknown-8bit": "utf-8",
        "default": "utf-8",
        "8bit": "utf-8",
        # Every browser and mail program reads Latin 1 as Microsoft's superset of it.
        "iso-8859-1": "windows-1252",
        "latin1": "windows-1252",
        "latin-1": "windows-1252",
        "iso8859-1": "windows-1252",
        "cp-850": "cp850",
        "cp-1252": "windows-1252",
        "x-cp1252": "windows-1252",
        "x-cp1250": "windows-1250",
        "windows-874": "cp874",
        "iso-8859-8-i": "iso-8859-8",
        "iso-8859-8-e": "iso-8859-8",
        "x-mac-roman": "mac-roman",
        "macintosh": "mac-roman",
        "x-mac-ce": "mac-latin2",
        "gb2312": "gb18030",
        "gbk": "gb18030",
        "x-gbk": "gb18030",
        "ks_c_5601-1987": "cp949",
        "ks_c_5601": "cp949",
        "euc-kr": "cp949",
        "x-sjis": "cp932",
        "shift_jis": "cp932",
    }
)
# Codecs that Python would run on a stranger's bytes although no mail is written in them.
_NO_CHARSETS = frozenset({"idna", "punycode", "unicode_escape", "raw-unicode-escape", "undefined"})
_FALLBACKS = ("utf-8", "windows-1252")


def decode(data: bytes, label: str | None) -> tuple[str, str | None]:
    """The text, and a note code if the label did not fit: strict, then UTF-8, then Windows 1252.

    No guessing by statistics: order mails are too short for it.
    """
    named = _known(label) if label else "utf-8"
    marked = ("utf-16",) if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else ()
    for charset in (named, *marked, *_FALLBACKS):
        if charset is None:
            continue
        try:
            text = data.decode(charset)
        except (UnicodeError, LookupError):
            continue
        return text, None if charset == named else "charset"
    return data.decode("latin-1"), "charset"


def _known(label: str) -> str | None:
    bare = label.strip().strip("\"'").lower()
    try:
        name = codecs.lookup(_ALIASES.get(bare, bare)).name
    except (LookupError, ValueError):
        return None
    return None if name in _NO_CHARSETS else name
