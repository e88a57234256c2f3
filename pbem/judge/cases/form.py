"""The form of a case: which keys its tables have, and what may stand in them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.rules import board as boards
from pbem.rules.card import WILD
from pbem.rules.event import KINDS
from pbem.rules.missions import all_missions
from pbem.rules.position import Phase
from pbem.rules.seat import COLOURS

Table = Mapping[str, Any]


class CaseError(ValueError):
    """A case file is not what the format says; the message names the case and the key."""


@dataclass(frozen=True, slots=True)
class Form:
    """What a value has to be. `fits` gets the value and the colours that have a seat."""

    what: str
    fits: Callable[[Any, Sequence[str]], bool]


def check(name: str, entry: Table) -> None:
    """Raises CaseError for the first key of a case that is unknown or holds what it cannot."""
    _check_keys(name, "", entry, CASE)
    for key in ("id", "position", "given", "expect"):
        if key not in entry:
            raise CaseError(f"{name}: {key!r} is missing")
    colours = _colours(name, entry["position"])
    for section, forms in (("position", POSITION), ("given", GIVEN), ("expect", EXPECT)):
        _check_keys(name, f"{section}.", entry[section], forms, colours)
    for mail in entry["given"].get("mails", ()):
        if isinstance(mail, dict):
            _check_keys(name, "given.mails.", mail, MAIL, colours)
    _check_territories(name, entry["position"])


def _check_keys(
    name: str, prefix: str, table: Table, forms: Mapping[str, Form], colours: Sequence[str] = ()
) -> None:
    for key, value in table.items():
        if key not in forms:
            raise CaseError(f"{name}: there is no key {prefix + key!r}")
        if not forms[key].fits(value, colours):
            raise CaseError(f"{name}: {prefix}{key} must be {forms[key].what}, not {value!r}")


def _colours(name: str, position: Table) -> Sequence[str]:
    seats = position.get("seats")
    if not SEATS.fits(seats, ()):
        raise CaseError(f"{name}: position.seats must be {SEATS.what}, not {seats!r}")
    return [*position["seats"], "neutral"]


def _check_territories(name: str, position: Table) -> None:
    """Every territory has one owner at most."""
    held = [code for codes in position.get("holdings", {}).values() for code in codes]
    held += position.get("neutral", {})
    twice = next((code for code in held if held.count(code) > 1), None)
    if twice is not None:
        raise CaseError(f"{name}: {twice} has two owners")
    if len(position.get("rest", {})) > 1:
        raise CaseError(f"{name}: position.rest has two owners")


def _is_number(value: Any, least: int = 0) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _is_card(value: Any) -> bool:
    return value == WILD or value in boards.load().codes


def _one_of(what: str, allowed: Sequence[str]) -> Form:
    return Form(what, lambda value, _: isinstance(value, str) and value in allowed)


def _list(form: Form) -> Form:
    return Form(
        f"a list, each {form.what}",
        lambda value, known: isinstance(value, list) and all(form.fits(v, known) for v in value),
    )


def _table(key: Form, form: Form) -> Form:
    return Form(
        f"a table of {key.what} = {form.what}",
        lambda value, known: (
            isinstance(value, dict)
            and all(key.fits(k, known) and form.fits(v, known) for k, v in value.items())
        ),
    )


def _either(first: Form, second: Form) -> Form:
    return Form(
        f"{first.what} or {second.what}",
        lambda value, known: first.fits(value, known) or second.fits(value, known),
    )


TEXT = Form("a text", lambda value, _: isinstance(value, str))
TRUTH = Form("true or false", lambda value, _: isinstance(value, bool))
NUMBER = Form("a number", lambda value, _: _is_number(value))
ARMIES = Form("a number from 1 on", lambda value, _: _is_number(value, 1))
FACE = Form("a face from 1 to 6", lambda value, _: _is_number(value, 1) and value <= 6)
COLOUR = Form("a colour that has a seat", lambda v, known: isinstance(v, str) and v in known)
TERRITORY = Form("a code of the board", lambda value, _: value != WILD and _is_card(value))
CARD = Form("a code of the board or WILD", lambda value, _: _is_card(value))
MISSION = Form("the id of a mission", lambda v, _: isinstance(v, str) and v in all_missions())
PHASE = _one_of("a phase", [*Phase])
NOBODY = _one_of('""', [""])
TABLE = Form("a table", lambda value, _: isinstance(value, dict))
MAIL_OR_TEXT = Form(
    "a text, or a table with a text", lambda v, _: isinstance(v, str) or _is_mail(v)
)
SEATS = Form(
    f"a list of 2 to 6 colours of {', '.join(COLOURS)}",
    lambda value, _: (
        isinstance(value, list)
        and 2 <= len(value) <= len(COLOURS)
        and all(isinstance(v, str) and v in COLOURS and value.count(v) == 1 for v in value)
    ),
)
WORDS = _table(_one_of("has or not", ["has", "not"]), _list(TEXT))
ANY_VALUE = Form("a text or a number", lambda v, _: isinstance(v, str | int))


def _is_mail(value: Any) -> bool:
    return isinstance(value, dict) and "text" in value


CASE: Mapping[str, Form] = {
    "id": Form("a text", lambda value, _: isinstance(value, str) and value != ""),
    "rule": Form("a number or a heading of the rules", ANY_VALUE.fits),
    "title": TEXT,
    "ruleset": TEXT,
    "language": _one_of("en, it, nl or sl", ["en", "it", "nl", "sl"]),
    "options": _table(TEXT, ANY_VALUE),
    "position": TABLE,
    "given": TABLE,
    "expect": TABLE,
}

POSITION: Mapping[str, Form] = {
    "seats": SEATS,
    "turn": COLOUR,
    "phase": PHASE,
    "to_place": NUMBER,
    "captured": TRUTH,
    "sets_traded": NUMBER,
    "bonus_taken": TRUTH,
    "mid_turn": TRUTH,
    "rest": _table(COLOUR, ARMIES),
    "holdings": _table(COLOUR, _table(TERRITORY, ARMIES)),
    "neutral": _table(TERRITORY, ARMIES),
    "hands": _table(COLOUR, _list(CARD)),
    "deck": _list(CARD),
    "discards": _list(CARD),
    "reserve": _table(COLOUR, NUMBER),
    "defence": _table(COLOUR, TEXT),
    "missions": _table(COLOUR, MISSION),
    "capitals": _table(COLOUR, TERRITORY),
    "held_since": _table(COLOUR, NUMBER),
}

GIVEN: Mapping[str, Form] = {
    "dice": _list(FACE),
    "orders": TEXT,
    "mails": _list(MAIL_OR_TEXT),
    "lists": _table(COLOUR, TEXT),
    "settings": _table(COLOUR, TEXT),
    "deadline": TRUTH,
}

MAIL: Mapping[str, Form] = {"seat": COLOUR, "step": NUMBER, "text": TEXT}

EXPECT: Mapping[str, Form] = {
    "result": TEXT,
    "mistakes": _list(TEXT),
    "skipped": _list(NUMBER),
    "holdings": _table(COLOUR, _table(TERRITORY, ARMIES)),
    "hands": _table(COLOUR, _either(NUMBER, _list(CARD))),
    "phase": PHASE,
    "to_place": NUMBER,
    "captured": TRUTH,
    "sets_traded": NUMBER,
    "deck": _list(CARD),
    "discards": _list(CARD),
    "turn": COLOUR,
    "winner": _either(COLOUR, NOBODY),
    "eliminated": _list(COLOUR),
    "reserve": _table(COLOUR, NUMBER),
    "dice_used": NUMBER,
    "events": _list(_one_of(f"one of {', '.join(KINDS)}", [*KINDS])),
    "see": _table(COLOUR, WORDS),
}
