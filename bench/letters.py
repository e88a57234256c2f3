"""Words, HTML and bytes of one letter of each kind that a turn brings, without the database."""

from bench.figure import Figure
from bench.scale import Scale
from bench.table import HOUSE, Table, begin, database
from bench.yardstick import Span, fastest
from pbem.judge import compose
from pbem.judge.contents.desk import Desk, Shelf, gather
from pbem.store import outbox, tables
from pbem.store.engine import session

TURNS = 3
"""Turns before the one whose letters are composed: the call then tells of other seats."""


def measure(scale: Scale) -> list[Figure]:
    """The work for one letter by its kind."""
    with database(scale.folder, "letters") as engine:
        table = begin(engine)
        for _ in range(TURNS):
            table.store(table.write())
            letters = table.play()
        desks = _desks(table, letters)
    spans = {kind: _composed(row, desk, scale) for kind, (row, desk) in desks.items()}
    return [
        Figure(f"one {kind} letter composed", span.work, "ms", note="without a picture")
        for kind, span in spans.items()
    ]


def _desks(table: Table, letters: list[int]) -> dict[str, tuple[tables.Outbox, Desk]]:
    """One letter of each kind with all that it needs."""
    desks = {}
    with session(table.engine) as opened:
        for letter in letters:
            row = outbox.find(opened, letter)
            assert row is not None
            desks[row.kind] = row, gather(Shelf(opened), row)
    return desks


def _composed(row: tables.Outbox, desk: Desk, scale: Scale) -> Span:
    return fastest(lambda: compose.write(HOUSE, row, desk), scale.repeats)
