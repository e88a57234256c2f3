"""Letters that belong to no game: the link that logs in, and answers of the lobby."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """The link that logs a person in, once and until `until`; it belongs to no game."""

    kind: ClassVar[str] = "login"
    link: str
    until: datetime
    table: None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lobby:
    """An answer of the lobby; the words stand in `lobby.txt.j2`, by `about`.

    `words` are those of `orders.lobby` as the reader's language prints them, `page` is the lobby's.
    """

    kind: ClassVar[str] = "lobby"
    WORDS: ClassVar[tuple[str, ...]] = ("list", "join", "observe", "leave", "new", "help", "set")
    about: str
    facts: Mapping[str, Any]
    page: str
    words: Mapping[str, str]
    table: None = None
