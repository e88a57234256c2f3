"""How many mails the door takes in an hour: for one address, and from one sender.

Over a limit the client is told to come back (450), so nothing is lost. No forger can use up a
player's share: what comes under the seat's registered address counts by the client that brings it,
and behind a server of our own, where all clients are that server, it does not count at all.
"""

import ipaddress
from datetime import datetime

from pbem.judge import intake
from pbem.mail.door import Asked
from pbem.mail.lobby_address import is_box
from pbem.mail.rates import Rates

TOO_MANY = "450 4.7.1 Too many mails for now, please try again in some minutes"


class Throttle:
    """The counts of one door; `direct` says whether clients are their senders' own servers."""

    def __init__(self, per_address: int, per_sender: int, *, direct: bool) -> None:
        """So many mails an hour, 0 for no limit."""
        self._addresses, self._senders = Rates(per_address), Rates(per_sender)
        self._counts = per_address > 0 or per_sender > 0
        self._direct = direct

    def refuse(self, asked: Asked, owner: str | None, now: datetime) -> str | None:
        """The reply that puts a client off, None if its mail is to be taken now.

        `owner` is the registered address of the seat that the recipient names, if it names one.
        """
        if not self._counts or (self._direct and _is_here(asked.peer)):
            return None
        is_owner = owner is not None and owner.casefold() == asked.mail_from.casefold()
        if is_owner and not self._direct:
            return None
        # The lobby is everybody's, so nobody's mails may close it for the others.
        by = f" by {_neighbours(asked.peer)}" if is_owner or is_box(asked.recipient) else ""
        box = [f"{intake.box(asked.recipient)}{by}"]
        sender = [f"{asked.mail_from.casefold()} by {_neighbours(asked.peer)}"]
        if self._addresses.take(box, now) and self._senders.take(sender, now):
            return None
        return TOO_MANY


def _is_here(peer: str) -> bool:
    """Whether the client is on this machine: the mailbox page, a test, a tunnel."""
    try:
        return ipaddress.ip_address(peer).is_loopback
    except ValueError:
        return False


def _neighbours(peer: str) -> str:
    """The network that one holder of addresses has: /24, or /64."""
    try:
        address = ipaddress.ip_address(peer)
    except ValueError:
        return peer
    return str(ipaddress.ip_network((address, 24 if address.version == 4 else 64), strict=False))
