"""What the judge must know of the house it sits in; the doors read it from the settings."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class House:
    """One installation. `secret` keys the seats' addresses; `gm` are the owner's addresses.

    `proofs` is whether DKIM or SPF of a sender must hold besides the token and the From address.
    """

    domain: str
    secret: bytes
    public_url: str = "http://127.0.0.1:8000"
    gm: tuple[str, ...] = ()
    proofs: bool = False
