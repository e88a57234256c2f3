"""The machine's own speed in the same run: without it no other figure can be compared."""

import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.figure import Figure
from bench.scale import Scale

ADDITIONS = 1_000_000


@dataclass(slots=True)
class Span:
    """How long something took, in milliseconds: by the clock on the wall and in this process."""

    wall: float = 0.0
    work: float = 0.0

    def __add__(self, other: "Span") -> "Span":
        return Span(self.wall + other.wall, self.work + other.work)


@contextmanager
def timed() -> Iterator[Span]:
    """The span of the block; filled in when it ends."""
    span, wall, work = Span(), time.perf_counter(), time.process_time()
    yield span
    span.wall = 1000 * (time.perf_counter() - wall)
    span.work = 1000 * (time.process_time() - work)


def median(spans: Sequence[Span]) -> Span:
    """The medians of both clocks."""
    return Span(
        statistics.median(span.wall for span in spans),
        statistics.median(span.work for span in spans),
    )


def additions() -> int:
    """A million additions in a loop: the machine's plain Python."""
    total = 0
    for number in range(ADDITIONS):
        total += number
    return total


def fastest(work: Callable[[], object], times: int = 5) -> Span:
    """The work when the machine disturbs it least."""
    spans = []
    for _ in range(times):
        with timed() as span:
            work()
        spans.append(span)
    return min(spans, key=lambda span: span.wall)


def measure(scale: Scale) -> list[Figure]:
    """Plain Python and one durable write, as everything below stands on them."""
    loop = fastest(additions, scale.repeats)
    written = [_write_durably(scale.folder / "yardstick") for _ in range(scale.mails)]
    return [
        Figure("plain Python", ADDITIONS / 1000 / loop.wall, "M adds/s"),
        Figure("one write to the disk (fsync)", median(written).wall, "ms"),
    ]


def _write_durably(path: Path) -> Span:
    with timed() as span, path.open("ab") as file:
        file.write(bytes(4096))
        file.flush()
        os.fsync(file.fileno())
    return span
