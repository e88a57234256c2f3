"""Answers of the lobby, which belong to no game."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from pbem.judge.house import House
from pbem.orders import lobby
from pbem.render import contexts


def answer(house: House, facts: Mapping[str, Any]) -> contexts.Lobby:
    """The value of an answer, from the facts of its recipe."""
    language = facts["language"]
    return contexts.Lobby(
        about=facts["about"],
        facts={name: _told(value) for name, value in facts["told"].items()},
        page=f"{house.public_url}/games",
        words={word: lobby.printed(word, language) for word in contexts.Lobby.WORDS},
    )


def _told(value: Any) -> Any:
    """An offer's pace as a span of time, wherever an offer stands."""
    if isinstance(value, list):
        return [_told(one) for one in value]
    if isinstance(value, dict) and "pace" in value:
        return {**value, "pace": timedelta(seconds=value["pace"])}
    return value
