"""SPF of a mail that came in: whether the client may send for the envelope's domain."""

import ipaddress
from contextlib import suppress
from typing import Any

import spf  # type: ignore[import-untyped]  # comes without types

from .alignment import aligned, wants_strict
from .resolver import Lookup, TroubleError

_MOST_RECORDS = 40


def vouches(mail_from: str, peer: str, helo: str, domain: str, lookup: Lookup) -> str | None:
    """None if SPF vouches for From at `domain`; else a code that says why it does not.

    `peer` is the client's address, "" if the mail did not come from its sender's own server.
    Codes: no-envelope, unaligned, no-client, spf-none, spf-neutral, spf-softfail, spf-fail,
    spf-permerror. Raises TroubleError.
    """
    sender = mail_from.rpartition("@")[2].lower().rstrip(".")
    if not sender:
        return "no-envelope"
    if not aligned(sender, domain):
        return "unaligned"
    if not _is_client(peer):
        return "no-client"
    if sender != domain and wants_strict(domain, "aspf", lookup):
        return "unaligned"
    result = _result(mail_from, peer, helo, lookup)
    return None if result == "pass" else f"spf-{result}"


def _is_client(peer: str) -> bool:
    """Whether this is the address of another machine: a server beside us vouches for nobody."""
    with suppress(ValueError):
        address = ipaddress.ip_address(peer)
        mapped = getattr(address, "ipv4_mapped", None)
        return not (mapped or address).is_loopback
    return False


def _result(mail_from: str, peer: str, helo: str, lookup: Lookup) -> str:
    try:
        asked = _Query(mail_from, peer, helo, lookup)
        result: str = asked.check()[0]
    except TroubleError:
        raise
    except Exception:  # the library raises what it likes on records that make no sense
        return "permerror"
    if result == "temperror":
        raise TroubleError(f"SPF of {mail_from}")
    return result


class _Query(spf.query):  # type: ignore[misc]  # the library is untyped
    """The library's check, with our way to ask."""

    def __init__(self, mail_from: str, peer: str, helo: str, lookup: Lookup) -> None:
        self._lookup = lookup
        super().__init__(i=peer, s=mail_from, h=helo or "unknown", querytime=0)

    def dns(
        self,
        name: str,
        qtype: str,
        cnames: object = None,  # noqa: ARG002  # the library's own argument
        ignore_void: bool = False,
    ) -> list[Any]:
        """The records in the library's forms; it counts empty answers, and so do we."""
        bare = str(name).rstrip(".").lower()
        if not all(0 < len(label) < 64 for label in bare.split(".")):
            return []
        found = self._lookup(bare, qtype)[:_MOST_RECORDS]
        if not found and not ignore_void:
            self.void_lookups += 1
            if self.void_lookups > spf.MAX_VOID_LOOKUPS:
                raise spf.PermError("too many empty answers")
        return [_record(text, qtype) for text in found]


def _record(text: str, kind: str) -> Any:
    match kind:
        case "TXT":
            return (text.encode("utf-8"),)
        case "MX":
            preference, _, host = text.partition(" ")
            return (int(preference), host)
        case "PTR":
            return text.rstrip(".")
    return text
