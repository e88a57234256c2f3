"""Letters that belong to no game: what the lobby answers, and the link to log in."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from pbem.orders import lobby
from pbem.render import contexts
from tests.render.samples import DEADLINE

WAITING: Mapping[str, Any] = {
    "game": "g7",
    "ruleset": "classic-1993",
    "seats": 4,
    "pace": timedelta(days=2),
    "language": "en",
    "free": ("red", "green"),
    "spectators": "now",
    "turn": None,
}
WATCHED: Mapping[str, Any] = {**WAITING, "game": "g5", "free": (), "turn": 23}
ANSWERS: Mapping[str, Mapping[str, Any]] = {
    "list": {"waiting": (WAITING,), "watched": (WATCHED,)},
    "help": {},
    "confirm": {"held": ("join g7 red",)},
    "made": {"offer": WAITING, "asked": 2},
    "watching": {
        "game": "g5",
        "late": True,
        "page": "https://play.example.org/games/g5",
        "link": "https://play.example.org/stop/g5.abcdefghijklmnop",
    },
    "seat-taken": {"game": "g7", "colour": "blue", "free": ("red", "green")},
    "new-wrong": {
        "faults": (
            {"where": "ruleset", "code": "no-ruleset", "facts": {"value": "clasic"}},
            {"where": "red", "code": "no-person", "facts": {"value": "anna at home"}},
            {"where": "remind", "code": "remind-long", "facts": {"name": "remind"}},
        )
    },
}


def doorstep(language: str) -> Mapping[str, contexts.Login | contexts.Lobby]:
    """These letters by name, with the words of the lobby as the language prints them."""
    words = {word: lobby.printed(word, language) for word in contexts.Lobby.WORDS}
    page = "https://play.example.org/games"
    link = "https://play.example.org/login/FYFV2DZqL5gUlTkS4qYaNNTpDT0A1KjK525SjSTY-ZM"
    answers = {
        f"lobby-{name}": contexts.Lobby(about=f"lobby-{name}", facts=facts, page=page, words=words)
        for name, facts in ANSWERS.items()
    }
    return {"login": contexts.Login(link=link, until=DEADLINE), **answers}
