"""Acts as plain commands: one a line, as a game master writes them in a mail.

`PAUSE`, `EXTEND 24h`, `REPLACE B Carla <carla@example.org>`, `NOTE ALL: see you on Monday`,
`ORDERS B: place 3 in Siam; end`, `REASON power cut`. The name is that of the act, the rest its
fields in their order; the last one takes what is left.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pbem.judge.acts import form
from pbem.judge.acts.act import Act, Grade, Kind
from pbem.judge.acts.registry import ACTS
from pbem.judge.gm import ActError

REASON, HELP = "reason", "help"
BY_MAIL = frozenset({Grade.SAFE, Grade.FAIR})
"""What a mail may do; what touches results has to be looked at first."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A line that is no command, and why, by code (see `render.refusals`)."""

    line: str
    code: str
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Said:
    """What a mail asks for, its lines in their order."""

    acts: tuple[tuple[str, Act], ...]
    wrong: tuple[Wrong, ...]
    reason: str
    wants_help: bool


def read(lines: Iterable[str], zone: str) -> Said:
    """The commands of a mail; every line that is not empty is one."""
    acts: list[tuple[str, Act]] = []
    wrong: list[Wrong] = []
    reason, wants_help = "", False
    for line in filter(None, (raw.strip() for raw in lines)):
        name, _, rest = line.partition(" ")
        match name.lower().rstrip(":"):
            case word if word == REASON:
                reason = rest.strip()
            case word if word == HELP:
                wants_help = True
            case word:
                try:
                    acts.append((line, _act(word, rest.strip(), zone)))
                except ActError as error:
                    wrong.append(Wrong(line, error.code, dict(error.facts)))
    return Said(tuple(acts), tuple(wrong), reason, wants_help)


def _act(name: str, rest: str, zone: str) -> Act:
    act = ACTS.get(name)
    if act is None:
        raise ActError("no-act", name=name)
    if act.grade not in BY_MAIL:
        raise ActError("not-by-mail", name=name)
    return form.read(act, _fields(act, rest), zone)


def _fields(act: type[Act], rest: str) -> dict[str, str]:
    fields = form.fields_of(act)
    texts: dict[str, str] = {}
    for place, one in enumerate(fields):
        last = place == len(fields) - 1
        word, _, left = (rest, "", "") if last else rest.partition(" ")
        texts[one.name] = word if last else word.rstrip(":")
        rest = left.strip()
        if one.kind is Kind.LINES:
            texts[one.name] = "\n".join(part.strip() for part in texts[one.name].split(";"))
    return texts


def offered() -> list[str]:
    """Every command that a mail may give, with its fields; those in brackets may be left out."""
    return [
        " ".join((act.name.upper(), *(_shown(one) for one in form.fields_of(act))))
        for act in ACTS.values()
        if act.grade in BY_MAIL
    ]


def _shown(one: form.Field) -> str:
    return one.name if one.required else f"[{one.name}]"
