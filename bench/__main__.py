"""`python -m bench [NAME ...]`: measured figures beside those to reach, a bench at a time.

All stand in one run, since only ratios carry over from one machine to another. PostgreSQL is
measured too where PBEM_TEST_POSTGRES_URL names a server. Exit code 1 if a figure is missed.

`python -m bench computers` and `python -m bench mutants` prove the rules and have options of their
own (`--help`).
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import bench.mutants.__main__ as mutants
from bench import (
    computers,
    crowd,
    deadlines,
    desk,
    door,
    intake,
    letters,
    mails,
    memory,
    order_mail,
    orders,
    picture,
    reading,
    replay,
    served,
    yardstick,
)
from bench.figure import Figure, row
from bench.scale import Scale, tiny

BENCHES: Mapping[str, Callable[[Scale], list[Figure]]] = {
    "machine": yardstick.measure,
    "intake": intake.measure,
    "served": served.measure,
    "door": door.measure,
    "mails": mails.measure,
    "order-mail": order_mail.measure,
    "replay": replay.measure,
    "orders": orders.measure,
    "letters": letters.measure,
    "picture": picture.measure,
    "reading": reading.measure,
    "crowd": crowd.measure,
    "deadlines": deadlines.measure,
    "desk": desk.measure,
    "memory": memory.measure,
}


PROOFS: Mapping[str, Callable[[Sequence[str]], int]] = {
    "computers": computers.main,
    "mutants": mutants.main,
}
"""Commands of their own that take minutes or hours: only run when they are asked for."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table as it comes; 0, or 1 if a figure is missed."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] in PROOFS:
        return PROOFS[given[0]](given[1:])
    asked = _parser().parse_args(given)
    server = os.environ.get("PBEM_TEST_POSTGRES_URL")
    missed = False
    for name in asked.names or BENCHES:
        with tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder:
            scale = tiny(Path(folder), server) if asked.tiny else Scale(Path(folder), server)
            figures = BENCHES[name](scale)
        print(f"{name}\n" + "\n".join(f"  {row(figure)}" for figure in figures), flush=True)
        missed |= any(figure.reached is False for figure in figures)
    return int(missed)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure the product.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(BENCHES)}")
    parser.add_argument("--tiny", action="store_true", help="only try whether the benches run")
    return parser


if __name__ == "__main__":
    sys.exit(main())
