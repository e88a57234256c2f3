"""A sample as a reader of another language gets it.

The service writes orders, the line above the old letter and the subject of a thread in the words of
the seat; the samples hold English ones.
"""

from dataclasses import fields, is_dataclass, replace
from typing import Any

from pbem.mail.marker import MARKERS
from pbem.orders import write
from pbem.orders.reader import read
from pbem.orders.sheet import Table
from pbem.render.letters import compose
from tests.render.samples import BOARD, SAMPLES

ORDERS = ("order", "orders", "examples", "next_turn", "kept")
"""Fields of contexts that hold orders as they are printed."""


def spoken(name: str, language: str) -> Any:
    """The sample of that name in the words of the language."""
    said = _said(SAMPLES[name], language)
    if said.table is not None:
        said = replace(said, table=replace(said.table, marker=MARKERS[language]))
    if getattr(said, "thread", None):
        call = SAMPLES["turn-call"]
        return replace(said, thread=compose(call.kind, call, language, "Europe/Rome").subject)
    return said


def _said(value: Any, language: str) -> Any:
    if isinstance(value, tuple):
        return tuple(_said(one, language) for one in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changed = {}
    for field in fields(value):
        held = getattr(value, field.name)
        if field.name in ORDERS:
            changed[field.name] = _orders(held, language)
        elif isinstance(held, tuple) or field.name == "forecast":
            changed[field.name] = _said(held, language)
    return replace(value, **changed)


def _orders(held: Any, language: str) -> Any:
    if isinstance(held, str):
        return _order(held, language)
    return tuple(_order(one, language) for one in held)


def _order(text: str, language: str) -> str:
    """The order in the language; what is none, such as a setting, stays as it is."""
    sheet = read([text], "en", Table(BOARD))
    plain = len(sheet.lines) == 1 and not sheet.mistakes
    return write.line(sheet.lines[0], language, BOARD) if plain else text
