"""What the judge must know of the house it sits in; the doors read it from the settings."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class House:
    """One installation. `secret` keys the seats' addresses; `gm` are the owner's addresses.

    `proofs` is whether a sender must be proved besides the token and the From address: by the word
    of the server whose id is `authserv`, or without one by our own look at DKIM and SPF.
    """

    domain: str
    secret: bytes
    public_url: str = "http://127.0.0.1:8000"
    gm: tuple[str, ...] = ()
    proofs: bool = False
    authserv: str | None = None
