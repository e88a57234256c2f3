"""What the judge must know of the house it sits in; the doors read it from the settings."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class House:
    """One installation. `secret` keys the seats' addresses; `gm` are the owner's addresses.

    `proofs` is whether a sender must be proved besides the token and the From address: by the word
    of the server whose id is `authserv`, or without one by our own look at DKIM and SPF.
    `arc_sealers` are domains whose word we believe about mails that they changed and passed on.
    A mail that has `spam_header` with a value that begins with "yes" is set aside.
    After `outage` without a sweep deadlines move by the time that was lost; `safety_stop` is the
    share of all seats on turn, in percent, that cannot miss at once without a fault of ours.
    None: neither is looked for. In a house that `is_open` everybody may make games, not only its
    game masters.
    """

    domain: str
    secret: bytes
    public_url: str = "http://127.0.0.1:8000"
    gm: tuple[str, ...] = ()
    proofs: bool = False
    authserv: str | None = None
    arc_sealers: tuple[str, ...] = ()
    spam_header: str | None = None
    outage: timedelta | None = None
    safety_stop: int | None = None
    is_open: bool = False
