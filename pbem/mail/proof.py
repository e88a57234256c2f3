"""Whether a mail comes from where its From says (mail.md, decision 4).

Either we check its signatures and its envelope ourselves, or we believe the server in front of us.
Proof is a matter of domains: that the right person wrote is said by the token and the address.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime

from . import header
from .resolver import Lookup, TroubleError
from .sender import read_sender


@dataclass(frozen=True, slots=True)
class Came:
    """How a mail came to us. `peer` and `helo` are of its sender's own server, else empty."""

    raw: bytes
    mail_from: str = ""
    peer: str = ""
    helo: str = ""


@dataclass(frozen=True, slots=True)
class Proved:
    """`by` is dkim, spf, arc or authserv."""

    by: str


@dataclass(frozen=True, slots=True)
class Unproved:
    """Nobody vouches for it; `reason` is codes of the checks, for people who look closer."""

    reason: str


@dataclass(frozen=True, slots=True)
class Later:
    """A server could not be asked: the mail may yet be proved."""

    reason: str


Verdict = Proved | Unproved | Later


def by_own_check(
    came: Came, lookup: Lookup, now: datetime, sealers: Collection[str] = ()
) -> Verdict:
    """Our own look at DKIM and SPF, aligned with From as its DMARC record asks. Never raises.

    `now` is the moment that signatures must not have expired at; `sealers` are forwarders whose
    ARC seals count. One of all is enough, so trouble with one only counts if no other holds.
    """
    # Their libraries come with the extra `hosting`; a house that proves nobody does without.
    from . import envelope, forwarded, signature  # noqa: PLC0415

    domain = _domain(came.raw)
    if domain is None:
        return Unproved("no-sender")
    checks: dict[str, Callable[[], str | None]] = {
        "dkim": lambda: signature.vouches(came.raw, domain, lookup, now),
        "spf": lambda: envelope.vouches(came.mail_from, came.peer, came.helo, domain, lookup),
    }
    if sealers:
        checks["arc"] = lambda: forwarded.vouches(came.raw, domain, sealers, lookup, now)
    reasons, trouble = [], []
    for by, check in checks.items():
        try:
            why = check()
        except TroubleError as error:
            trouble.append(str(error))
            continue
        if why is None:
            return Proved(by)
        reasons.append(f"{by}:{why}")
    return Later("; ".join(trouble)) if trouble else Unproved(" ".join(reasons))


def by_server(came: Came, authserv_id: str) -> Verdict:
    """The word of the server in front of us. Never raises."""
    from . import results  # noqa: PLC0415  # as above

    mail = header.read_headers(came.raw)
    sender = read_sender(mail).address
    if sender is None:
        return Unproved("no-sender")
    why = results.vouches(mail, authserv_id, sender.rpartition("@")[2])
    return Proved("authserv") if why is None else Unproved(f"authserv:{why}")


def _domain(raw: bytes) -> str | None:
    sender = read_sender(header.read_headers(raw)).address
    return None if sender is None else sender.rpartition("@")[2]
