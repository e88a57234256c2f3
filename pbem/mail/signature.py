"""DKIM signatures of a mail that came in: whether one of them vouches for its From address.

A signature counts only if its domain belongs to From's, its key has 1024 bits or more, it covers
From and the whole body (no `l=`), and has not expired. Keys are looked up for no other domain, so
that a stranger's mail makes us ask nobody.
"""

import logging
import re
from datetime import datetime

import dkim  # type: ignore[import-untyped]  # comes without types
from dkim.util import InvalidTagValueList, parse_tag_value  # type: ignore[import-untyped]  # comes without types

from . import header
from .alignment import aligned, wants_strict
from .resolver import Lookup

SMALLEST_KEY = 1024
_MOST_SIGNATURES = 3
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


def vouches(raw: bytes, domain: str, lookup: Lookup, now: datetime) -> str | None:
    """None if a signature vouches for From at `domain`; else a code that says why none does.

    Codes: unsigned, unaligned, broken-lines, unreadable, bad-signature, and of a signature that
    is left aside: partial (`l=`), from-not-signed, expired, weak-key. Raises TroubleError.
    """
    if _BARE_CR.search(raw):
        # To us it ends a line, to the library it does not: the two would see different headers.
        return "broken-lines"
    end = _HEADER_END.search(raw)
    head, body = (raw[: end.end()], raw[end.end() :]) if end else (raw, b"")
    if _is_hard_to_read(head):
        return "unreadable"
    try:
        verifier = dkim.DKIM(head, logger=_quiet, minkey=SMALLEST_KEY)
    except Exception:  # the library raises what it likes on broken headers
        return "unreadable"
    if not _same_from(raw, verifier.headers):
        return "unreadable"
    fields = [value for name, value in verifier.headers if name.lower() == b"dkim-signature"]
    why: str | None = "unaligned" if fields else "unsigned"
    for number in _aligned_ones(fields, domain)[:_MOST_SIGNATURES]:
        verifier.body = _canonical(body, relaxed=_relaxes_body(fields[number]))
        why = _examine(verifier, number, fields[number], domain, lookup, now)
        if why is None:
            return None
    return why


def _is_hard_to_read(head: bytes) -> bool:
    """Whether the library would take long: such headers are made by hand, to make us busy."""
    run = b" " * _LONGEST_RUN
    return len(head) > _MOST_HEADER_BYTES or run in head.translate(_BLANKS)


def _canonical(body: bytes, *, relaxed: bool) -> bytes:
    """The body in its canonical form, in linear time; the library then finds nothing to change."""
    lines = body.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    if relaxed:
        lines = lines.replace(b"\t", b" ")
        while b"  " in lines:  # each round halves the runs
            lines = lines.replace(b"  ", b" ")
        lines = lines.replace(b" \r\n", b"\r\n")
    bare = lines.rstrip(b"\r\n")
    return bare + b"\r\n" if bare else b""


def _same_from(raw: bytes, headers: list[list[bytes]]) -> bool:
    """Whether the library sees the one From that we see."""
    theirs = [value for name, value in headers if name.lower() == b"from"]
    ours = header.values(header.read_headers(raw), "From")
    return len(theirs) == len(ours) == 1 and _bare(theirs[0].decode("latin-1")) == _bare(
        ours[0] if ours[0].isascii() else ours[0].encode().decode("latin-1")
    )


def _bare(value: str) -> str:
    return "".join(value.split())


def _aligned_ones(fields: list[bytes], domain: str) -> list[int]:
    """The numbers of the signatures, from the top, that somebody of From's organisation made."""
    return [number for number, field in enumerate(fields) if aligned(_signer(field), domain)]


def _relaxes_body(field: bytes) -> bool:
    named: bytes = parse_tag_value(field).get(b"c", b"")
    return named.strip().endswith(b"/relaxed")


def _signer(field: bytes) -> str:
    try:
        named: bytes = parse_tag_value(field)[b"d"]
        return named.decode("ascii").strip().lower().rstrip(".")
    except (InvalidTagValueList, KeyError, UnicodeDecodeError):
        return ""


def _examine(
    verifier: dkim.DKIM, number: int, field: bytes, domain: str, lookup: Lookup, now: datetime
) -> str | None:
    """None for a signature that vouches, else its code."""
    unfit = _unfit(parse_tag_value(field), now)
    if unfit is not None:
        return unfit
    if _signer(field) != domain and wants_strict(domain, "adkim", lookup):
        return "unaligned"
    return _verify(verifier, number, lookup)


def _unfit(tags: dict[bytes, bytes], now: datetime) -> str | None:
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


def _verify(verifier: dkim.DKIM, number: int, lookup: Lookup) -> str | None:
    def key_record(name: bytes | str, timeout: float = 0) -> bytes | None:  # noqa: ARG001
        asked = name.decode("ascii") if isinstance(name, bytes) else name
        found = [text for text in lookup(asked.rstrip("."), "TXT") if text]
        usable = len(found) == 1 and len(found[0]) <= _LONGEST_KEY_RECORD
        return found[0].encode() if usable else None

    try:
        holds = verifier.verify(number, dnsfunc=key_record)
    except dkim.KeyFormatError:
        return "weak-key"
    except (dkim.DKIMException, ArithmeticError, LookupError, TypeError, ValueError):
        return "bad-signature"
    return None if holds else "bad-signature"
