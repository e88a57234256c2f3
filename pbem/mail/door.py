"""What the sessions at the mail door share: who is let in, what is handed on, and the counts.

Nothing here knows a protocol. A mail is its envelope and its bytes; nobody reads it.
"""

import asyncio
import ipaddress
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

log = logging.getLogger(__name__)

LONGEST_LINE = 64 * 1024
"""Bytes of one line: HTML mails have long ones."""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class Arrival:
    """A mail that stands before the door. `mail_from` is empty for the null sender.

    `received_at` is the moment of the final dot, UTC. `peer` is the address of the client, `helo`
    the name that it gave.
    """

    raw: bytes
    mail_from: str
    rcpt_tos: tuple[str, ...]
    received_at: datetime
    peer: str
    helo: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question at RCPT: may this sender, from this client, write to this recipient?

    `mail_from` is empty for the null sender.
    """

    recipient: str
    mail_from: str
    peer: str


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one client may ask of us. Sizes in bytes, times in seconds."""

    message_size: int = 10 * 1024 * 1024
    session_size: int = 100 * 1024 * 1024
    recipients: int = 50
    connections: int = 500
    connections_per_peer: int = 100
    idle: float = 120.0
    session: float = 600.0
    proxy_header: float = 10.0

    @property
    def message_bytes(self) -> int:
        """What may come in between two mails: dots are doubled and commands count as well."""
        return 2 * self.message_size + LONGEST_LINE


CheckRecipient = Callable[[Asked], Awaitable[str | None]]
Deliver = Callable[[Arrival], Awaitable[object]]


@dataclass(slots=True)
class Door:
    """What the sessions share.

    `check_recipient` gives None to take an address, else the whole reply ("550 5.1.1 ...").
    `deliver` is done when the mail is durable; whatever it raises becomes 451. The wait for it is
    cancelled when the client goes away, which must not undo the delivery: a retry is deduplicated.
    `proxies` are the networks of machines that begin each connection with a PROXY header, which
    names the client.
    """

    check_recipient: CheckRecipient
    deliver: Deliver
    hostname: str
    clock: Callable[[], datetime]
    limits: Limits = field(default_factory=Limits)
    proxies: Sequence[Network] = ()
    _open: Counter[str] = field(default_factory=Counter)
    _deliveries: set[asyncio.Future[object]] = field(default_factory=set)

    def enter(self, peer: str) -> bool:
        """Count a connection; False if the house, or this peer's share of it, is full.

        A proxy has no share of its own: it brings everybody's connections.
        """
        full = self._open.total() >= self.limits.connections
        crowded = self._open[peer] >= self.limits.connections_per_peer
        if full or (crowded and not self.is_proxy(peer)):
            return False
        self._open[peer] += 1
        return True

    def leave(self, peer: str) -> None:
        """The end of a connection that entered."""
        self._open[peer] -= 1
        if self._open[peer] <= 0:
            del self._open[peer]

    def is_proxy(self, peer: str) -> bool:
        """Whether a client stands behind this peer, which says who."""
        if not self.proxies:
            return False
        try:
            address = ipaddress.ip_address(peer)
        except ValueError:
            return False
        return any(address in network for network in self.proxies)

    async def hand_over(self, arrival: Arrival) -> None:
        """Returns when the mail is durable; raises, and logs, whatever kept it from that."""
        delivery = asyncio.ensure_future(self.deliver(arrival))
        self._deliveries.add(delivery)
        try:
            await delivery
        except Exception:
            log.exception("a mail could not be stored")
            raise
        finally:
            self._deliveries.discard(delivery)

    async def drain(self) -> None:
        """Wait for the mails in hand, so that their clients have their answers."""
        while self._deliveries:
            await asyncio.gather(*self._deliveries, return_exceptions=True)


def plain_address(peer: str) -> str:
    """An IPv4 client of a socket for both kinds of addresses, by its own address."""
    try:
        mapped = getattr(ipaddress.ip_address(peer), "ipv4_mapped", None)
    except ValueError:
        return peer
    return str(mapped) if mapped is not None else peer
