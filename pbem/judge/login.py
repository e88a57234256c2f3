"""Logging in without a password: a link by mail, good once, and the visit that it begins.

A token and a visit's key are 256 bits; rows hold their hashes. The token of a mailed link is made
of the house's secret and a number in the letter's recipe, so that no row holds it before the
letter is composed.
"""

import base64
import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.judge.house import House
from pbem.mail import letter
from pbem.store import appointments, audit, games, outbox, visits
from pbem.store.engine import Session
from pbem.store.tables import Visit

LINK_LIFE = timedelta(minutes=15)
VISIT_LIFE = timedelta(days=30)
"""However busy, a visit ends after this time."""

REST_LIFE = timedelta(days=7)
"""A browser that was not seen for so long has to log in again."""

SEEN_EVERY = timedelta(minutes=5)
"""How exactly it is noted when a visit was seen."""

MOST_LINKS, LINKS_WITHIN = 3, timedelta(minutes=15)
"""More links than this for one address are not sent; who asks is not told."""

LONGEST_ADDRESS = 254

Entropy = Callable[[int], bytes]
"""Gives so many secret random bytes."""


@dataclass(frozen=True, slots=True)
class Speech:
    """How to speak to a person: a language and a zone."""

    language: str
    zone: str = "UTC"


def ask(
    session: Session, house: House, given: str, now: datetime, entropy: Entropy, language: str
) -> tuple[int, ...]:
    """Send a link to an address that is known here; the ids of its letter, for a hint.

    Whoever asks must see no difference to an unknown address. `language` is the one asked in; a
    player's own wins.
    """
    address = known(session, house, given)
    if address is None or visits.links_since(session, address, now - LINKS_WITHIN) >= MOST_LINKS:
        return ()
    number = entropy(16).hex()
    visits.add_link(session, digest(token(house, number)), address, now, LINK_LIFE)
    speech = speech_of(session, address, language)
    facts = {
        "number": number,
        "until": (now + LINK_LIFE).isoformat(),
        "language": speech.language,
        "zone": speech.zone,
    }
    written = outbox.NewLetter(
        key=f"login:{digest(number)[:32]}",
        kind="login",
        message_id=letter.message_id(house.domain, "login", digest(number)[:32]),
        to_address=address,
        recipe={"facts": facts},
        envelope_from=f"postmaster@{house.domain}",
        priority=1,
        expires_at=now + LINK_LIFE,
    )
    return outbox.enqueue(session, [written], now)


def make_link(session: Session, house: House, address: str, now: datetime, entropy: Entropy) -> str:
    """A link for whoever can run commands here: no letter is needed."""
    made = token(house, entropy(16).hex())
    visits.add_link(session, digest(made), canonical(address), now, LINK_LIFE)
    return link(house, made)


def token(house: House, number: str) -> str:
    """The token that belongs to a number: 256 bits, in 43 characters for an address."""
    made = hmac.new(house.secret, f"login/1|{number}".encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(made).decode().rstrip("=")


def link(house: House, token: str) -> str:
    """The address of the page that uses a token up."""
    return f"{house.public_url}/login/{token}"


def is_good(session: Session, token: str, now: datetime) -> bool:
    """Whether a token can still be used; changes nothing."""
    return visits.good_link(session, digest(token), now) is not None


def enter(
    session: Session, token: str, now: datetime, entropy: Entropy, language: str, left: str = ""
) -> str | None:
    """Use a token up and begin a visit; its key, for a cookie, or None for a token that is not
    good. The visit `left`, by its key, ends: a key is never taken over."""
    address = visits.use_link(session, digest(token), now)
    if address is None:
        return None
    leave(session, left)
    key = base64.urlsafe_b64encode(entropy(32)).decode().rstrip("=")
    visit = Visit(
        hash=digest(key),
        address=address,
        language=speech_of(session, address, language).language,
        began_at=now,
        seen_at=now,
        expires_at=now + REST_LIFE,
    )
    visits.begin(session, visit)
    audit.record(session, now, who=address, what="login")
    return key


def visit_of(session: Session, key: str, now: datetime) -> Visit | None:
    """The visit that a key belongs to, if it goes on."""
    return visits.find(session, digest(key), now) if key else None


def is_to_note(visit: Visit, now: datetime) -> bool:
    """Whether it is time to note that the visit goes on."""
    return now - visit.seen_at >= SEEN_EVERY


def note(session: Session, visit: Visit, now: datetime) -> None:
    """Note that the visit goes on."""
    until = min(now + REST_LIFE, visit.began_at + VISIT_LIFE)
    visits.seen(session, visit.hash, now, until)


def leave(session: Session, key: str) -> None:
    """End a visit."""
    if key:
        visits.end(session, digest(key))


def leave_everywhere(session: Session, address: str, now: datetime) -> None:
    """End all visits of an address; links that were not used yet die with them."""
    visits.end_all(session, address, now)
    audit.record(session, now, who=address, what="logout-everywhere")


def known(session: Session, house: House, given: str) -> str | None:
    """The address as it is written here, if it has anything to do with this house."""
    address = canonical(given)
    for owner in house.gm:
        if owner.lower() == address.lower():
            return canonical(owner)
    if appointments.of_address(session, address) or games.seats_at(session, address):
        return address
    return None


def has_been_here(session: Session, address: str) -> bool:
    """Whether anybody has ever logged in by this address."""
    return audit.was_done(session, canonical(address), "login")


def canonical(address: str) -> str:
    """An address as rows write it: its domain in lower case."""
    local, at, domain = address.strip().rpartition("@")
    return f"{local}{at}{domain.lower()}"


def speech_of(session: Session, address: str, language: str) -> Speech:
    """How a person is spoken to: as the newest seat has it, else in the language given."""
    seats = games.seats_at(session, address)
    return Speech(seats[0].language, seats[0].zone) if seats else Speech(language)


def digest(secret: str) -> str:
    """What a row keeps of a token or a key."""
    return hashlib.sha256(secret.encode()).hexdigest()
