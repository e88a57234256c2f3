"""DKIM signatures of a mail that came in: whether one of them vouches for its From address.

A signature counts only if its domain belongs to From's, its key has 1024 bits or more, it covers
From and the whole body (no `l=`), and has not expired. Keys are looked up for no other domain, so
that a stranger's mail makes us ask nobody.
"""

from datetime import datetime

import dkim  # type: ignore[import-untyped]  # comes without types
from dkim.util import parse_tag_value  # type: ignore[import-untyped]  # comes without types

from . import signed
from .alignment import aligned, wants_strict
from .resolver import Lookup

_MOST_SIGNATURES = 3


def vouches(raw: bytes, domain: str, lookup: Lookup, now: datetime) -> str | None:
    """None if a signature vouches for From at `domain`; else a code that says why none does.

    Codes: unsigned, unaligned, broken-lines, unreadable, bad-signature, and of a signature that
    is left aside: partial (`l=`), from-not-signed, expired, weak-key. Raises TroubleError.
    """
    opened = signed.open_mail(raw, dkim.DKIM)
    if isinstance(opened, str):
        return opened
    verifier, body = opened
    fields = [value for name, value in verifier.headers if name.lower() == b"dkim-signature"]
    why: str | None = "unaligned" if fields else "unsigned"
    for number in _aligned_ones(fields, domain)[:_MOST_SIGNATURES]:
        relaxed = signed.relaxes_body(fields[number])
        verifier.body = signed.canonical(body, relaxed=relaxed)
        why = _examine(verifier, number, fields[number], domain, lookup, now)
        if why is None:
            return None
    return why


def _aligned_ones(fields: list[bytes], domain: str) -> list[int]:
    """The numbers of the signatures, from the top, that somebody of From's organisation made."""
    return [number for number, field in enumerate(fields) if aligned(signed.signer(field), domain)]


def _examine(
    verifier: dkim.DKIM, number: int, field: bytes, domain: str, lookup: Lookup, now: datetime
) -> str | None:
    """None for a signature that vouches, else its code."""
    unfit = signed.unfit(parse_tag_value(field), now)
    if unfit is not None:
        return unfit
    if signed.signer(field) != domain and wants_strict(domain, "adkim", lookup):
        return "unaligned"
    try:
        holds = verifier.verify(number, dnsfunc=signed.key_records(lookup))
    except dkim.KeyFormatError:
        return "weak-key"
    except signed.BROKEN:
        return "bad-signature"
    return None if holds else "bad-signature"
