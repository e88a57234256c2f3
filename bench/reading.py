"""Reading 64 KiB of anything as orders: no text that a mail can hold may take long."""

import random
from collections.abc import Mapping

from bench.figure import Figure
from bench.scale import Scale
from bench.yardstick import fastest
from pbem.orders import reader
from pbem.orders.sheet import Table
from pbem.rules.board import load
from pbem.rules.seat import LETTERS

SIZE = 64 * 1024


def measure(scale: Scale) -> list[Figure]:
    """The time for each kind of text."""
    return [
        Figure(f"64 KiB of {name} read", _took(text, scale), "ms", under=100)
        for name, text in _texts().items()
    ]


def _took(text: str, scale: Scale) -> float:
    table = Table(load("classic-world"), {seat: f"Player {seat}" for seat in LETTERS})
    lines = tuple(text.split("\n"))
    return fastest(lambda: reader.read(lines, "sl", table), scale.repeats).wall


def _texts() -> Mapping[str, str]:
    rng = random.Random(64)
    letters = "abcdefghijklmnoprstuvzčšž 0123456789,.;:->"
    noise = "".join(rng.choice(letters) for _ in range(SIZE))
    return {
        "orders": _filled("attack Siam from India until 3\n"),
        "orders in one line": _filled("attack Siam from India; "),
        "prose": _filled("Dear all, I think that Brazil will not hold for long, will it?\n"),
        "mistakes": _filled("atack Sima form Indai utnil 3\n"),
        "noise": noise,
    }


def _filled(piece: str) -> str:
    return (piece * (SIZE // len(piece) + 1))[:SIZE]
