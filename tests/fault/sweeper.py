"""A process that sweeps without a pause, to be killed: `python -m tests.fault.sweeper URL FILE`.

The file is made once it has gone round for the first time.
"""

import sys
from datetime import UTC, datetime
from pathlib import Path

from pbem.judge.sweep import sweep
from pbem.store.engine import open_engine
from tests.fault.test_sweeps import HOUSE


def main(url: str, up: Path) -> None:
    engine = open_engine(url)
    while True:
        sweep(engine, HOUSE, datetime.now(UTC), lambda _name, _id: None)
        up.touch()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
