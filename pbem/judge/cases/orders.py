"""Orders checked against a position from a file, as a mail of that seat would be: no dice."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.judge import choosing
from pbem.judge.cases import position
from pbem.judge.cases.case import Case, CaseError, of_table
from pbem.judge.people import colour_words
from pbem.mail.marker import MARKERS
from pbem.mail.normalise import order_lines
from pbem.orders import check, reader, write
from pbem.orders.sheet import Sheet
from pbem.orders.sheet import Table as Names
from pbem.render import contexts, mistakes
from pbem.rules.seat import COLOURS, NEUTRAL, Seat
from pbem.rules.view import View, view

_BESIDE = ("ruleset", "options", "language")


@dataclass(frozen=True, slots=True)
class Checked:
    """`orders` are the canonical lines without a mistake, `corrected` what a YES would play."""

    orders: tuple[str, ...]
    mistakes: tuple[Mapping[str, Any], ...]
    ignored: tuple[Mapping[str, Any], ...]
    corrected: tuple[str, ...] | None


def read_position(text: str, name: str) -> Case:
    """A file with the keys of `[case.position]`, or the first case of a case file.

    `ruleset`, `options` and `language` may stand beside the keys. Raises CaseError.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CaseError(f"{name}: {error}") from error
    if "case" in data:
        data = data["case"][0] if isinstance(data["case"], list) and data["case"] else data["case"]
    else:
        beside = {key: data.pop(key) for key in _BESIDE if key in data}
        data = {**beside, "position": data.pop("position", data)}
    if "position" not in data:
        raise CaseError(f"{name}: it has no position")
    return of_table(name, {"id": "position", "given": {}, "expect": {}, **data})


def check_orders(
    case: Case, text: str, seat: str | None = None, language: str | None = None
) -> Checked:
    """Read and check a text for a seat (letter or colour; else the one on turn).

    Raises CaseError, OptionError and RulesetError for a position that cannot be.
    """
    rules, chosen = choosing.choose(case.ruleset, case.options, pace=None, remind=[])
    state = position.state(case, rules, chosen.board_id)
    by_colour = position.seats(case)
    asker = state.on_turn if seat is None else _seat(by_colour, seat)
    spoken = language or case.language
    names = {s: colour.capitalize() for colour, s in by_colour.items() if s != NEUTRAL}
    called = {s: colour_words(c, spoken) for c, s in by_colour.items() if s in names}
    sheet = reader.read(order_lines(text), spoken, Names(state.board, names, called))
    seen = view(state, asker)
    found = check.check(sheet, seen)
    table = contexts.Table(
        game=case.id,
        seats=tuple(contexts.SeatLine(s, c, names[s]) for c, s in by_colour.items() if s in names),
        reader=asker,
        ruleset=rules,
        marker=MARKERS[spoken],
    )
    return Checked(
        orders=tuple(_orders(sheet, found, seen)),
        mistakes=tuple(
            {"code": m.code, "line": m.line, "text": mistakes.text(m, table, state.board, spoken)}
            for m in found.mistakes
        ),
        ignored=tuple({"line": i.line, "text": i.text, "why": i.why} for i in sheet.ignored),
        corrected=found.corrected,
    )


def _seat(by_colour: Mapping[str, Seat], named: str) -> Seat:
    seats = {s: s for s in by_colour.values() if s != NEUTRAL}
    found = by_colour.get(named.lower()) or seats.get(Seat(named.upper()))
    if found is None or found == NEUTRAL:
        known = ", ".join(colour for colour in by_colour if colour in COLOURS)
        raise CaseError(f"{named!r} has no seat here; there are {known}")
    return found


def _orders(sheet: Sheet, found: check.Checked, seen: View) -> Iterator[str]:
    """What the answer would show as understood; with all defaults where nothing is wrong."""
    wrong = {mistake.line for mistake in found.mistakes}
    for line in sheet.lines if found.plan is None else found.plan.lines:
        if line.number not in wrong:
            yield write.line(line, sheet.language, seen.board)
