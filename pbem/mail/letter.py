"""A letter as a value, and its bytes: the same letter always gives the same bytes."""

import base64
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.header import Header
from email.utils import format_datetime, formataddr, parseaddr
from typing import Literal

from .mime import file_part, multipart, text_part

AutoSubmitted = Literal["auto-generated", "auto-replied"]

_HEADER_WIDTH = 78
_LINE_BREAKS = re.compile(r"[\r\n\0]")
_HEADER_NAME = re.compile(r"[!-9;-~]+")
_UNREADABLE = re.compile(r"[^a-z0-9-]+")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file beside the text; with a `cid` it is a picture that the HTML part shows."""

    content_type: str
    filename: str
    data: bytes
    cid: str | None = None


@dataclass(frozen=True, slots=True)
class Letter:
    """All that decides the bytes of one mail.

    `sender` is a display name with an address; ids stand in angle brackets; `date` has a zone.
    """

    kind: str
    subject: str
    text: str
    html: str | None
    sender: str
    reply_to: str
    to: str
    message_id: str
    date: datetime
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    auto_submitted: AutoSubmitted = "auto-generated"
    headers: Mapping[str, str] = field(default_factory=dict)
    attachments: tuple[Attachment, ...] = ()


def message_id(domain: str, *parts: str | int) -> str:
    """A Message-ID that the parts alone decide: readable, and unique by a short hash of them."""
    exact = "\0".join(str(part) for part in parts)
    short_hash = base64.b32encode(hashlib.sha256(exact.encode()).digest())[:12].decode().lower()
    readable = ".".join(_UNREADABLE.sub("-", str(part).lower()).strip("-") for part in parts)
    return f"<{readable[:60].strip('.') or 'letter'}.{short_hash}@{domain}>"


def to_bytes(letter: Letter) -> bytes:
    """The mail as it goes over the wire, CRLF. ValueError if a header holds a line break."""
    return _header_block(letter) + _body(letter)


def _body(letter: Letter) -> bytes:
    files = [file for file in letter.attachments if file.cid is None or letter.html is None]
    readable = _readable(letter)
    if not files:
        return readable
    beside = [file_part(file.content_type, file.filename, file.data) for file in files]
    return multipart("mixed", [readable, *beside], letter.message_id)


def _readable(letter: Letter) -> bytes:
    plain = text_part(letter.text, "plain")
    if letter.html is None:
        return plain
    shown = text_part(letter.html, "html")
    pictures = [
        file_part(file.content_type, file.filename, file.data, file.cid)
        for file in letter.attachments
        if file.cid
    ]
    if pictures:
        shown = multipart("related", [shown, *pictures], letter.message_id)
    return multipart("alternative", [plain, shown], letter.message_id)


def _header_block(letter: Letter) -> bytes:
    lines = [
        _address("From", letter.sender),
        _address("To", letter.to),
        _address("Reply-To", letter.reply_to),
        _header("Subject", letter.subject),
        _header("Date", format_datetime(letter.date)),
        _header("Message-ID", letter.message_id),
    ]
    if letter.in_reply_to:
        lines.append(_header("In-Reply-To", letter.in_reply_to))
    if letter.references:
        lines.append(_header("References", " ".join(letter.references)))
    lines.append(_header("Auto-Submitted", letter.auto_submitted))
    own = {"X-PBEM-Kind": letter.kind, **letter.headers}
    lines += [_header(name, own[name]) for name in sorted(own)]
    lines.append("MIME-Version: 1.0\r\n")
    return "".join(lines).encode("ascii")


def _address(name: str, value: str) -> str:
    _refuse_breaks(name, value)
    return _header(name, formataddr(parseaddr(value)))


def _header(name: str, value: str) -> str:
    """One header with its CRLF.

    ASCII is folded by hand: the standard library turns long ids and addresses of pages into
    encoded words, which nobody decodes there.
    """
    _refuse_breaks(name, value)
    if value.isascii():
        return _folded(f"{name}: {value}")
    # As a whole: where a policy folds between encoded words, a blank is lost or comes twice.
    words = Header(value, "utf-8", maxlinelen=_HEADER_WIDTH, header_name=name)
    return f"{name}: " + words.encode(linesep="\r\n") + "\r\n"


def _folded(header: str) -> str:
    if len(header) <= _HEADER_WIDTH:
        return f"{header}\r\n"
    lines = [""]
    for word in re.split(r"(?<=\S)(?= \S)", header):
        if len(lines[-1]) + len(word) > _HEADER_WIDTH and lines[-1].count(" "):
            lines.append("")
        lines[-1] += word
    return "\r\n".join(lines) + "\r\n"


def _refuse_breaks(name: str, value: str) -> None:
    if not _HEADER_NAME.fullmatch(name) or _LINE_BREAKS.search(value):
        raise ValueError(f"header {name!r} holds a line break")
