"""Where a game master writes to one game: `gm+g7.<tag>@host`, an address of each person's own.

The tag is keyed for the game and for the person, so that it ends with the office, and a player's
address can never become one.
"""

import re
from dataclasses import dataclass

from .tag import TAG_LENGTH, keyed, named, same

_SHAPE = re.compile(rf"gm[+.=-](?P<game>[a-z][a-z0-9]{{0,15}})\.(?P<tag>[a-z2-7]{{{TAG_LENGTH}}})")


@dataclass(frozen=True, slots=True)
class GmAddress:
    """The address of one game master for one game."""

    game: str
    tag: str


def issue(secret: bytes, game: str, person: str) -> GmAddress:
    """The genuine address of a person; `person` is the mail address."""
    return GmAddress(game, keyed(secret, f"gm/1|{game.lower()}|{person.lower()}"))


def genuine(address: GmAddress, secret: bytes, person: str) -> bool:
    """Whether it is this person's (compared in constant time)."""
    return same(issue(secret, address.game, person).tag, address.tag)


def written(address: GmAddress, domain: str) -> str:
    """`gm+g7.<tag>@domain`."""
    return f"gm+{address.game}.{address.tag}@{domain}"


def parse(recipient: str) -> GmAddress | None:
    """The game that a recipient names, if it is a game master's address; not yet proved."""
    found = named(recipient, _SHAPE)
    return None if found is None else GmAddress(found["game"], found["tag"])
