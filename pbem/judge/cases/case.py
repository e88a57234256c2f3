"""A case as it stands in its file: a position, what is given, what is expected."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem.judge.cases import form
from pbem.judge.cases.form import CaseError

__all__ = ["Case", "CaseError", "find", "of_table", "read"]


@dataclass(frozen=True, slots=True)
class Case:
    """One case. `position`, `given` and `expect` are the tables of the file."""

    id: str
    rule: int | str
    title: str
    ruleset: str
    language: str
    position: Mapping[str, Any]
    given: Mapping[str, Any]
    expect: Mapping[str, Any]
    options: Mapping[str, str] = field(default_factory=dict)


def read(path: Path) -> Sequence[Case]:
    """The cases of a file; raises CaseError for a file that is none, OSError for one not there."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise CaseError(f"{path.name}: not a text in UTF-8") from error
    return parse(path.name, text)


def parse(file: str, text: str) -> Sequence[Case]:
    """The cases of a file's text; raises CaseError, which names the file."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CaseError(f"{file}: {error}") from error
    entries = data.get("case", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise CaseError(f"{file}: [[case]] has to be a table")
    if not entries:
        raise CaseError(f"{file}: no [[case]] in it")
    return [of_table(file, entry) for entry in entries]


def find(paths: Sequence[Path]) -> Iterator[Path]:
    """The case files under the paths, by name; CaseError for a path that has none."""
    for path in paths:
        if path.is_dir():
            held = sorted(path.rglob("*.toml"))
            if not held:
                raise CaseError(f"{path}: no case file in it")
            yield from held
        elif path.is_file():
            yield path
        else:
            raise CaseError(f"{path}: no such file or folder")


def of_table(file: str, entry: Mapping[str, Any]) -> Case:
    """One `[[case]]` of a file; raises CaseError."""
    name = f"{file}: case {entry.get('id', '?')}"
    form.check(name, entry)
    return Case(
        id=entry["id"],
        rule=entry.get("rule", ""),
        title=entry.get("title", ""),
        ruleset=entry.get("ruleset", "classic-1993"),
        language=entry.get("language", "en"),
        options={name: str(value) for name, value in entry.get("options", {}).items()},
        position=entry["position"],
        given=entry["given"],
        expect=entry["expect"],
    )
