"""Acts as plain commands: one a line, as a game master writes them in a mail.

`PAUSE`, `EXTEND 24h`, `REPLACE B Carla <carla@example.org>`, `NOTE ALL: see you on Monday`,
`ORDERS B: place 3 in Siam; end`, `REASON power cut`. A line begins with the name of its act, in any
of the languages (`orders.gm`); the rest are the act's fields in their order, and the last one takes
what is left. What may only be set or not stands at the end: `REPLACE B carla@example.org
--allow-same`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.judge.acts import form
from pbem.judge.acts.act import ALL, Act, Grade, Kind
from pbem.judge.acts.registry import ACTS
from pbem.judge.gm import ActError
from pbem.judge.invitees import COMPUTER
from pbem.orders import gm

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
    """What a mail asks for, its lines in their order.

    `language` is that of its first word that is not English, else "en"; None without any word.
    """

    acts: tuple[tuple[str, Act], ...]
    wrong: tuple[Wrong, ...]
    reason: str
    wants_help: bool
    language: str | None = None


def read(lines: Iterable[str], zone: str) -> Said:
    """The commands of a mail; every line that is not empty is one."""
    acts: list[tuple[str, Act]] = []
    wrong: list[Wrong] = []
    spoken: list[str] = []
    reason, wants_help = "", False
    for line in filter(None, (raw.strip() for raw in lines)):
        said = gm.command(line)
        spoken += [] if said is None else [said.language]
        if said is not None and said.act == REASON:
            reason = said.rest
        elif said is not None and said.act == HELP:
            wants_help = True
        else:
            try:
                acts.append((line, _act(line, said, zone)))
            except ActError as error:
                wrong.append(Wrong(line, error.code, dict(error.facts)))
    return Said(tuple(acts), tuple(wrong), reason, wants_help, _language(spoken))


def _language(spoken: Sequence[str]) -> str | None:
    foreign = [language for language in spoken if language != "en"]
    return next(iter((*foreign, *spoken)), None)


def _act(line: str, said: gm.Command | None, zone: str) -> Act:
    if said is None:
        name = line.split(maxsplit=1)[0].rstrip(":").lower()
        raise ActError(
            "no-act", name=name, known=[gm.printed(act.name, "en") for act in _by_mail()]
        )
    act = ACTS[said.act]
    if act.grade not in BY_MAIL:
        raise ActError("not-by-mail", name=said.act)
    return form.read(act, _fields(act, said.rest), zone)


def _fields(act: type[Act], rest: str) -> dict[str, str]:
    texts, rest = _flags(act, rest)
    fields = [one for one in form.fields_of(act) if one.kind is not Kind.FLAG]
    for place, one in enumerate(fields):
        last = place == len(fields) - 1
        word, _, left = (rest, "", "") if last else rest.partition(" ")
        texts[one.name] = _plain(one, word if last else word.rstrip(":"))
        rest = left.strip()
        if one.kind is Kind.LINES:
            texts[one.name] = "\n".join(part.strip() for part in texts[one.name].split(";"))
    return texts


def _flags(act: type[Act], rest: str) -> tuple[dict[str, str], str]:
    """What is set by its own name behind the other fields, and the line without it."""
    texts: dict[str, str] = {}
    for one in form.fields_of(act):
        before, _, last = rest.rpartition(" ")
        if one.kind is Kind.FLAG and gm.is_field(last, one.name):
            texts[one.name], rest = form.YES, before.rstrip()
    return texts, rest


def _plain(one: form.Field, written: str) -> str:
    """The one word that a form knows for what every language has its own for."""
    if one.kind is Kind.SEAT_OR_ALL and gm.value(written, ALL):
        return ALL
    if one.kind is Kind.PERSON and gm.value(written, COMPUTER):
        return COMPUTER
    return written


def offered(language: str) -> list[str]:
    """Every command that a mail may give, with its fields; those in brackets may be left out."""
    return [_usage(act, language) for act in _by_mail()]


def _usage(act: type[Act], language: str) -> str:
    fields = (_shown(one, language) for one in form.fields_of(act))
    return " ".join((gm.printed(act.name, language), *fields))


def _by_mail() -> list[type[Act]]:
    return [act for act in ACTS.values() if act.grade in BY_MAIL]


def _shown(one: form.Field, language: str) -> str:
    name = gm.field(one.name, language)
    return name if one.required else f"[{name}]"
