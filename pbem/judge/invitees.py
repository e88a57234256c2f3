"""Seats as a GM writes them: a colour with an address, a name and an address, or one word.

`computer` plays by itself, `open` is for whoever comes.
"""

import re

from pbem.judge.lobby import LobbyError, NewSeat
from pbem.orders.spelling import fold
from pbem.rules.seat import COLOURS, LETTERS

LANGUAGES = ("en", "it", "nl", "sl")
COMPUTER = "computer"
OPEN = "open"
LONGEST_NAME = 24

NO_NAMES = frozenset(
    map(fold, (*LETTERS, *COLOURS, "N", "neutral", "all", "anon", "anonymous", "gm"))
)
"""What means something else where a mail names a seat; the own colour may be a name."""

_ADDRESS = r"[^\s<>@,:;\"]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?"
_PLAIN = re.compile(rf"(?P<address>{_ADDRESS})(?::(?P<language>\w+))?")
_NAMED = re.compile(rf"(?P<name>[^<>]*?)\s*<(?P<address>{_ADDRESS})>(?::(?P<language>\w+))?")


def parse_seat(text: str, language: str) -> NewSeat:
    """One `--seat`; `language` is the game's. Raises LobbyError that says what is wrong."""
    colour, equals, who = text.partition("=")
    colour, who = colour.strip().lower(), who.strip()
    if not equals or not who:
        raise LobbyError(f"seat {text!r}: write COLOUR=ADDRESS, for example red=anna@example.org")
    if colour not in COLOURS:
        raise LobbyError(f"seat {text!r}: the colours are {', '.join(COLOURS)}")
    if who.lower() in (COMPUTER, OPEN):
        open_ = who.lower() == OPEN
        return NewSeat(colour, colour.capitalize(), None, language, is_open=open_)
    found = _PLAIN.fullmatch(who) or _NAMED.fullmatch(who)
    if found is None:
        raise LobbyError(f"seat {text!r}: {who!r} is no address; write red=Anna <anna@example.org>")
    spoken = check_language(found["language"] or language)
    name = found.groupdict().get("name") or colour.capitalize()
    return NewSeat(colour, clean_name(name), _lower_domain(found["address"]), spoken)


def check_language(language: str) -> str:
    """The language if letters can be written in it; raises LobbyError."""
    if language not in LANGUAGES:
        raise LobbyError(f"no language is called {language!r}; there are {', '.join(LANGUAGES)}")
    return language


def read_address(written: str) -> str | None:
    """A bare address as somebody writes it, its domain in lower case; None if it is none."""
    found = re.fullmatch(_ADDRESS, written.strip().strip("<>.").removeprefix("mailto:"))
    return None if found is None else _lower_domain(found[0])


def clean_name(name: str) -> str:
    """A name in one line without control characters, cut to what a letter's columns hold."""
    shown = "".join(character for character in name if character.isprintable())
    return " ".join(shown.strip(" \"'").split())[:LONGEST_NAME]


def _lower_domain(address: str) -> str:
    local, _, domain = address.rpartition("@")
    return f"{local}@{domain.lower()}"
