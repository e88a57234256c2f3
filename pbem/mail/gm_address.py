"""Where a game master writes to one game: `gm+g7.<tag>@host`, an address of each person's own.

A question has an address of its own beside it, `gm+g7.vote12.<tag>@host`: a YES or NO is heard
there, about an act that waits or a mail that was held. The tag is keyed for the game and for the
person, so that it ends with the office, and a player's address can never become one.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from .tag import TAG_LENGTH, keyed, named, same

_SHAPE = re.compile(
    rf"gm[+.=-](?P<game>[a-z][a-z0-9]{{0,15}})"
    rf"\.(?:(?P<question>confirm|vote)(?P<number>[1-9][0-9]{{0,17}})\.)?"
    rf"(?P<tag>[a-z2-7]{{{TAG_LENGTH}}})"
)


class Question(StrEnum):
    """What a word is asked about: a mail that was held, or an act that waits."""

    CONFIRM = "confirm"
    VOTE = "vote"


@dataclass(frozen=True, slots=True)
class GmAddress:
    """The address of one game master for one game; `number` is that of the question, if any."""

    game: str
    tag: str
    question: Question | None = None
    number: int = 0


def issue(
    secret: bytes, game: str, person: str, question: Question | None = None, number: int = 0
) -> GmAddress:
    """The genuine address of a person; `person` is the mail address."""
    content = f"gm/1|{game.lower()}|{person.lower()}"
    if question is not None:
        content = f"gm-{question}/1|{number}|{game.lower()}|{person.lower()}"
    return GmAddress(game, keyed(secret, content), question, number)


def genuine(address: GmAddress, secret: bytes, person: str) -> bool:
    """Whether it is this person's (compared in constant time)."""
    right = issue(secret, address.game, person, address.question, address.number)
    return same(right.tag, address.tag)


def written(address: GmAddress, domain: str) -> str:
    """`gm+g7.<tag>@domain`."""
    about = "" if address.question is None else f".{address.question}{address.number}"
    return f"gm+{address.game}{about}.{address.tag}@{domain}"


def parse(recipient: str) -> GmAddress | None:
    """The game that a recipient names, if it is a game master's address; not yet proved."""
    found = named(recipient, _SHAPE)
    if found is None:
        return None
    question = None if found["question"] is None else Question(found["question"])
    return GmAddress(found["game"], found["tag"], question, int(found["number"] or 0))
