"""Keys with which a person's programs read the JSON API: shown once, kept as a hash, revocable."""

import base64
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from pbem.judge import login
from pbem.store import audit, keys
from pbem.store.engine import Session
from pbem.store.tables import ApiKey

PREFIX = "pbem_"
"""Begins each key, so that who finds one in a file knows what it is."""

MOST = 10
"""So many keys may one person have."""

LONGEST_NAME = 40
USED_EVERY = timedelta(minutes=5)
"""How exactly it is noted when a key was used."""


def make(
    session: Session, address: str, name: str, now: datetime, entropy: Callable[[int], bytes]
) -> str | None:
    """A new key of a person; None for who has enough of them."""
    if len(keys.of_address(session, address)) >= MOST:
        return None
    made = PREFIX + base64.urlsafe_b64encode(entropy(32)).decode().rstrip("=")
    shown = " ".join("".join(sign for sign in name if sign.isprintable()).split())[:LONGEST_NAME]
    keys.add(session, ApiKey(hash=login.digest(made), address=address, name=shown, made_at=now))
    audit.record(session, now, who=address, what="key-made")
    return made


def of(session: Session, address: str) -> Sequence[ApiKey]:
    """The keys of a person, oldest first."""
    return keys.of_address(session, address)


def find(session: Session, given: str) -> ApiKey | None:
    """The key that was given, if it is one."""
    return keys.find(session, login.digest(given)) if given.startswith(PREFIX) else None


def is_to_note(key: ApiKey, now: datetime) -> bool:
    """Whether it is time to note that the key is used."""
    return key.used_at is None or now - key.used_at >= USED_EVERY


def revoke(session: Session, address: str, number: int, now: datetime) -> bool:
    """Take a key of a person back; whether there was one."""
    gone = keys.drop(session, number, address)
    if gone:
        audit.record(session, now, who=address, what="key-revoked")
    return gone
