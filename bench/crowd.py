"""Ten thousand running games beside ten: what one mail then takes, and a round of the sweep.

One game is set up by the judge; the others are its rows under other ids, written by the database
itself, so that they are there in seconds.
"""

from collections.abc import Mapping

from sqlalchemy import Table as Rows
from sqlalchemy import inspect, text

from bench.figure import Figure
from bench.order_mail import play
from bench.scale import Scale
from bench.table import HOUSE, Table, begin, database
from bench.yardstick import Span, median, timed
from pbem.judge.sweep import sweep
from pbem.store import tables
from pbem.store.engine import session

FEW = 10
COPIED = (tables.Game, tables.Seat, tables.Position, tables.Event, tables.Outbox)
NEW_VALUES: Mapping[tuple[str, str], str] = {
    ("game", "id"): "n",
    ("seat", "address"): "n || '.' || address",
    ("outbox", "id"): "NULL",
    ("outbox", "key"): '"key" || n',
    ("outbox", "message_id"): "n || message_id",
    ("outbox", "composed"): "NULL",
}
"""What must differ from row to row, `n` is the copy's game; and bytes that nobody will read."""

ONLY = {"event": "seq <= 10"}
"""A running game has many events; ten of each are enough to fill the index."""


def measure(scale: Scale) -> list[Figure]:
    """Both sizes in turn, on SQLite."""
    few, few_swept = _measured(scale, FEW)
    many, many_swept = _measured(scale, scale.games)
    return [
        Figure(f"turn with {FEW} games", few.wall, "ms"),
        Figure(f"turn with {scale.games:,} games", many.wall, "ms"),
        Figure("  times as long", many.wall / few.wall, "", under=1.2),
        Figure("  times as much work", many.work / few.work, ""),
        Figure(f"a sweep with {FEW} games", few_swept.wall, "ms"),
        Figure(f"a sweep with {scale.games:,} games", many_swept.wall, "ms"),
    ]


def _measured(scale: Scale, games: int) -> tuple[Span, Span]:
    with database(scale.folder, f"crowd-{games}") as engine:
        table = begin(engine)
        copied(table, games)
        course = play(table, scale.mails)
        return median(course.told), median([_swept(table) for _ in range(scale.repeats)])


def copied(table: Table, games: int) -> None:
    """Games up to that number, each like the one that is there."""
    with session(table.engine) as opened:
        for kind in COPIED:
            rows = inspect(kind).local_table
            assert isinstance(rows, Rows)
            opened.connection().execute(text(_copying(rows)), {"games": games})


def _copying(rows: Rows) -> str:
    names = [column.name for column in rows.columns]
    values = [_value(rows.name, name) for name in names]
    listed = ", ".join(f'"{name}"' for name in names)
    return (
        "WITH RECURSIVE numbers(n) AS "
        "(SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < :games) "
        f"INSERT INTO {rows.name} ({listed}) "
        f"SELECT {', '.join(values)} FROM {rows.name}, numbers WHERE {ONLY.get(rows.name, 'TRUE')}"
    )


def _value(table: str, column: str) -> str:
    return NEW_VALUES.get((table, column), "n" if column == "game_id" else f'{table}."{column}"')


def _swept(table: Table) -> Span:
    with timed() as span:
        sweep(table.engine, HOUSE, table.clock(), lambda _name, _row: None)
    return span
