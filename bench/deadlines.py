"""Ten thousand games whose deadlines fall in one minute: the sweep, the workers, an order mail.

The games are copies of one, as in the crowd; all but that one fall due at once.
"""

from sqlalchemy import update
from sqlmodel import col

from bench.crowd import copied
from bench.figure import Figure
from bench.order_mail import play
from bench.scale import Scale
from bench.table import HOUSE, Table, begin, database
from bench.yardstick import Span, median, timed
from pbem.judge.deadline import SETTLING
from pbem.judge.drain import drain
from pbem.judge.sweep import sweep
from pbem.store import due
from pbem.store.engine import session
from pbem.store.tables import Game


def measure(scale: Scale) -> list[Figure]:
    """On SQLite, with one worker."""
    with database(scale.folder, "deadlines") as engine:
        table = begin(engine)
        copied(table, scale.games)
        alone = median(play(table, scale.mails).told)
        _fall_due(table)
        with timed() as swept:
            rounds = _sweep(table)
        among = median(play(table, scale.mails).told)
        played = median([_played(table, number) for number in range(2, 2 + scale.mails)])
    return [
        Figure(
            f"a sweep that takes up {due.MOST_DEADLINES:,} deadlines", swept.wall / rounds, "ms"
        ),
        Figure(f"all of {scale.games:,} deadlines taken up", swept.wall / 1000, "s"),
        Figure("  a second, of them", 1000 * scale.games / swept.wall, "/s"),
        Figure("a deadline played by a worker", played.wall, "ms"),
        Figure("an order mail while they wait", among.wall, "ms"),
        Figure("  times as long as without", among.wall / alone.wall, "", under=1.2),
    ]


def _fall_due(table: Table) -> None:
    now = table.clock()
    with session(table.engine) as opened:
        opened.exec(update(Game).where(col(Game.id) != table.game_id).values(deadline=now))


def _sweep(table: Table) -> int:
    """Until every deadline is in its inbox; how many rounds it took."""
    now, rounds = table.clock() + SETTLING, 0
    while True:
        rounds += 1
        if not sweep(table.engine, HOUSE, now, lambda _name, _row: None).deadlines:
            return rounds


def _played(table: Table, number: int) -> Span:
    with timed() as span:
        drain(table.engine, HOUSE, number, table.clock)
    return span
