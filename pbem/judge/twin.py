"""The machine-readable twin of a letter (docs/developers/json.md): the seat's view as JSON.

Built of the view and of what the letter itself tells, so it shows nothing that the letter may not.
Its form is a JSON Schema beside this file, which the web gives to whoever asks.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from pbem.rules.board import Code
from pbem.rules.card import symbol
from pbem.rules.position import SETUP
from pbem.rules.seat import Seat
from pbem.rules.view import View

SCHEMA = "pbem/letter/1"
"""Rises when a field changes its meaning or goes; new fields may come at any time."""

FORM = "letter-1"
"""The name of the schema of this version, for addresses: a new version gets a new one."""

FILENAME = "state.json"

ANSWERS = frozenset({"done", "mistakes", "paused", "preview", "help", "history", "stats"})


def document(
    view: View, *, game: str, kind: str, turn: int, step: int, facts: Mapping[str, Any]
) -> dict[str, Any]:
    """The twin of a letter of that kind; `facts` are those of its recipe."""
    is_answer = kind in ANSWERS
    return {
        "schema": SCHEMA,
        "kind": kind,
        "game": game,
        "turn": turn,
        "step": step,
        "phase": view.phase,
        "on_turn": None if view.phase in SETUP else view.on_turn,
        "seat": view.reader,
        "to_place": view.to_place,
        "reserve": {owner: armies for owner, armies in view.reserve.items() if armies},
        "deadline": facts.get("deadline"),
        "territories": {
            code: {"owner": view.owner[code], "armies": view.armies[code]}
            for code in view.board.codes
            if code in view.owner
        },
        "hand": [
            {"card": card, "symbol": symbol(view.board, card, view.ruleset)} for card in view.hand
        ],
        "hand_sizes": dict(view.hand_sizes),
        "mission": view.mission,
        "capitals": _capitals(view),
        "result": kind if is_answer else None,
        "closed": facts.get("closed"),
        "orders": [_line(line) for line in facts.get("lines", ())] if is_answer else [],
        "mistakes": [_mistake(found) for found in facts.get("mistakes", ())],
        "skipped": list(facts.get("skipped", ())),
    }


def _capitals(view: View) -> Mapping[Seat, Code]:
    """Those that lie open; before that the reader's own choice alone."""
    if view.chosen is not None and view.reader is not None:
        return {view.reader: view.chosen}
    return view.capitals


@cache
def form() -> bytes:
    """The JSON Schema (draft 2020-12) of every document of this version."""
    return (resources.files(__package__) / f"{FORM}.schema.json").read_bytes()


def to_bytes(document: Mapping[str, Any]) -> bytes:
    """UTF-8, indented; the same document always gives the same bytes."""
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def _line(line: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "line": line["line"],
        "orders": list(line["orders"]),
        "skipped": line.get("skipped", False),
    }


def _mistake(found: Mapping[str, Any]) -> dict[str, Any]:
    return {"code": found["code"], "line": found["line"], "text": found["quoted"]}
