"""Addresses of the lobby: `games@host`, where whoever likes may write, and those that its letters
give: `games+confirm.12.<tag>@host` says YES to a mail that was held, `games+stop.7.<tag>@host` ends
the news of a game for a spectator. A tag is keyed for its one errand alone.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from .tag import TAG_LENGTH, keyed, named, same

BOX = "games"

_SHAPE = re.compile(
    rf"(?:.*[+=-])?(?P<errand>confirm|stop)\.(?P<number>[1-9][0-9]{{0,17}})"
    rf"\.(?P<tag>[a-z2-7]{{{TAG_LENGTH}}})"
)


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
    return LobbyAddress(errand, number, keyed(secret, f"lobby/1|{errand}|{number}"))


def parse(text: str) -> LobbyAddress | None:
    """The errand that a recipient or a link names, in any spelling that hosts leave of it."""
    found = named(text, _SHAPE)
    if found is None:
        return None
    return LobbyAddress(LobbyErrand(found["errand"]), int(found["number"]), found["tag"])


def genuine(address: LobbyAddress, secret: bytes) -> bool:
    """Whether we issued it (compared in constant time)."""
    right = issue(secret, address.errand, address.number)
    return same(right.tag, address.tag)


def is_lobby(recipient: str, domain: str) -> bool:
    """Whether a recipient is the lobby of that domain."""
    return recipient.strip("<>").lower() in (f"{BOX}@{domain}", BOX)


def is_box(recipient: str) -> bool:
    """Whether a recipient that is ours is the lobby, or one of its errands."""
    local = recipient.strip("<>").lower().partition("@")[0]
    return local == BOX or parse(recipient) is not None
