"""Which parts of a mail are its text, as plain text with `>` before what is known as quoted."""

import base64
import binascii
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pbem.orders.tongue import begins_an_order

from . import winmail
from .charset import decode
from .flowed import unflow
from .header import Mail, parameter, word
from .html import html_to_text
from .normalise import clean, without_bullet

DEEPEST = 20
MOST_PARTS = 100
_LARGEST_TEXT = 64 * 1024
_LARGEST_HTML = 1024 * 1024
_LARGEST_WINMAIL = 1024 * 1024
_WINMAIL = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})
_NO_BASE64 = re.compile(r"[^A-Za-z0-9+/=]+")
_SOFT_BREAK = re.compile(r"=[ \t]+$", re.MULTILINE)
_ORDER_FILES = (".txt", ".ord")
_SKIPPED = frozenset({"message/rfc822", "message/global", "multipart/digest", "multipart/report"})


@dataclass(frozen=True, slots=True)
class Body:
    """The text of a mail (cleaned, 64 KiB at most) and codes about how it was found.

    `file` is what the only small text file beside it says, to be read if the text says nothing.
    """

    text: str
    file: str
    notes: tuple[str, ...]


@dataclass(slots=True)
class _Walk:
    """What is gathered on the way through the parts."""

    parts: int = 0
    files: list[Mail] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def note(self, code: str) -> None:
        if code not in self.notes:
            self.notes.append(code)


@dataclass(frozen=True, slots=True)
class _Chunk:
    text: str
    named: bool


def read_body(mail: Mail) -> Body:
    """All inline text in order, and beside it a lone small text file."""
    walk = _Walk()
    chunks = _chunks(mail, walk, 0)
    text = "\n".join(chunk.text for chunk in _unnamed_first(chunks))
    file = _only_file(walk)
    if not text.strip() and not file:
        text = _from_winmail(walk)
    text = _cut(text, _LARGEST_TEXT, walk)
    return Body(text, _cut(file, _LARGEST_TEXT, walk), tuple(walk.notes))


def _chunks(part: Mail, walk: _Walk, depth: int) -> list[_Chunk]:
    walk.parts += 1
    if walk.parts > MOST_PARTS or depth > DEEPEST:
        walk.note("too-many-parts" if walk.parts > MOST_PARTS else "too-deep")
        return []
    kind = part.get_content_type()
    if kind in _SKIPPED:
        return []
    if part.is_multipart():
        return _of_children(kind, part, walk, depth + 1)
    # One whose boundary is missing or never comes is not in parts: it is what it looks like.
    return _of_leaf("text/plain" if kind.startswith("multipart/") else kind, part, walk)


def _children(part: Mail) -> Sequence[Mail]:
    payload = part.get_payload()
    return (
        [child for child in payload if not isinstance(child, str)]
        if isinstance(payload, list)
        else []
    )


def _of_children(kind: str, part: Mail, walk: _Walk, depth: int) -> list[_Chunk]:
    children = _children(part)
    if kind == "multipart/alternative":
        return _best(children, walk, depth)
    if kind == "multipart/signed":
        children = children[:1]  # the second is the signature
    elif kind == "multipart/related":
        children = [_root(part, children)] if children else []
    found = [_chunks(child, walk, depth) for child in children]
    return [chunk for chunks in found for chunk in chunks]


def _root(part: Mail, children: Sequence[Mail]) -> Mail:
    """Of related parts the one that uses the others: what `start` names, else the first."""
    start = parameter(part, "start").strip("<>")
    named = (each for each in children if start and word(each, "Content-ID").strip("<>") == start)
    return next(named, children[0])


def _best(children: Sequence[Mail], walk: _Walk, depth: int) -> list[_Chunk]:
    """Of several forms of the same text the plainest that orders something, or says something.

    Some programs write into the plain one only that they write no plain text.
    """
    forms: list[list[_Chunk]] = []
    for child in sorted(children, key=_plain_first):
        chunks = _chunks(child, walk, depth)
        if any(_orders_something(chunk.text) for chunk in chunks):
            return chunks
        forms += [chunks] if any(chunk.text.strip() for chunk in chunks) else []
    return forms[0] if forms else []


def _orders_something(text: str) -> bool:
    """Whether a line that no program marked as old begins as an order does."""
    lines = (without_bullet(line.strip()) for line in text.split("\n"))
    return any(begins_an_order(line) for line in lines if not line.startswith((">", "|")))


def _plain_first(part: Mail) -> int:
    return 0 if part.get_content_type() == "text/plain" else 1


def _of_leaf(kind: str, part: Mail, walk: _Walk) -> list[_Chunk]:
    name = _file_name(part)
    if word(part, "Content-Disposition") == "attachment" or not kind.startswith("text/"):
        walk.files.append(part)
        if _is_winmail(part):
            walk.note("winmail")
        return []
    if kind == "text/calendar":
        return []
    return [_Chunk(_text(kind, part, walk), named=bool(name))]


def _unnamed_first(chunks: Sequence[_Chunk]) -> Iterable[_Chunk]:
    """A text part with a file name is a file, unless there is no other text."""
    unnamed = [chunk for chunk in chunks if not chunk.named]
    return unnamed if any(chunk.text.strip() for chunk in unnamed) else chunks


def _only_file(walk: _Walk) -> str:
    """Orders that came as the only file: a small plain text."""
    texts = [part for part in walk.files if _file_name(part).endswith(_ORDER_FILES)]
    if len(texts) != 1 or len(_content(texts[0])) > _LARGEST_TEXT:
        return ""
    return _text("text/plain", texts[0], walk)


def _from_winmail(walk: _Walk) -> str:
    """The words inside of an Outlook's winmail.dat, where that can be opened."""
    for part in walk.files:
        if not _is_winmail(part):
            continue
        found = winmail.words(_content(part)[:_LARGEST_WINMAIL])
        if found is not None and found.text.strip():
            walk.notes.remove("winmail")
            walk.note("tnef")
            return clean(html_to_text(clean(found.text)) if found.is_html else found.text)
    return ""


def _is_winmail(part: Mail) -> bool:
    kind = part.get_content_type()
    return kind in _WINMAIL or _file_name(part) == "winmail.dat"


def _text(kind: str, part: Mail, walk: _Walk) -> str:
    content = _content(part)
    largest = _LARGEST_HTML if kind == "text/html" else _LARGEST_TEXT
    if len(content) > largest:
        walk.note("too-long")
        content = content[:largest]
    text, problem = decode(content, parameter(part, "charset") or None)
    if problem:
        walk.note(problem)
    if kind == "text/html":
        walk.note("html")
        return clean(html_to_text(clean(text)))
    return _unflowed(clean(text), part, walk)


def _unflowed(text: str, part: Mail, walk: _Walk) -> str:
    if parameter(part, "format") != "flowed":
        return text
    walk.note("flowed")
    return unflow(text, delsp=parameter(part, "delsp") == "yes")


def _content(part: Mail) -> bytes:
    encoding, payload = word(part, "Content-Transfer-Encoding"), part.get_payload()
    if encoding == "base64":
        return _from_base64(payload)
    if encoding == "quoted-printable" and isinstance(payload, str) and payload.isascii():
        # A soft break is one even with blanks behind it, as some servers leave them.
        return binascii.a2b_qp(_SOFT_BREAK.sub("=", payload))
    try:
        content = part.get_payload(decode=True)
    except (ValueError, LookupError):
        return b""
    return content if isinstance(content, bytes) else b""


def _from_base64(payload: object) -> bytes:
    """As far as it goes: a cut or dirtied part still holds the beginning of its text.

    Where several were put behind each other each ends in a padding of its own.
    """
    letters = _NO_BASE64.sub("", payload if isinstance(payload, str) else "")
    return b"".join(_whole_bytes(piece) for piece in letters.split("=") if piece)


def _whole_bytes(letters: str) -> bytes:
    whole = letters[: len(letters) - (len(letters) % 4 == 1)]
    return base64.b64decode(whole + "=" * (-len(whole) % 4))


def _file_name(part: Mail) -> str:
    return parameter(part, "filename", "Content-Disposition") or parameter(part, "name")


def _cut(text: str, largest: int, walk: _Walk) -> str:
    encoded = text.encode("utf-8", "replace")
    if len(encoded) <= largest:
        return text
    walk.note("too-long")
    return encoded[:largest].decode("utf-8", "ignore")
