"""The domain name system as one function, so that tests bring their own answers."""

import time
from collections.abc import Callable
from functools import cache

import dns.exception
import dns.resolver

Lookup = Callable[[str, str], tuple[str, ...]]
"""Answers of a name and a type (TXT, A, AAAA, MX, PTR) as text, `()` if there are none.

A TXT record is one string, its pieces joined; an MX is "10 mail.example.com". Raises TroubleError.
"""

_NONE = (dns.resolver.NoAnswer, dns.resolver.NXDOMAIN, dns.resolver.YXDOMAIN)


class TroubleError(Exception):
    """No answer for now: a server is down or slow, and may answer later."""


def lookup_within(seconds: float) -> Lookup:
    """A lookup whose questions may take so long in all; what comes after is trouble."""
    ends = time.monotonic() + seconds

    def lookup(name: str, kind: str) -> tuple[str, ...]:
        left = ends - time.monotonic()
        if left <= 0:
            raise TroubleError(f"no time left to ask for {kind} of {name}")
        try:
            found = _resolver().resolve(name, kind, lifetime=left)
        except _NONE:
            return ()
        except (dns.exception.DNSException, OSError) as error:
            if isinstance(error, dns.exception.SyntaxError | dns.exception.FormError):
                return ()
            raise TroubleError(f"{kind} of {name}: {error}") from error
        return tuple(_text(record, kind) for record in found)

    return lookup


@cache
def _resolver() -> dns.resolver.Resolver:
    resolver = dns.resolver.Resolver()
    resolver.cache = dns.resolver.LRUCache(10_000)
    return resolver


def _text(record: object, kind: str) -> str:
    strings = getattr(record, "strings", None)
    if kind == "TXT" and strings is not None:
        return b"".join(strings).decode("utf-8", "replace")
    return str(record)
