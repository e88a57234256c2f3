"""Reading mails in all the shapes of the test corpus, from bytes to new lines."""

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from bench.figure import Figure
from bench.scale import Scale
from pbem.mail import inbound

_TESTS = Path(__file__).parents[1] / "tests"


def measure(scale: Scale) -> list[Figure]:
    """The time of one mail, here and in the process that can be killed."""
    mails = [path.read_bytes() for path in sorted((_TESTS / "letters").glob("*.eml"))]
    sent = (_TESTS / "letters" / "sent" / "call-en.txt").read_text("utf-8")
    mails = mails[: max(10, scale.samples * 2)]
    inbound.read_safely(mails[0], sent)  # starts the process
    try:
        here = _took(mails, lambda raw: inbound.read(raw, sent))
        safely = _took(mails, lambda raw: inbound.read_safely(raw, sent))
    finally:
        inbound.close()
    return [
        Figure("a mail read", 1000 * median(here), "ms", note=f"{len(mails)} shapes"),
        Figure("  in a process of its own", 1000 * median(safely), "ms", under=15),
        Figure("  the slowest shape there", 1000 * max(safely), "ms"),
    ]


def _took(mails: list[bytes], read: Callable[[bytes], object]) -> list[float]:
    times = []
    for raw in mails:
        begun = time.perf_counter()
        read(raw)
        times.append(time.perf_counter() - begun)
    return times
