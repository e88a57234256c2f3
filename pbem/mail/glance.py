"""A glance at a mail's bytes: single headers and our own text part, nothing that takes long."""

import hashlib
from email.message import MIMEPart
from email.parser import BytesParser
from email.policy import default
from email.utils import parseaddr

from . import header
from .normalise import clean
from .sender import read_sender

_LONGEST_SUBJECT = 150


def subject(raw: bytes) -> str:
    """The subject in one clean line without "Re:" in front, "" if there is none."""
    found = header.decoded(header.value(header.read_headers(raw), "Subject") or "")
    words = " ".join(clean(found).split())
    while words[:3].lower() == "re:":
        words = words[3:].strip()
    return words[:_LONGEST_SUBJECT]


def sender(raw: bytes) -> str | None:
    """The bare address of From, or None if it has none that can be somebody's."""
    return read_sender(header.read_headers(raw)).address


def sender_name(raw: bytes) -> str:
    """The name in front of From's address, "" if there is none."""
    written = header.decoded(header.value(header.read_headers(raw), "From") or "")
    return clean(parseaddr(written)[0])


def answered_ids(raw: bytes) -> tuple[str, ...]:
    """The Message-IDs that the mail says it answers, the nearest first."""
    mail = header.read_headers(raw)
    return (*header.ids(mail, "In-Reply-To"), *reversed(header.ids(mail, "References")))


def message_id(raw: bytes) -> str | None:
    """The mail's Message-ID as it stands there, however odd; None if there is none."""
    return header.given_message_id(header.read_headers(raw))


def own_text(raw: bytes) -> str:
    """The text part of a letter that we made ourselves, with plain line breaks.

    It comes first, and each order mail asks for it: to read all parts, the picture among them,
    would take half of the time that the mail costs.
    """
    whole = header.plain_breaks(raw)
    part = _plain(_first_part(whole)) or _plain(whole)
    return "" if part is None else str(part.get_content())


def _plain(raw: bytes) -> MIMEPart | None:
    return BytesParser(policy=default).parsebytes(raw).get_body(("plain",)) if raw else None


def _first_part(whole: bytes) -> bytes:
    """The first of the parts that hold no others, empty if there is none."""
    part = whole
    while boundary := header.read_headers(part).get_boundary():
        line = b"\n--" + boundary.encode("ascii", "replace")
        part = part.partition(line + b"\n")[2].partition(line)[0]
    return part


def content_hash(raw: bytes) -> str:
    """SHA-256 of the body as hex, alike for a mail and its retry, whose trace headers differ."""
    body = header.plain_breaks(raw).partition(b"\n\n")[2]
    return hashlib.sha256(body.rstrip()).hexdigest()
