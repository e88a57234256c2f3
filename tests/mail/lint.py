"""Our own lint for letters as bytes: every rule of mail.md, "Outgoing", that a letter can break.

`faults(raw)` names what is wrong, one line each; an empty list is a letter that may leave.
"""

import re
import struct
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import getaddresses, parsedate_to_datetime
from typing import Literal

from selectolax.lexbor import LexborHTMLParser

ANSWERS = frozenset({"done", "mistakes", "paused", "preview", "help", "history", "stats"})
"""Kinds that only ever answer a mail."""
EITHER = frozenset({"joined", "confirm", "note", "not-understood"})
"""Kinds that may answer one."""
OF_OUR_OWN = frozenset({"login"})
"""Kinds that belong to no game."""
NOT_STOPPED = frozenset({"confirm", "login"})

MOST_HTML, MOST_LETTER, MOST_PICTURE = 40_000, 300_000, 120_000  # bytes
WIDEST = 78
PICTURE_WIDTH = 1200  # pixels
SHOWN_WIDTH = range(600, 641)  # about half of it, as wide as the page's column
MOST_REFERENCES = 10

_ONCE = ("From", "To", "Reply-To", "Subject", "Date", "Message-ID", "Auto-Submitted",
         "X-PBEM-Kind", "X-Auto-Response-Suppress", "MIME-Version", "Content-Type")  # fmt: skip
_NEVER = ("Sender", "Precedence", "Bcc", "Cc", "Return-Path", "List-Post", "Received")
_ID = re.compile(r"<[a-z0-9.-]+\.[a-z2-7]{12}@[a-z0-9.-]+>")
_ANY_ID = re.compile(r"<[!-;=?-~]+@[!-;=?-~]+>")
_STOP = re.compile(r"<https?://[^>\s]+/stop/[^>\s]+>,\s+<mailto:stop\+[^>\s]+@[^>\s]+>")
_SHAPES = (
    "alternative(plain html)",
    "alternative(plain related(html png))",
    "mixed(alternative(plain html) json)",
    "mixed(alternative(plain related(html png)) json)",
)


def faults(raw: bytes) -> list[str]:
    """All that is wrong with a letter."""
    letter = message_from_bytes(raw, policy=policy.default)
    assert isinstance(letter, EmailMessage)
    found = [*_wire(raw), *_headers(letter), *_thread(letter), *_list(letter), *_shape(letter)]
    return [*found, *_text(letter), *_page(letter), *_pictures(letter)]


def _wire(raw: bytes) -> Iterator[str]:
    if re.search(rb"(?<!\r)\n|\r(?!\n)", raw):
        yield "a bare CR or LF"
    if b"\0" in raw or not raw.isascii():
        yield "bytes over 127, or a NUL"
    if len(raw) > MOST_LETTER:
        yield f"{len(raw)} bytes in all"
    for line in raw.split(b"\r\n"):
        # What holds no blank to fold at, an id or an address, may be longer.
        if len(line) > WIDEST and b" " in line.strip().partition(b": ")[2]:
            yield f"a line of {len(line)}: {line[:40]!r}"
    if re.search(rb"format=\"?flowed", raw, re.IGNORECASE):
        yield "claims to be flowed"


def _headers(letter: EmailMessage) -> Iterator[str]:
    kind = letter["X-PBEM-Kind"]
    for name in _ONCE:
        if len(letter.get_all(name, [])) != 1:
            yield f"{len(letter.get_all(name, []))} times {name}"
    for name in _NEVER:
        if name in letter:
            yield f"has {name}"
    if not _ID.fullmatch(str(letter["Message-ID"])):
        yield f"Message-ID {letter['Message-ID']}"
    if parsedate_to_datetime(str(letter["Date"])).tzinfo is None:
        yield "Date has no zone"
    if letter["X-Auto-Response-Suppress"] != "All":
        yield "does not ask Exchange to keep still"
    yield from _sender_and_subject(letter, kind)


def _sender_and_subject(letter: EmailMessage, kind: str) -> Iterator[str]:
    if getaddresses([letter["From"]])[0][1] != getaddresses([letter["Reply-To"]])[0][1]:
        yield "From is not Reply-To"
    if not getaddresses([letter["From"]])[0][0]:
        yield "From has no name"
    subject = str(letter["Subject"])
    if not subject.strip() or len(subject) > 150 or not subject.isprintable():
        yield f"Subject {subject!r}"
    if not re.search(r"\[g\d+\]", subject) and kind not in (*OF_OUR_OWN, "not-understood"):
        yield "Subject names no game"


def _thread(letter: EmailMessage) -> Iterator[str]:
    kind, answers = letter["X-PBEM-Kind"], letter["In-Reply-To"] is not None
    if answers and kind not in ANSWERS | EITHER:
        yield "answers a mail"
    if not answers and kind in ANSWERS:
        yield "answers no mail"
    if letter["Auto-Submitted"] != ("auto-replied" if answers else "auto-generated"):
        yield f"Auto-Submitted: {letter['Auto-Submitted']}"
    named = str(letter["References"] or "").split()
    if len(named) > MOST_REFERENCES or not all(map(_ANY_ID.fullmatch, named)):
        yield f"References {named}"


def _list(letter: EmailMessage) -> Iterator[str]:
    kind = letter["X-PBEM-Kind"]
    if kind not in OF_OUR_OWN and not re.fullmatch(r"<g\d+\.games\.[\w.-]+>", letter["List-Id"]):
        yield f"List-Id {letter['List-Id']}"
    if letter["In-Reply-To"] is not None or kind in NOT_STOPPED:
        wanted = None
    else:
        wanted = "List-Unsubscribe=One-Click"
    if letter["List-Unsubscribe-Post"] != wanted:
        yield f"List-Unsubscribe-Post: {letter['List-Unsubscribe-Post']}"
    stop = letter["List-Unsubscribe"]
    if (stop is None) != (wanted is None) or (stop and not _STOP.fullmatch(str(stop))):
        yield f"List-Unsubscribe: {stop}"


def _shape(letter: EmailMessage) -> Iterator[str]:
    shape = _shape_of(letter)
    if shape not in _SHAPES:
        yield f"shape {shape}"
    for part in letter.walk():
        if part.is_multipart():
            continue
        text = part.get_content_maintype() == "text"
        if part["Content-Transfer-Encoding"] != ("quoted-printable" if text else "base64"):
            yield f"{part.get_content_type()} as {part['Content-Transfer-Encoding']}"
        if text and part.get_content_charset() != "utf-8":
            yield f"charset {part.get_content_charset()}"
        if text and part.get_content_disposition() is not None:
            yield "text that says it is a file"


def _shape_of(part: EmailMessage) -> str:
    if not part.is_multipart():
        return part.get_content_subtype()
    inner = " ".join(_shape_of(one) for one in part.iter_parts())  # type: ignore[arg-type]  # of this class too
    return f"{part.get_content_subtype()}({inner})"


def _text(letter: EmailMessage) -> Iterator[str]:
    text = _content(letter, "plain")
    if len(text.split()) < 10:
        yield "a text part that says nothing"
    for line in text.splitlines():
        if len(line) > WIDEST and not line.startswith("| ") and "://" not in line:
            yield f"a line of text of {len(line)}: {line[:40]!r}"
    if re.search(r"<[a-z]+[ >]|&[a-z]+;", text):
        yield "marks of HTML in the text part"


def _page(letter: EmailMessage) -> Iterator[str]:
    part = letter.get_body(("html",))
    assert part is not None
    encoded = str(part.get_payload())
    if len(encoded) > MOST_HTML:
        yield f"HTML of {len(encoded)} bytes"
    page = LexborHTMLParser(_content(letter, "html"))
    root = page.css_first("html")
    if root is None or not root.attributes.get("lang") or not root.attributes.get("dir"):
        yield "a page without language or direction"
    if page.css_first('meta[name="color-scheme"]') is None:
        yield "a page that knows no dark mode"
    for name in ("script", "link", "iframe", "form", "object", "video", "base"):
        if page.css_first(name) is not None:
            yield f"<{name}> in the page"
    yield from _tables_and_links(page)
    outside = r"url\(|@import|src=\"(?!cid:)|<font|background=\"http"
    if re.search(outside, _content(letter, "html"), re.IGNORECASE):
        yield "something to be fetched from outside"


def _tables_and_links(page: LexborHTMLParser) -> Iterator[str]:
    for table in page.css("table"):
        is_data = table.css_first("caption") is not None
        if not is_data and table.attributes.get("role") != "presentation":
            yield "a table that is neither of data nor for presentation"
    for anchor in page.css("a"):
        if len(anchor.text(strip=True)) < 4:
            yield "a link without words"


def _pictures(letter: EmailMessage) -> Iterator[str]:
    page = LexborHTMLParser(_content(letter, "html"))
    shown = {str(image.attributes.get("src", "")): image for image in page.css("img")}
    files = [part for part in letter.walk() if part.get_content_maintype() == "image"]
    if set(shown) != {f"cid:{str(part['Content-ID']).strip('<>')}" for part in files}:
        yield f"pictures shown {sorted(shown)}, enclosed {len(files)}"
    for image in shown.values():
        if int(image.attributes.get("width") or 0) not in SHOWN_WIDTH:
            yield f"a picture shown {image.attributes.get('width')} wide"
        if len((image.attributes.get("alt") or "").split()) < 5:
            yield "a picture without words"
    for part in files:
        data = part.get_payload(decode=True)
        assert isinstance(data, bytes)
        if part.get_content_disposition() != "inline":
            yield "a picture as an attachment"
        if len(data) > MOST_PICTURE:
            yield f"a picture of {len(data)} bytes"
        if data[:8] != b"\x89PNG\r\n\x1a\n" or struct.unpack(">I", data[16:20])[0] != PICTURE_WIDTH:
            yield "a picture of another form or width"


def _content(letter: EmailMessage, subtype: Literal["plain", "html"]) -> str:
    part = letter.get_body((subtype,))
    return "" if part is None else str(part.get_content())
