"""Signed mails made in the test, and the answers of a name system that holds their keys."""

import base64
import subprocess
from collections.abc import Mapping
from functools import cache

import dkim  # type: ignore[import-untyped]

from pbem.mail.resolver import TroubleError

Zone = Mapping[tuple[str, str], tuple[str, ...]]

MAIL = (
    b"From: Anna <anna@example.com>\r\n"
    b"To: play+g7.a.23.2.abcdefghijklmnop@games.example.org\r\n"
    b"Subject: Re: Turn 23\r\n"
    b"Date: Mon, 30 Nov 2026 08:00:00 +0100\r\n"
    b"Message-ID: <orders.1@example.com>\r\n"
    b"\r\n"
    b"3 to Alaska\r\n"
    b"attack Kamchatka from Alaska\r\n"
)


@cache
def key(bits: int = 2048) -> tuple[bytes, str]:
    """A private key as PEM, and its public half as a key record."""
    made = ("openssl", "genrsa", "-traditional", str(bits))
    private = subprocess.run(made, check=True, capture_output=True).stdout
    shown = ("openssl", "rsa", "-pubout", "-outform", "DER")
    public = subprocess.run(shown, input=private, check=True, capture_output=True).stdout
    return private, f"v=DKIM1; k=rsa; p={base64.b64encode(public).decode()}"


def signed(
    raw: bytes,
    domain: str = "example.com",
    bits: int = 2048,
    *,
    length: bool = False,
    body: str = "relaxed",
    headers: tuple[bytes, ...] = (b"from", b"to", b"subject", b"date", b"message-id"),
) -> bytes:
    """The mail with a signature of that domain on top, by the key of the selector `s<bits>`."""
    made: bytes = dkim.DKIM(raw, minkey=0).sign(
        f"s{bits}".encode(),
        domain.encode(),
        key(bits)[0],
        canonicalize=(b"relaxed", body.encode()),
        include_headers=list(headers),
        length=length,
    )
    return made + raw


def passed_on(raw: bytes, results: str, domain: str = "lists.example.org", **how: object) -> bytes:
    """The mail as a forwarder passes it on, with what it found out under its seal."""
    told = f"Authentication-Results: mx.{domain}; {results}\r\n".encode()
    made: list[bytes] = dkim.ARC(told + raw, minkey=0).sign(
        b"s2048",
        domain.encode(),
        key(2048)[0],
        f"mx.{domain}".encode(),
        **{"include_headers": [b"from", b"to", b"subject", b"date", b"message-id"], **how},
    )
    return b"".join(made) + raw


def keys(domain: str = "example.com", bits: int = 2048) -> Zone:
    """The zone that holds the key of `signed`."""
    return {(f"s{bits}._domainkey.{domain}", "TXT"): (key(bits)[1],)}


class Names:
    """A name system: what it holds, what it cannot say just now, and what it was asked."""

    def __init__(self, *zones: Zone, down: tuple[str, ...] = ()) -> None:
        self.held = {name: found for zone in zones for name, found in zone.items()}
        self.down = down
        self.asked: list[str] = []

    def __call__(self, name: str, kind: str) -> tuple[str, ...]:
        self.asked.append(name)
        if any(name.endswith(part) for part in self.down):
            raise TroubleError(f"{name} does not answer")
        return self.held.get((name, kind), ())


def spf(domain: str, record: str) -> Zone:
    """A zone with an SPF record."""
    return {(domain, "TXT"): (record,)}


def dmarc(domain: str, record: str) -> Zone:
    """A zone with a DMARC record."""
    return {(f"_dmarc.{domain}", "TXT"): (record,)}
