"""Taking in a board: its files read and checked, then kept under a name for new games."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import PurePath
from typing import Any, NamedTuple

from pbem.orders.lexicon import CODE, LANGUAGES, reserved
from pbem.orders.unsaid import unsaid, unsaid_continents
from pbem.render.letters import colour_name
from pbem.rules import board as boards
from pbem.rules import chart
from pbem.rules.board import CLASSIC, Board, Code
from pbem.rules.domination.board import Imported, read
from pbem.rules.domination.sheet import Remark, Source, decode, slug_of
from pbem.rules.seat import COLOURS
from pbem.store import audit, tables
from pbem.store import boards as stored
from pbem.store.engine import Session

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class BoardNameError(ValueError):
    """A board cannot be called so; the message says why."""


class File(NamedTuple):
    """A file as it was given."""

    name: str
    raw: bytes


class Survey(NamedTuple):
    """What is to be said of a board's files, and the board itself where they have no fault."""

    board: Board | None
    faults: tuple[Remark, ...]
    notes: tuple[Remark, ...]


def survey(map_file: File, cards_file: File | None = None, name: str | None = None) -> Survey:
    """Reads the files of a board: a `.map` with its `.cards`, or a TOML of our own form.

    Without a name the map's own title gives it, else the file's name. Raises BoardNameError.
    """
    found = _read(map_file, cards_file, "" if name is None else _checked(name))
    if found.data is None:
        return Survey(None, found.faults, found.notes)
    _checked(found.data["map"]["id"])
    board = boards.keep(boards.canonical(found.data))
    notes = (*found.notes, *_misread(map_file.name, board))
    return Survey(board, (), notes)


def keep(session: Session, board: Board, now: datetime, *, by: str) -> tables.Board:
    """Keeps a board of a survey, so that new games find it by its name.

    Games that run go on with the board that they were made with, also if its name is now this
    one's.
    """
    name, _, checksum = board.id.rpartition(boards.MARK)
    kept = stored.keep(session, checksum, name, board.source, by=by, now=now)
    detail = {"name": name, "checksum": checksum}
    audit.record(session, now, who=by, what="board-import", detail=detail)
    return kept


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name) or len(name) > chart.LONGEST_NAME:
        raise BoardNameError(
            f"{name!r} cannot name a board: write small letters, digits and hyphens, at most"
            f" {chart.LONGEST_NAME}"
        )
    if name == CLASSIC or name in boards.variants():
        raise BoardNameError(f"{name!r} is a board of ours; give this one another --name")
    return name


def _read(map_file: File, cards_file: File | None, name: str) -> Imported:
    stem = PurePath(map_file.name).stem
    if map_file.name.casefold().endswith(".toml"):
        return _read_toml(map_file, name)
    cards = None if cards_file is None else Source(cards_file.name, decode(cards_file.raw))
    found = read(Source(map_file.name, decode(map_file.raw)), cards, name, _taken())
    if found.data is not None and "name" not in found.data["map"]:
        found.data["map"]["name"] = stem if chart.is_name(stem) else "Board"
        found.data["map"]["id"] = name or slug_of(stem) or "board"
    return found


def _read_toml(file: File, name: str) -> Imported:
    try:
        data = tomllib.loads(decode(file.raw))
    except tomllib.TOMLDecodeError as error:
        return Imported(None, (Remark(file.name, _line_of(error), str(error)),), ())
    found = (*chart.faults(data), *_misnamed(data))
    faults = tuple(Remark(file.name, _line_with(decode(file.raw), text), text) for text in found)
    if faults:
        return Imported(None, faults, ())
    return Imported({**data, "map": {**data["map"], "id": name or data["map"]["id"]}}, (), ())


def _taken() -> frozenset[str]:
    """Words that no code may be: those of the orders, and the colours that seats are called by."""
    colours = (colour_name(colour, language) for colour in COLOURS for language in LANGUAGES)
    return reserved() | {name.upper() for name in colours if len(name) == CODE}


def _misnamed(data: Mapping[str, Any]) -> Iterator[str]:
    """Codes of a file of our own form that are words of the orders."""
    taken = _taken()
    for entry in data.get("territory", ()):
        if entry.get("code") in taken:
            yield f"the code {entry['code']!r} is a word of the orders; choose another one"


def _line_of(error: tomllib.TOMLDecodeError) -> int:
    found = re.search(r"line (\d+)", str(error))
    return int(found[1]) if found else 1


def _line_with(text: str, fault: str) -> int:
    """The last line with what the fault names, since that is the one too much; else the first."""
    named = re.findall(r"'([^']+)'", fault)
    lines = [n for n, line in enumerate(text.splitlines(), 1) if named and f'"{named[0]}"' in line]
    return lines[-1] if lines else 1


def _misread(file: str, board: Board) -> Iterator[Remark]:
    """Names that orders cannot say; in the orders of letters a territory's code stands for it."""
    languages: dict[Code, list[str]] = {}
    for language in LANGUAGES:
        for code in unsaid(language, board):
            languages.setdefault(code, []).append(language)
    for code in board.codes:
        if code in languages:
            name, where = board.territories[code].name, ", ".join(languages[code])
            yield Remark(file, 1, f"orders cannot say {name!r} ({where}); they say {code}")
    for name in dict.fromkeys(n for own in LANGUAGES for n in unsaid_continents(own, board)):
        yield Remark(file, 1, f"orders cannot say the continent {name!r}; rename it, or do without")
