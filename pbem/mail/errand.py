"""Addresses for one errand of a seat beside its orders: `stop+g7.a.news.<tag>@host`.

Each stands in letters to one reader, and its tag is keyed for that errand alone: whoever has it can
do this one thing and nothing else. Without its domain the same text is a token for a link.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from .tag import TAG_LENGTH, keyed, named, same

_SHAPE = re.compile(
    rf"(?:.*[+=-])?(?P<game>[a-z][a-z0-9]{{0,15}})\.(?P<seat>[a-f])"
    rf"\.(?:(?P<word>news|all|calendar)|(?P<side>old|new|vote)(?P<number>[1-9][0-9]{{0,17}}))"
    rf"\.(?P<tag>[a-z2-7]{{{TAG_LENGTH}}})"
)


class Purpose(StrEnum):
    """What is done: letters of the kind `news` or `all` stop; one side of a move is heard.

    `calendar` only shows deadlines, by a link; `vote` hears a word on an act that waits for it.
    """

    NEWS = "news"
    ALL = "all"
    CALENDAR = "calendar"
    OLD = "old"
    NEW = "new"
    VOTE = "vote"


@dataclass(frozen=True, slots=True)
class Errand:
    """One errand of a seat; `number` is that of the move or the act, 0 where there is none."""

    game: str
    seat: str
    purpose: Purpose
    number: int
    tag: str

    @property
    def token(self) -> str:
        """`g7.a.news.<tag>`, as links hold it."""
        number = self.number or ""
        return f"{self.game}.{self.seat.lower()}.{self.purpose}{number}.{self.tag}"

    @property
    def is_to_stop(self) -> bool:
        """Whether letters are to stop."""
        return self.purpose in (Purpose.NEWS, Purpose.ALL)

    def at(self, domain: str) -> str:
        """The address."""
        return f"{self._box}+{self.token}@{domain}"

    @property
    def _box(self) -> str:
        if self.is_to_stop:
            return "stop"
        return "vote" if self.purpose is Purpose.VOTE else "move"


def issue(
    secret: bytes, game: str, seat: str, purpose: Purpose, number: int = 0, epoch: int = 0
) -> Errand:
    """The genuine errand of a seat; `epoch` rises with each NEWKEY of the seat."""
    content = f"errand/1|{game.lower()}|{seat.upper()}|{purpose}|{number}|{epoch}"
    return Errand(game, seat.upper(), purpose, number, keyed(secret, content))


def parse(text: str) -> Errand | None:
    """The errand that a recipient or a link names, in any spelling that hosts leave of it."""
    found = named(text, _SHAPE)
    if found is None:
        return None
    purpose = Purpose(found["word"] or found["side"])
    return Errand(
        found["game"], found["seat"].upper(), purpose, int(found["number"] or 0), found["tag"]
    )


def genuine(errand: Errand, secret: bytes, epoch: int = 0) -> bool:
    """Whether we issued it in this epoch (compared in constant time)."""
    right = issue(secret, errand.game, errand.seat, errand.purpose, errand.number, epoch)
    return same(right.tag, errand.tag)
