"""Addresses of the lobby: `games@host`, where whoever likes may write, and those that its letters
give: `games+confirm.12.<tag>@host` says YES to a mail that was held, `games+stop.7.<tag>@host` ends
the news of a game for a spectator. A tag is keyed for its one errand alone.
"""

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass
from enum import StrEnum

from .address import TAG_LENGTH

BOX = "games"

_SHAPE = re.compile(
    rf"(?:.*[+=-])?(?P<errand>confirm|stop)\.(?P<number>[1-9][0-9]{{0,17}})"
    rf"\.(?P<tag>[a-z2-7]{{{TAG_LENGTH}}})"
)
_LONGEST = 254


class LobbyErrand(StrEnum):
    """What an address is for."""

    CONFIRM = "confirm"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class LobbyAddress:
    """One errand; `number` is that of the held mail, or of the spectator."""

    errand: LobbyErrand
    number: int
    tag: str

    @property
    def token(self) -> str:
        """`stop.7.<tag>`, as links hold it."""
        return f"{self.errand}.{self.number}.{self.tag}"

    def at(self, domain: str) -> str:
        """The address."""
        return f"{BOX}+{self.token}@{domain}"


def issue(secret: bytes, errand: LobbyErrand, number: int) -> LobbyAddress:
    """The genuine address of an errand."""
    digest = hmac.new(secret, f"lobby/1|{errand}|{number}".encode(), hashlib.sha256).digest()
    return LobbyAddress(errand, number, base64.b32encode(digest)[:TAG_LENGTH].decode().lower())


def parse(text: str) -> LobbyAddress | None:
    """The errand that a recipient or a link names, in any spelling that hosts leave of it."""
    bare = text.strip().strip("<>")
    if not bare.isascii() or len(bare) > _LONGEST:
        return None
    local = bare.rpartition("@")[0] or bare
    found = _SHAPE.fullmatch(local.strip('"').lower())
    if found is None:
        return None
    return LobbyAddress(LobbyErrand(found["errand"]), int(found["number"]), found["tag"])


def genuine(address: LobbyAddress, secret: bytes) -> bool:
    """Whether we issued it (compared in constant time)."""
    right = issue(secret, address.errand, address.number)
    return hmac.compare_digest(right.tag.encode(), address.tag.encode())


def is_lobby(recipient: str, domain: str) -> bool:
    """Whether a recipient is the lobby of that domain."""
    return recipient.strip("<>").lower() in (f"{BOX}@{domain}", BOX)


def is_box(recipient: str) -> bool:
    """Whether a recipient that is ours is the lobby, or one of its errands."""
    local = recipient.strip("<>").lower().partition("@")[0]
    return local == BOX or parse(recipient) is not None
