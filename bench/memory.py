"""Whether a worker's memory stays flat: its size in the course of many mails and their answers."""

import gc
from pathlib import Path

from bench.figure import Figure
from bench.scale import Scale
from bench.table import Table, begin, database

MIB = 1024 * 1024


def measure(scale: Scale) -> list[Figure]:
    """The size after a first part of the mails, when all caches are full, and at the end."""
    with database(scale.folder, "memory") as engine:
        table = begin(engine)
        _play(table, max(1, scale.memory_mails // 4))
        before = _resident()
        _play(table, scale.memory_mails)
        after = _resident()
    return [
        Figure("memory of a worker", before / MIB, "MiB"),
        Figure(f"  growth in {scale.memory_mails:,} mails", (after - before) / MIB, "MiB", under=8),
    ]


def _play(table: Table, mails: int) -> None:
    """Answer so many mails; the other letters of each turn are left in the outbox."""
    for _ in range(mails):
        table.store(table.write())
        table.send(table.play()[0])


def _resident() -> int:
    """Bytes in memory, without what waits to be collected."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096
