"""Acts from texts and back: what a form's inputs, a command's options and a mail's words become."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from datetime import UTC, datetime, timedelta
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints
from zoneinfo import ZoneInfo

from pbem.judge.acts.act import ALL, Act, Kind
from pbem.judge.duration import parse_duration
from pbem.judge.gm import ActError
from pbem.judge.invitees import LANGUAGES, parse_seat
from pbem.rules.seat import COLOURS, LETTERS

YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an act: its name, what it holds, whether it may stay empty, what it may be."""

    name: str
    kind: Kind
    required: bool
    choices: tuple[str, ...] = ()


@cache
def fields_of(act: type[Act]) -> tuple[Field, ...]:
    """The fields of an act, in their order."""
    hints = get_type_hints(act, include_extras=True)
    return tuple(
        _field(one.name, hints[one.name], required=one.default is MISSING)
        for one in fields(act)  # type: ignore[arg-type]  # every act is a dataclass
    )


def _field(name: str, hint: Any, *, required: bool) -> Field:
    if get_origin(hint) in (UnionType, Union):  # `... | None`, however Python spells it
        hint = next(part for part in get_args(hint) if get_origin(part) is Annotated)
    _, kind, *choices = get_args(hint)
    return Field(name, kind, required, tuple(choices))


def read(act: type[Act], texts: Mapping[str, str], zone: str = "UTC") -> Act:
    """The act from what was written in its fields; raises ActError that names the field.

    Empty texts are left out. A moment without an offset is one of `zone`.
    """
    values: dict[str, Any] = {}
    for one in fields_of(act):
        written = texts.get(one.name, "").strip()
        if written:
            values[one.name] = _value(one, written, zone)
        elif one.required:
            raise ActError("field-missing", **_asked(one))
    unknown = sorted(set(texts) - {one.name for one in fields_of(act)})
    if unknown:
        known = [one.name for one in fields_of(act)]
        raise ActError("no-field", field=unknown[0], known=known)
    return act(**values)


def texts(act: Act) -> dict[str, str]:
    """What `read` makes the same act of."""
    written = {one.name: getattr(act, one.name) for one in fields_of(type(act))}
    return {name: _text(value) for name, value in written.items() if value is not None}


def _value(one: Field, written: str, zone: str) -> Any:
    try:
        return _read(one, written, zone)
    except ValueError as error:
        raise ActError(f"bad-{one.kind}", value=written, **_asked(one)) from error


def _asked(one: Field) -> dict[str, Any]:
    """What a field asks for, for the words that say so."""
    return {"field": one.name, "kind": one.kind.value, "choices": list(_choices(one))}


def _read(one: Field, written: str, zone: str) -> Any:
    match one.kind:
        case Kind.SPAN:
            return parse_duration(written)
        case Kind.MOMENT:
            return _moment(written, zone)
        case Kind.NUMBER:
            return int(written)
        case Kind.FLAG:
            return _one_of(written.lower(), (YES, NO)) == YES
        case Kind.CARDS:
            return tuple(word.upper() for word in written.replace(",", " ").split() if word != "-")
        case Kind.TERRITORY:
            return written.upper()
        case Kind.PERSON:
            parse_seat(f"{COLOURS[0]}={written}", LANGUAGES[0])  # raises what is no person
            return written
        case Kind.WORDS | Kind.LINES | Kind.OPTION:
            return written
        case kind:
            return _choice(kind, one, written)


def _choice(kind: Kind, one: Field, written: str) -> str:
    """One word of a closed list: a seat in capitals, all others small."""
    small, capital = written.lower(), written.upper()
    if kind is Kind.SEAT or (kind is Kind.SEAT_OR_ALL and small != ALL):
        return _one_of(capital, LETTERS)
    return _one_of(small, _choices(one))


def _choices(one: Field) -> tuple[str, ...]:
    """The words of a closed list, where the field takes one of these."""
    closed = {Kind.SEAT_OR_ALL: (ALL,), Kind.LANGUAGE: LANGUAGES, Kind.FLAG: (YES, NO)}
    return closed.get(one.kind, one.choices)


def _one_of(written: str, choices: tuple[str, ...]) -> str:
    if written not in choices:
        raise ValueError(written)
    return written


def _moment(written: str, zone: str) -> datetime:
    at = datetime.fromisoformat(written)
    return (at.replace(tzinfo=ZoneInfo(zone)) if at.tzinfo is None else at).astimezone(UTC)


def _text(value: Any) -> str:
    match value:
        case bool():
            return YES if value else NO
        case datetime():
            return value.isoformat()
        case timedelta():
            return f"{int(value.total_seconds())}s"
        case tuple():
            return " ".join(value) or "-"
        case _:
            return str(value)
