"""Our own DKIM signature on letters that go out, for houses without a relay that signs.

The library comes with the extra `hosting`: it is imported where something is signed, for every
house knows a `Signer` by name.
"""

# ruff: noqa: PLC0415
from dataclasses import dataclass, field
from pathlib import Path

SMALLEST_KEY = 1024

_OVERSIGNED = (b"from", b"subject", b"reply-to", b"to", b"date", b"message-id")
"""Signed once more than they are there: nobody can add a second one."""

_SIGNED = (
    *_OVERSIGNED,
    b"in-reply-to",
    b"references",
    b"auto-submitted",
    b"mime-version",
    b"content-type",
    b"content-transfer-encoding",
    b"list-id",
    b"list-unsubscribe",
    b"list-unsubscribe-post",
)


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs for a domain; `key` is the private key of the selector as PEM."""

    domain: str
    selector: str
    key: bytes = field(repr=False)

    def sign(self, raw: bytes) -> bytes:
        """The letter with its signature on top. Its time is in it: sign a letter once."""
        import dkim  # type: ignore[import-untyped]  # comes without types

        letter = dkim.DKIM(raw)
        there = {name.lower() for name, _ in letter.headers}
        names = [name for name in _SIGNED if name in there or name in _OVERSIGNED]
        signature: bytes = letter.sign(
            self.selector.encode(),
            self.domain.encode(),
            self.key,
            canonicalize=(b"relaxed", b"relaxed"),
            include_headers=[*names, *(name for name in _OVERSIGNED if name in there)],
        )
        return signature + raw


def load_signer(domain: str, selector: str, key_file: Path) -> Signer:
    """A signer with the key of a file. ValueError says in one line why it cannot be one."""
    from dkim.crypto import (  # type: ignore[import-untyped]
        UnparsableKeyError,
        parse_pem_private_key,
    )

    try:
        key = key_file.read_bytes()
    except OSError as error:
        raise ValueError(f"{key_file} cannot be read ({error.strerror})") from None
    try:
        size = parse_pem_private_key(key)["modulus"].bit_length()
    except (UnparsableKeyError, ValueError, LookupError, TypeError):
        raise ValueError(f"{key_file} is not an RSA key in PEM form") from None
    if size < SMALLEST_KEY:
        raise ValueError(f"{key_file} has a key of {size} bits; {SMALLEST_KEY} are the least")
    return Signer(domain, selector, key)
