"""The language of the lobby: LIST, JOIN g7, OBSERVE g7, LEAVE g7, NEW GAME and HELP.

One mail asks for one thing, in its first line that says something; a JOIN may have a LUCK line, a
NEW GAME lines that describe it. Words of all languages are understood in every mail.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from pbem.orders.spelling import fold

ME, OPEN, COMPUTER = "me", "open", "computer"
"""Who may sit on a seat of a NEW GAME, beside an address."""

_GAME = re.compile(r"g[1-9][0-9]{0,8}")
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class ListGames:
    """LIST: the games that wait for players or may be watched."""


@dataclass(frozen=True, slots=True)
class WantsHelp:
    """HELP: what can be written here."""


@dataclass(frozen=True, slots=True)
class Join:
    """JOIN g7 [colour]: `game` is its public name; no colour is any."""

    game: str
    colour: str | None = None
    luck: str | None = None


@dataclass(frozen=True, slots=True)
class Observe:
    """OBSERVE g7: the public reports by mail."""

    game: str


@dataclass(frozen=True, slots=True)
class Leave:
    """LEAVE g7: no more of them."""

    game: str


@dataclass(frozen=True, slots=True)
class NewGame:
    """NEW GAME [ruleset]: options as `--set` writes them, seats as colour and who sits there."""

    ruleset: str | None
    options: tuple[tuple[str, str], ...]
    seats: tuple[tuple[str, str], ...]


Wish = ListGames | WantsHelp | Join | Observe | Leave | NewGame


@dataclass(frozen=True, slots=True)
class Said:
    """What a mail asks for (None: nothing that can be read), in which language, and the lines of
    it that cannot be read."""

    wish: Wish | None
    language: str | None = None
    unread: tuple[str, ...] = ()


def read(lines: Sequence[str], colours: Mapping[str, str]) -> Said:
    """What the new lines of a mail ask the lobby for; `colours` gives a colour for its name."""
    said = [line.strip() for line in lines if line.strip()]
    if said and said[0].startswith("--"):
        return Said(None)
    for place, line in enumerate(said):
        found = _command(line)
        if found is not None:
            word, language, rest = found
            return _said(word, language, rest, said[place + 1 :], colours)
    return Said(None)


def printed(word: str, language: str) -> str:
    """A word of the lobby as letters print it."""
    spoken = _words()[word]
    return spoken.get(language, spoken["en"])[0].upper()


_COMMANDS = ("new", "list", "join", "observe", "leave", "help")


def _command(line: str) -> tuple[str, str, str] | None:
    return next((found for word in _COMMANDS if (found := _begins(line, word))), None)


def _begins(line: str, word: str) -> tuple[str, str, str] | None:
    """The word that the line begins with, its language, and what follows."""
    begun = fold(line)
    for language, phrases in _words()[word].items():
        for phrase in sorted(phrases, key=len, reverse=True):
            known = fold(phrase)
            if begun == known or re.match(rf"{re.escape(known)}[\s:.!]", begun):
                size = len(phrase)
                return word, language, line[size:].strip(" \t:.!")
    return None


def _said(
    word: str, language: str, rest: str, below: Sequence[str], colours: Mapping[str, str]
) -> Said:
    match word:
        case "list":
            return Said(ListGames(), language)
        case "help":
            return Said(WantsHelp(), language)
        case "new":
            return _new_game(language, rest, below, colours)
    game, *more = rest.split() or [""]
    name = fold(game)
    if _NUMBER.fullmatch(name):
        name = f"g{name}"
    if not _GAME.fullmatch(name):
        return Said(None, language, (rest,) if rest else ())
    if word == "observe":
        return Said(Observe(name), language)
    if word == "leave":
        return Said(Leave(name), language)
    return _join(language, name, " ".join(more), below, colours)


def _join(
    language: str, game: str, wished: str, below: Sequence[str], colours: Mapping[str, str]
) -> Said:
    colour = colours.get(fold(wished.strip(" .,!"))) if wished else None
    if wished and colour is None:
        return Said(None, language, (wished,))
    words = (found[2] for line in below if (found := _begins(line, "luck")))
    return Said(Join(game, colour, next(words, None)), language)


def _new_game(language: str, rest: str, below: Sequence[str], colours: Mapping[str, str]) -> Said:
    options: list[tuple[str, str]] = []
    seats: list[tuple[str, str]] = []
    unread: list[str] = []
    for line in below:
        if line.startswith("--"):
            break
        first, _, value = line.partition("=" if "=" in line.split(" ")[0] else " ")
        colour, who = colours.get(fold(first.strip(" :"))), value.strip(" :=")
        if colour is not None and who:
            seats.append((colour, _sitter(who)))
        elif (pace := _begins(line, "pace")) and pace[2]:
            options.append(("pace", pace[2].lstrip("= ")))
        elif (option := _begins(line, "set")) and "=" in option[2]:
            name, _, chosen = option[2].partition("=")
            options.append((name.strip().lower(), chosen.strip()))
        else:
            unread.append(line)
    ruleset = rest.split(maxsplit=1)[0].lower() if rest.split() else None
    return Said(NewGame(ruleset, tuple(options), tuple(seats)), language, tuple(unread))


def _sitter(who: str) -> str:
    """An address as written, or one of the words for who needs none."""
    for word in (ME, OPEN, COMPUTER):
        if any(fold(who) == fold(said) for spoken in _words()[word].values() for said in spoken):
            return word
    return who


@cache
def _words() -> Mapping[str, Mapping[str, list[str]]]:
    source = resources.files(__package__) / "words" / "lobby.toml"
    return tomllib.loads(source.read_text(encoding="utf-8"))
