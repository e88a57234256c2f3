"""Whether a worker's memory stays flat: its size in the course of many mails and their answers."""

import gc
from pathlib import Path

from bench.figure import Figure
from bench.scale import Scale
from bench.table import begin, database
from pbem.store.engine import Engine

MIB = 1024 * 1024


MAILS_A_GAME = 50
LETTERS_IN_ALL = 10
"""One of so many answers is composed: they take most of the time."""


def measure(scale: Scale) -> list[Figure]:
    """The size after a first part of the mails, when all caches are full, and at the end."""
    with database(scale.folder, "memory") as engine:
        _play(engine, max(1, scale.memory_mails // 4))
        before = resident()
        _play(engine, scale.memory_mails)
        after = resident()
    return [
        Figure("memory of a worker", before / MIB, "MiB"),
        Figure(f"  growth in {scale.memory_mails:,} mails", (after - before) / MIB, "MiB", under=8),
    ]


def _play(engine: Engine, mails: int) -> None:
    """Play so many mails of one game after the other."""
    for number in range(mails):
        if number % MAILS_A_GAME == 0:
            table = begin(engine)
        table.store(table.write())
        answer, *_ = table.play()
        if number % LETTERS_IN_ALL == 0:
            table.send(answer)


def resident() -> int:
    """Bytes in memory, without what waits to be collected."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096
