"""Filters that put facts into the reader's words: names, numbers, moments.

Words that are no names come from the macros of `templates/mail/_words.j2`, so that they are
translated like all others.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from textwrap import wrap
from types import MappingProxyType
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_date, format_datetime
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent
from jinja2 import Environment, pass_context, pass_environment
from jinja2.runtime import Context
from markupsafe import Markup, escape

from pbem.orders.places import Case, in_case
from pbem.render import columns, textboard
from pbem.rules.board import Board, Code, ContinentId
from pbem.rules.card import WILD, Card, symbol
from pbem.rules.dice import Faces
from pbem.rules.ruleset import Ruleset
from pbem.rules.seat import Seat


@dataclass(frozen=True, slots=True)
class Reader:
    """Whom a letter is for: a language of `languages()`, a zone, and the board played on."""

    language: str
    zone: ZoneInfo
    board: Board


def _reader(context: Context) -> Reader:
    reader = context["reader"]
    assert isinstance(reader, Reader)
    return reader


_ANSWER = re.compile(
    r"^\s*(?:(?:re|r|aw|antw|sv|vs|odg|rif|fwd?)(?:\[\d+\])?\s*:\s*)+", re.IGNORECASE
)

LONGEST_NAMES = (24, 22)
"""Columns of a name at the left and at the right of the text board: they leave room for three
figures of armies within a letter's width. Longer names, of other makers, are cut."""

WORDS = "words"
"""The global of an environment that holds the macros of `_words.j2`, not escaped."""

LANDS = "lands"
"""The global of an environment for HTML that holds the macro of `_land.html.j2`."""


@lru_cache(maxsize=4096)
def _said(environment: Environment, macro: str, *values: Hashable) -> str:
    return str(getattr(environment.globals[WORDS], macro)(*values))


@lru_cache(maxsize=4096)
def _row(environment: Environment, *values: Hashable) -> Markup:
    """From turn to turn most territories stand as they stood, and all letters show them alike."""
    return Markup(getattr(environment.globals[LANDS], "row")(*values))  # noqa: B009, S704  # a macro of HTML


def _macro(name: str) -> Callable[..., str]:
    """A filter that is one macro of `_words.j2`."""

    @pass_environment
    def said(environment: Environment, *values: Hashable) -> str:
        return _said(environment, name, *values)

    return said


@pass_context
def territory(context: Context, code: Code, case: Case | None = None) -> str:
    """A territory's name; in a case of `places` as the reader's language says it there."""
    reader = _reader(context)
    name = _name(reader, code)
    if case is None:
        return name
    return in_case(reader.language, case, code if reader.board.is_classic else None, name)


def _name(reader: Reader, code: Code) -> str:
    found = reader.board.territories[code]
    return found.names.get(reader.language, found.name)


@pass_context
def land_row(context: Context, land: textboard.Land) -> Markup:
    """A territory in the table of its continent, for HTML."""
    tint = context["table"].seat(land.owner).colour if land.owner else ""
    name = _name(_reader(context), land.code)
    return _row(context.environment, land.code, name, land.armies, land.changed, land.owner, tint)


@pass_context
def continent(context: Context, name: ContinentId) -> str:
    """A continent's name."""
    return _continent(_reader(context), name)


def _continent(reader: Reader, name: ContinentId) -> str:
    found = reader.board.continents[name]
    return found.names.get(reader.language, found.name)


@pass_context
def enumerated(context: Context, items: Iterable[object]) -> str:
    """Words one after another, the last joined as the language does it."""
    language = _reader(context).language
    if context.eval_ctx.autoescape:
        return Markup(format_list([escape(item) for item in items], locale=language))  # noqa: S704  # each is escaped
    return format_list([str(item) for item in items], locale=language)


@pass_context
def card(context: Context, own: Card, ruleset: Ruleset) -> str:
    """A card of the reader's own hand: its territory and its symbol."""
    name = "" if own == WILD else territory(context, Code(own))
    shown = symbol(_reader(context).board, own, ruleset)
    return _said(context.environment, "card", name, str(shown))


@pass_context
def when(context: Context, moment: datetime, form: str = "long") -> str:
    """A moment in the reader's zone: ``long`` with the zone's name and UTC, or ``short``."""
    reader = _reader(context)

    def told(pattern: str, zone: ZoneInfo | None = None) -> str:
        return format_datetime(moment, pattern, tzinfo=zone or UTC, locale=reader.language)

    here = told(_said(context.environment, f"{form}_pattern"), reader.zone)
    local = moment.astimezone(reader.zone)
    if form == "short":
        return here
    if not local.utcoffset():
        return f"{here} UTC"
    same_day = local.date() == moment.astimezone(UTC).date()
    return f"{here} {local.tzname()} ({told('HH:mm' if same_day else 'EEE HH:mm')} UTC)"


@pass_context
def language(context: Context, code: str) -> str:
    """The name of a language, in the reader's own."""
    named = Locale(code).get_display_name(_reader(context).language)
    return named or code


@pass_context
def percent(context: Context, chance: Fraction | float, digits: int = 0) -> str:
    """A chance from 0 to 1 in percent; only the certain shows as 100%, the hopeless as 0%.

    `digits` stand behind the point. What floats round away does not count.
    """
    step = 0.01 / 10**digits
    shown = round(float(chance), 9)
    if 0 < shown < 1:
        shown = min(max(shown, step), 1 - step)
    pattern = f"#,##0.{'0' * digits}%" if digits else None
    return format_percent(shown, pattern, locale=_reader(context).language)


@pass_context
def mean(context: Context, armies: float) -> str:
    """Armies expected, with one digit behind the point where it is not whole."""
    return format_decimal(round(armies, 1), "#,##0.#", locale=_reader(context).language)


@pass_context
def surplus(context: Context, armies: float) -> str:
    """Armies more or fewer than expected, with their sign and one digit behind the point."""
    return format_decimal(round(armies, 1), "+#,##0.0;-#,##0.0", locale=_reader(context).language)


@pass_context
def board_lines(
    context: Context, rows: Sequence[tuple[textboard.Cell, ...]], holders: Mapping[Seat, str]
) -> Iterator[str]:
    """The text board line by line; `holders` says what stands behind a seat's whole continents."""
    reader = _reader(context)
    left, right = (
        min(longest, max((_name_width(reader, cell) for cell in cells), default=0))
        for longest, cells in zip(LONGEST_NAMES, zip(*rows, strict=True), strict=True)
    )
    for one, other in rows:
        near, far = (
            _board_cell(reader, cell, width, holders)
            for cell, width in ((one, left), (other, right))
        )
        yield f"{columns.left(near, max(35, left + 12))} {far}"


def _name_width(reader: Reader, cell: textboard.Cell) -> int:
    return columns.width(_name(reader, cell.code)) if isinstance(cell, textboard.Land) else 0


def _board_cell(
    reader: Reader, cell: textboard.Cell, width: int, holders: Mapping[Seat, str]
) -> str:
    match cell:
        case textboard.Head(whole, bonus, holder):
            held = f" {holders[holder]}" if holder else ""
            return f"{columns.clip(_continent(reader, whole), 20)} {bonus}{held}"
        case textboard.Land(code, owner, armies, changed):
            name = columns.left(_name(reader, code), width)
            return f"{'!' if changed else ' '} {code} {name} {owner or '-'} {armies}"
        case None:
            return ""


@pass_environment
def span(environment: Environment, length: timedelta) -> str:
    """A length of time in its largest unit that still says enough: 3 days, 36 hours."""
    seconds = int(length.total_seconds())
    days, rest = divmod(seconds, 86_400)
    if days >= 2 and not rest:
        return _said(environment, "days", days)
    if seconds >= 3600:
        return _said(environment, "hours", seconds // 3600)
    if seconds >= 60:
        return _said(environment, "minutes", seconds // 60)
    return _said(environment, "seconds", max(1, seconds))


def quote(text: str) -> str:
    """What a person wrote, safe within a sentence: one line, no control signs, not endless."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return columns.clip(line, 60)


def quoted(text: str) -> tuple[str, ...]:
    """What a person wrote, as the quote of a mail: no line of it can be read as an order."""
    shown = "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in text)
    return tuple(
        f"> {piece}".rstrip()
        for line in shown.split("\n")
        for piece in wrap(line, columns.WIDTH - 4) or [""]
    )


@pass_context
def day(context: Context, written: date) -> str:
    """A day without its hour."""
    pattern = _said(context.environment, "day_pattern")
    return format_date(written, pattern, locale=_reader(context).language)


def unanswered(subject: str) -> str:
    """A subject without what mail programs put before it in an answer."""
    return _ANSWER.sub("", subject)


def faces(dice: Faces) -> str:
    """Dice as the record writes them, e.g. ``662``."""
    return "".join(map(str, dice))


FILTERS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {
        **{
            name: _macro(name)
            for name in ("armies", "cards", "colour", "option", "symbol", "territories")
        },
        "board_lines": board_lines,
        "card": card,
        "clip": columns.clip,
        "continent": continent,
        "day": day,
        "enumerated": enumerated,
        "faces": faces,
        "land_row": land_row,
        "language": language,
        "left": columns.left,
        "listed": columns.listed,
        "mean": mean,
        "percent": percent,
        "quote": quote,
        "quoted": quoted,
        "right": columns.right,
        "span": span,
        "surplus": surplus,
        "territory": territory,
        "unanswered": unanswered,
        "when": when,
    }
)
