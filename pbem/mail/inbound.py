"""A mail's bytes to a `Reading`: never raises, and never takes an old line for a new one."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32

from pbem.orders.tongue import begins_an_order

from . import header
from .body import read_body
from .bounces import read_bounce, read_reason
from .classify import classify, holds_sealed, own_letter
from .glance import content_hash
from .header import Mail
from .normalise import clean, normalise_line
from .parent import Parent
from .quotes import new_lines, without_copy_mark
from .reading import Kind, Reading
from .sandbox import Sandbox, TooSlowError
from .sender import read_sender

MOST_LINES = 2000
_ARMOUR = "-----BEGIN PGP MESSAGE-----"
_SIGNED = re.compile(
    r"-----BEGIN PGP SIGNED MESSAGE-----\n(?:Hash:[^\n]*\n)*\n?(?P<text>.*?)"
    r"\n-----BEGIN PGP SIGNATURE-----.*?-----END PGP SIGNATURE-----",
    re.DOTALL,
)
# What servers on the way leave as it was, so that a retry has the same key.
_KEPT_HEADERS = ("From", "To", "Cc", "Subject", "Date", "Content-Type")

_sandbox = Sandbox("pbem.mail.reader")


def read(raw: bytes, sent: str | None = None, envelope_from: str | None = None) -> Reading:
    """Read one mail. Never raises, whatever the bytes; may be slow (see `read_safely`).

    `sent` is the text part of the letter that is answered, if known; `envelope_from` the sender
    of the envelope, "" for the null sender.
    """
    try:
        return _read(raw, sent, envelope_from)
    except (Exception, RecursionError):
        return _headers_alone(raw, envelope_from, "unreadable")


def read_safely(
    raw: bytes,
    sent: str | None = None,
    timeout: float = 2.0,
    envelope_from: str | None = None,
) -> Reading:
    """`read` in a process that is killed after `timeout` seconds; then the headers alone.

    The note `too-slow` or `crashed` says that the text could not be read.
    """
    try:
        answer = _sandbox.ask({"sent": sent, "envelope_from": envelope_from}, raw, timeout)
    except TooSlowError:
        return _headers_alone(raw, envelope_from, "too-slow")
    except OSError:
        return _headers_alone(raw, envelope_from, "crashed")
    return Reading.from_json(answer)


def close() -> None:
    """End the process behind `read_safely`; the next mail starts another."""
    _sandbox.close()


def dedupe_key(raw: bytes) -> str:
    """The Message-ID if there is a sound one, else the SHA-256 of what a retry leaves the same."""
    try:
        mail = header.read_headers(raw)
        if (sound := header.sound_message_id(mail)) is not None:
            return sound
        kept = [f"{name}:{each}" for name in _KEPT_HEADERS for each in header.values(mail, name)]
    except (Exception, RecursionError):
        kept = []
    content = "\n".join([*kept, content_hash(raw)])
    return "sha256:" + hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def _read(raw: bytes, sent: str | None, envelope_from: str | None) -> Reading:
    mail: Mail = BytesParser(Message, policy=compat32).parsebytes(header.plain_breaks(raw))
    kind = classify(mail, envelope_from)
    notes = ["own-letter"] if own_letter(mail) else []
    if kind is Kind.BOUNCE and (bounced := read_bounce(mail)) is not None:
        notes.append(f"{bounced}-bounce")
        return _reading(mail, kind, notes=notes, said=read_reason(mail))
    if kind is not Kind.ORDERS:
        return _reading(mail, kind, notes=notes)
    body = read_body(mail)
    notes += body.notes
    if _ARMOUR in body.text or (not (body.text + body.file).strip() and holds_sealed(mail)):
        return _reading(mail, Kind.ENCRYPTED, notes=notes)
    return _with_file(_orders(mail, _unsigned(body.text), sent, notes), mail, body.file, sent)


def _with_file(said: Reading, mail: Mail, file: str, sent: str | None) -> Reading:
    """Orders in a file are read if the mail says nothing, and asked about if it orders nothing.

    Else it is a file like any other.
    """
    if not file.strip() or any(map(begins_an_order, (*said.text, *said.doubtful))):
        return said
    read = _orders(mail, _unsigned(file), sent, [*said.notes, "attachment"])
    if said.kind is Kind.EMPTY:
        return read
    asked = tuple(filter(begins_an_order, read.text))
    return replace(said, doubtful=(*said.doubtful, *asked)) if asked else said


def _orders(mail: Mail, text: str, sent: str | None, notes: list[str]) -> Reading:
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        notes.append("too-many-lines")
        del lines[MOST_LINES:]
    found = new_lines(lines, Parent(clean(sent)) if sent else None)
    new = _trimmed([_order_line(line) for line in found.text])
    asked = [_order_line(line) for line in found.doubtful]
    doubtful = tuple(dict.fromkeys(line for line in asked if line and line not in new))
    kind = Kind.ORDERS if new or doubtful else Kind.EMPTY
    return _reading(mail, kind, new, doubtful, [*notes, *found.notes])


def _order_line(line: str) -> str:
    return normalise_line(without_copy_mark(line))


def _trimmed(lines: Sequence[str]) -> tuple[str, ...]:
    """Without empty lines at both ends; those between orders keep the player's line numbers."""
    full = [number for number, line in enumerate(lines) if line]
    return tuple(lines[full[0] : full[-1] + 1]) if full else ()


def _unsigned(text: str) -> str:
    """A text signed in place, without its armour and dash escapes."""
    found = _SIGNED.search(text)
    if found is None:
        return text
    signed = "\n".join(line.removeprefix("- ") for line in found["text"].split("\n"))
    return text[: found.start()] + signed + text[found.end() :]


def _reading(
    mail: Mail,
    kind: Kind,
    text: tuple[str, ...] = (),
    doubtful: tuple[str, ...] = (),
    notes: Sequence[str] = (),
    said: str = "",
) -> Reading:
    author = read_sender(mail)
    answered = header.ids(mail, "In-Reply-To")
    return Reading(
        kind=kind,
        sender=author.address,
        refused=author.refused,
        message_id=header.sound_message_id(mail),
        in_reply_to=answered[0] if answered else None,
        references=header.ids(mail, "References"),
        text=text,
        doubtful=doubtful,
        notes=tuple(dict.fromkeys(notes)),
        said=said,
    )


def _headers_alone(raw: bytes, envelope_from: str | None, note: str) -> Reading:
    """What can be said without the body."""
    try:
        mail = header.read_headers(raw)
        kind = classify(mail, envelope_from)
        return _reading(mail, Kind.EMPTY if kind is Kind.ORDERS else kind, notes=[note])
    except (Exception, RecursionError):
        nothing: Mail = Message()
        return _reading(nothing, Kind.EMPTY, notes=[note])
