"""Where a game master writes to one game: `gm+g7.<tag>@host`, an address of each person's own.

The tag is keyed for the game and for the person, so that it ends with the office, and a player's
address can never become one.
"""

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass

from pbem.mail.address import TAG_LENGTH

_SHAPE = re.compile(rf"gm[+.=-](?P<game>[a-z][a-z0-9]{{0,15}})\.(?P<tag>[a-z2-7]{{{TAG_LENGTH}}})")
_LONGEST = 254


@dataclass(frozen=True, slots=True)
class GmAddress:
    """The address of one game master for one game."""

    game: str
    tag: str


def issue(secret: bytes, game: str, person: str) -> GmAddress:
    """The genuine address of a person; `person` is the mail address."""
    content = f"gm/1|{game.lower()}|{person.lower()}"
    digest = hmac.new(secret, content.encode(), hashlib.sha256).digest()
    return GmAddress(game, base64.b32encode(digest)[:TAG_LENGTH].decode().lower())


def genuine(address: GmAddress, secret: bytes, person: str) -> bool:
    """Whether it is this person's (compared in constant time)."""
    right = issue(secret, address.game, person).tag
    return hmac.compare_digest(right.encode(), address.tag.encode())


def written(address: GmAddress, domain: str) -> str:
    """`gm+g7.<tag>@domain`."""
    return f"gm+{address.game}.{address.tag}@{domain}"


def parse(recipient: str) -> GmAddress | None:
    """The game that a recipient names, if it is a game master's address; not yet proved."""
    bare = recipient.strip().strip("<>")
    if not bare.isascii() or len(bare) > _LONGEST:
        return None
    local = bare.rpartition("@")[0] or bare
    found = _SHAPE.fullmatch(local.strip('"').lower())
    return None if found is None else GmAddress(found["game"], found["tag"])
