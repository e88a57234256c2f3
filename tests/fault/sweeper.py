"""A process that sweeps without a pause, to be killed: `python -m tests.fault.sweeper URL`."""

import sys
from datetime import UTC, datetime

from pbem.judge.sweep import sweep
from pbem.store.engine import open_engine
from tests.fault.test_sweeps import HOUSE


def main(url: str) -> None:
    engine = open_engine(url)
    while True:
        sweep(engine, HOUSE, datetime.now(UTC), lambda _name, _id: None)


if __name__ == "__main__":
    main(sys.argv[1])
