"""What every signed mail needs before a library may look at it: DKIM signatures and ARC seals.

The library and our reader must see the same headers, and no mail may keep the library busy.
"""

import logging
import re
from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

import dkim  # type: ignore[import-untyped]  # comes without types
from dkim.util import InvalidTagValueList, parse_tag_value  # type: ignore[import-untyped]  # comes without types

from . import header
from .resolver import Lookup

Verifier = TypeVar("Verifier")

SMALLEST_KEY = 1024
BROKEN = (dkim.DKIMException, ArithmeticError, LookupError, TypeError, ValueError)
"""What the library raises about signatures that make no sense."""

_MOST_HEADER_BYTES = 128 * 1024
_LONGEST_KEY_RECORD = 2048
# The library's patterns take time with the square of a run of blanks.
_LONGEST_RUN = 200
_BLANKS = bytes.maketrans(b"\t\r\n", b"   ")
_BARE_CR = re.compile(rb"\r(?!\n)")
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_DIGITS = re.compile(rb"\d{1,12}")

_quiet = logging.getLogger(f"{__name__}.library")
_quiet.addHandler(logging.NullHandler())
_quiet.propagate = False


def open_mail(raw: bytes, maker: Callable[..., Verifier]) -> tuple[Verifier, bytes] | str:
    """The library's view of the headers, and the body; or a code: broken-lines, unreadable."""
    if _BARE_CR.search(raw):
        # To us it ends a line, to the library it does not: the two would see different headers.
        return "broken-lines"
    end = _HEADER_END.search(raw)
    head, body = (raw[: end.end()], raw[end.end() :]) if end else (raw, b"")
    if _is_hard_to_read(head):
        return "unreadable"
    try:
        verifier = maker(head, logger=_quiet, minkey=SMALLEST_KEY)
    except Exception:  # the library raises what it likes on broken headers
        return "unreadable"
    headers: list[list[bytes]] = getattr(verifier, "headers", [])
    return (verifier, body) if _same_from(raw, headers) else "unreadable"


def canonical(body: bytes, *, relaxed: bool) -> bytes:
    """The body in its canonical form, in linear time; the library then finds nothing to change."""
    lines = body.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    if relaxed:
        lines = lines.replace(b"\t", b" ")
        while b"  " in lines:  # each round halves the runs
            lines = lines.replace(b"  ", b" ")
        lines = lines.replace(b" \r\n", b"\r\n")
    bare = lines.rstrip(b"\r\n")
    return bare + b"\r\n" if bare else b""


def relaxes_body(field: bytes) -> bool:
    """Whether a signature says that blanks of the body do not count."""
    named: bytes = parse_tag_value(field).get(b"c", b"")
    return named.strip().endswith(b"/relaxed")


def signer(field: bytes) -> str:
    """The domain that a signature is of, "" if it names none."""
    try:
        named: bytes = parse_tag_value(field)[b"d"]
        return named.decode("ascii").strip().lower().rstrip(".")
    except (InvalidTagValueList, KeyError, UnicodeDecodeError):
        return ""


def unfit(tags: dict[bytes, bytes], now: datetime) -> str | None:
    """Why a signature is left aside, whatever its key says."""
    covered = [name.strip().lower() for name in tags.get(b"h", b"").split(b":")]
    if b"l" in tags:
        return "partial"
    if b"from" not in covered:
        return "from-not-signed"
    if tags.get(b"a") == b"rsa-sha1":
        return "weak-key"
    expires = tags.get(b"x", b"").strip()
    if expires and not (_DIGITS.fullmatch(expires) and int(expires) > now.timestamp()):
        return "expired"
    return None


def key_records(lookup: Lookup) -> Callable[..., bytes | None]:
    """The lookup in the form that the library asks in."""

    def key_record(name: bytes | str, timeout: float = 0) -> bytes | None:  # noqa: ARG001
        asked = name.decode("ascii") if isinstance(name, bytes) else name
        found = [text for text in lookup(asked.rstrip("."), "TXT") if text]
        usable = len(found) == 1 and len(found[0]) <= _LONGEST_KEY_RECORD
        return found[0].encode() if usable else None

    return key_record


def _is_hard_to_read(head: bytes) -> bool:
    """Whether the library would take long: such headers are made by hand, to make us busy."""
    run = b" " * _LONGEST_RUN
    return len(head) > _MOST_HEADER_BYTES or run in head.translate(_BLANKS)


def _same_from(raw: bytes, headers: list[list[bytes]]) -> bool:
    """Whether the library sees the one From that we see."""
    theirs = [value for name, value in headers if name.lower() == b"from"]
    ours = header.values(header.read_headers(raw), "From")
    return len(theirs) == len(ours) == 1 and _bare(theirs[0].decode("latin-1")) == _bare(
        ours[0] if ours[0].isascii() else ours[0].encode().decode("latin-1")
    )


def _bare(value: str) -> str:
    return "".join(value.split())
