"""ARC (RFC 8617): what a forwarder saw of a mail's sender before it changed the mail.

Believed are configured forwarders alone, and of their chain only what stands in one piece at its
top: the newest set must hold for the mail as it came, each older one must be sealed by another of
them and be called good by the one above it. No key of anybody else is looked up.
"""

import re
from collections.abc import Collection, Iterator
from datetime import datetime

import dkim  # type: ignore[import-untyped]  # comes without types
from dkim.util import InvalidTagValueList, parse_tag_value  # type: ignore[import-untyped]  # comes without types

from . import results, signed
from .resolver import Lookup

_MOST_SETS = 5
_INSTANCE = re.compile(r"\s*i\s*=\s*\d+\s*;")
_ARC_PASSED = re.compile(r"(?:^|[;\s])arc=pass\b", re.IGNORECASE)
_SEALS = (b"arc-seal", b"arc-message-signature")


def vouches(
    raw: bytes, domain: str, sealers: Collection[str], lookup: Lookup, now: datetime
) -> str | None:
    """None if a forwarder that we believe says that From at `domain` was proved to it.

    Else a code: unsealed, foreign-seal, broken-seal, unproved-by-sealer, or one of a signature
    that cannot be looked at. Raises TroubleError.
    """
    opened = signed.open_mail(raw, dkim.ARC)
    if isinstance(opened, str):
        return opened
    chain, body = opened
    chain.body = signed.canonical(body, relaxed=True)
    newest, headers = chain.sorted_arc_headers()
    if not 0 < newest <= _MOST_SETS:
        return "unsealed" if newest == 0 else "broken-seal"
    if not _is_by(newest, headers, sealers):
        return "foreign-seal"
    told = list(_told(chain, newest, headers, sealers, lookup, now))
    if not told:
        return "broken-seal"
    if any(results.of_value(found, domain) is None for found in told):
        return None
    return "unproved-by-sealer"


def _told(
    chain: dkim.ARC,
    newest: int,
    headers: list[tuple[int, tuple[bytes, bytes]]],
    sealers: Collection[str],
    lookup: Lookup,
    now: datetime,
) -> Iterator[str]:
    """The results that each set tells, from the newest as far down as they can be believed."""
    for instance in range(newest, 0, -1):
        if not _is_by(instance, headers, sealers):
            return
        try:
            found = chain.verify_instance(headers, instance, dnsfunc=signed.key_records(lookup))
        except signed.BROKEN:
            return
        if instance == newest and not (found["ams-valid"] and _covers(headers, instance, now)):
            return
        if not found["as-valid"] or found["cv"] == dkim.CV_Fail:
            return
        told = _INSTANCE.sub("", found["aar-value"].decode("utf-8", "replace"), count=1).strip()
        yield told
        if not _ARC_PASSED.search(told):
            return


def _is_by(
    instance: int, headers: list[tuple[int, tuple[bytes, bytes]]], sealers: Collection[str]
) -> bool:
    """Whether both signatures of a set are of forwarders that we believe."""
    makers = [
        signed.signer(value)
        for number, (name, value) in headers
        if number == instance and name.lower() in _SEALS
    ]
    return len(makers) == len(_SEALS) and all(maker in sealers for maker in makers)


def _covers(headers: list[tuple[int, tuple[bytes, bytes]]], instance: int, now: datetime) -> bool:
    """Whether the message signature of a set covers From and the whole body, and is no weak one."""
    for number, (name, value) in headers:
        if number == instance and name.lower() == b"arc-message-signature":
            try:
                return signed.unfit(parse_tag_value(value), now) is None
            except InvalidTagValueList:
                return False
    return False
