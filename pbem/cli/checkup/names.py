"""Our names: whether other servers can find us, and believe that our letters are ours."""

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime

from pbem.cli.checkup.finding import Finding, fail, ok, warn
from pbem.mail.outbound import parse_relay
from pbem.mail.resolver import Lookup, TroubleError
from pbem.settings import Settings

_LOCAL = (".localhost", ".test", ".invalid", ".example", ".local")


def is_local(domain: str) -> bool:
    """Whether no name server of the world knows the domain."""
    return domain == "localhost" or domain.endswith(_LOCAL)


@dataclass(frozen=True, slots=True)
class Names:
    """The checks of a house's names; `lookup` asks the name system."""

    settings: Settings
    lookup: Lookup

    @property
    def domain(self) -> str:
        """The part of the games' addresses behind the @."""
        return self.settings.domain

    def mx(self) -> Finding:
        """Mail for the domain has somewhere to go."""
        hosts = mail_hosts(self.domain, self.lookup)
        if not hosts:
            return fail("mx", f"{self.domain} has no MX", "add one that points to your mail server")
        lost = [host for host in hosts if not self._addresses(host)]
        if lost:
            return fail("mx", f"{lost[0]} has no address", "add an A or AAAA record for it")
        return ok("mx", f"{self.domain}: {', '.join(hosts)}")

    def spf(self) -> Finding:
        """One record, which lets the relay send for us."""
        records = [r for r in self.lookup(self.domain, "TXT") if r.lower().startswith("v=spf1")]
        if len(records) != 1:
            said = f"{self.domain} has {len(records)} SPF records"
            return fail("spf", said, 'have one TXT record, for example "v=spf1 mx -all"')
        refused = [host for host in self._senders() if not self._may_send(host)]
        if refused:
            todo = f"name the relay in it, for example ip4:{refused[0]}"
            return fail("spf", f"{records[0]} does not let {refused[0]} send", todo)
        return ok("spf", records[0])

    def dkim(self) -> Finding:
        """The key in the name system is the one that we sign with."""
        signer, selector = self.settings.signer, self.settings.dkim_selector
        if signer is None:
            todo = (
                "make sure that the relay signs, or set PBEM_DKIM_SELECTOR and PBEM_DKIM_KEY_FILE"
            )
            return warn("dkim", "letters are not signed here", todo)
        from pbem.mail import signature  # noqa: PLC0415  # comes with the extra `hosting`

        sample = _sample(self.domain)
        name = f"{selector}._domainkey.{self.domain}"
        why = signature.vouches(signer.sign(sample), self.domain, self.lookup, datetime.now(UTC))
        if why is None:
            return ok("dkim", f"{name} has our key")
        said = f"{name} does not prove our letters ({why})"
        return fail("dkim", said, "publish the public half of PBEM_DKIM_KEY_FILE there")

    def dmarc(self) -> Finding:
        """There is a policy, as large providers demand."""
        name = f"_dmarc.{self.domain}"
        records = [r for r in self.lookup(name, "TXT") if r.lower().startswith("v=dmarc1")]
        if len(records) != 1:
            said = f"{name} has {len(records)} DMARC records"
            return fail("dmarc", said, 'have one TXT record, at least "v=DMARC1; p=none"')
        return ok("dmarc", records[0])

    def ptr(self) -> Finding:
        """The addresses that send have names, and the names lead back."""
        senders = self._senders()
        if not senders:
            todo = "look at the name of the address that your letters leave from"
            return warn("ptr", "the relay is on this machine or has no address", todo)
        for address in senders:
            reverse = ipaddress.ip_address(address).reverse_pointer
            named = [name.rstrip(".") for name in self.lookup(reverse, "PTR")]
            if not any(address in self._addresses(name) for name in named):
                return fail("ptr", f"{address} has no name that leads back", "set its reverse name")
        return ok("ptr", ", ".join(senders))

    def _may_send(self, address: str) -> bool:
        from pbem.mail import envelope  # noqa: PLC0415  # comes with the extra `hosting`

        sender = f"postmaster@{self.domain}"
        return envelope.vouches(sender, address, self.domain, self.domain, self.lookup) is None

    def _senders(self) -> Sequence[str]:
        """The public addresses of the relay; our own mail hosts' for one on this machine."""
        if self.settings.relay_url == "mailbox":
            return ()
        found = _public(self._addresses(parse_relay(self.settings.relay_url).host))
        hosts = () if found else mail_hosts(self.domain, self.lookup)
        return found or _public([at for host in hosts for at in self._addresses(host)])

    def _addresses(self, host: str) -> list[str]:
        try:
            return [str(ipaddress.ip_address(host))]
        except ValueError:
            found = [*self.lookup(host, "A"), *self.lookup(host, "AAAA")]
            return [str(ipaddress.ip_address(at)) for at in found]


def mail_hosts(domain: str, lookup: Lookup) -> list[str]:
    """The hosts that take mail for a domain, the first choice first."""
    records = [record.split() for record in lookup(domain, "MX")]
    return [host.rstrip(".") for _, host in sorted(records, key=lambda parts: int(parts[0]))]


def reachable(lookup: Lookup) -> Finding:
    """Whether the name system answers at all; without it no sender can be proved."""
    try:
        lookup("example.com", "TXT")
    except TroubleError as error:
        return fail("dns", str(error), "give this machine a name server")
    return ok("dns", "the name system answers")


def _public(addresses: Sequence[str]) -> list[str]:
    return [at for at in addresses if not ipaddress.ip_address(at).is_loopback]


def _sample(domain: str) -> bytes:
    now = format_datetime(datetime.now(UTC))
    head = (f"From: <postmaster@{domain}>", "Subject: check", f"Date: {now}", "", "check", "")
    return "\r\n".join(head).encode()
