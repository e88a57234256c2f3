"""Whether a mail comes from where its From says (mail.md, decision 4).

Either we check its signatures and its envelope ourselves, or we believe the server in front of us.
Proof is a matter of domains: that the right person wrote is said by the token and the address.
"""

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
    """`by` is dkim, spf or authserv."""

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


def by_own_check(came: Came, lookup: Lookup, now: datetime) -> Verdict:
    """Our own look at DKIM and SPF, aligned with From as its DMARC record asks. Never raises.

    `now` is the moment that signatures must not have expired at. One of both is enough, so
    trouble with one only counts if the other does not hold.
    """
    # Their libraries come with the extra `hosting`; a house that proves nobody does without.
    from . import envelope, signature  # noqa: PLC0415

    domain = _domain(came.raw)
    if domain is None:
        return Unproved("no-sender")
    reasons, trouble = [], []
    try:
        why = signature.vouches(came.raw, domain, lookup, now)
        if why is None:
            return Proved("dkim")
        reasons.append(f"dkim:{why}")
    except TroubleError as error:
        trouble.append(str(error))
    try:
        why = envelope.vouches(came.mail_from, came.peer, came.helo, domain, lookup)
        if why is None:
            return Proved("spf")
        reasons.append(f"spf:{why}")
    except TroubleError as error:
        trouble.append(str(error))
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
