"""A mail with orders, from stored to its answer stored; and a turn with all its letters.

An order mail is read in the process that can be killed, played, and answered: three files that
must reach the disk on the way. The turn goes on until the call and the reports are stored, too.
"""

from contextlib import ExitStack
from dataclasses import dataclass, field

from bench.figure import Figure
from bench.postgres import database as postgres_database
from bench.scale import Scale
from bench.table import Table, begin, database
from bench.yardstick import Span, median, timed

WARM_UP = 3
"""Mails that are not counted: they start the reading process and fill the caches."""


@dataclass(slots=True)
class Course:
    """The spans of one game's mails, and how many letters each brought."""

    answered: list[Span] = field(default_factory=list)
    told: list[Span] = field(default_factory=list)
    letters: int = 0


def measure(scale: Scale) -> list[Figure]:
    """Both, on each database that there is."""
    figures = []
    with ExitStack() as stack:
        engines = {"SQLite": stack.enter_context(database(scale.folder, "order-mail"))}
        if scale.postgres is not None:
            engines["PostgreSQL"] = stack.enter_context(postgres_database(scale.postgres))
        for name, engine in engines.items():
            figures += _figures(name, play(begin(engine), scale.mails))
    return figures


def play(table: Table, mails: int) -> Course:
    """So many turns, each of one mail."""
    course = Course()
    for number in range(mails + WARM_UP):
        answered, told, letters = _turn(table)
        if number >= WARM_UP:
            course.answered.append(answered)
            course.told.append(told)
            course.letters = letters
    return course


def _turn(table: Table) -> tuple[Span, Span, int]:
    """The spans of the answer and of all, and how many letters there were.

    The others go first, so that the one drawing of the board counts for the turn alone.
    """
    table.store(table.write())
    with timed() as played:
        answer, *others = table.play()
    with timed() as told:
        table.send(*others)
    with timed() as answered:
        table.send(answer)
    return played + answered, played + told + answered, 1 + len(others)


def _figures(database_name: str, course: Course) -> list[Figure]:
    answered, told = median(course.answered), median(course.told)
    turn = f"a turn with {course.letters} letters, {database_name}"
    return [
        _work(f"order mail to answer, {database_name}", answered, 20, "the others composed before"),
        Figure("  by the clock on the wall", answered.wall, "ms"),
        _work(turn, told, 75, "the picture drawn and sent"),
        Figure("  by the clock on the wall", told.wall, "ms"),
    ]


def _work(what: str, span: Span, under: float, note: str) -> Figure:
    """What the machine is charged; the clock also counts what else runs, and the disk."""
    return Figure(what, span.work, "ms work", under=under, note=note)
