"""The whole of `pbem serve` under a flood of mails, while its workers play what came before.

Nothing is left out: broker, workers, sweep and pages share the machine with the door.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from statistics import median

from bench.figure import Figure
from bench.intake import bare_sink, load, mails_to, ratio_of_rates, seat_addresses, stored
from bench.scale import Scale
from bench.table import HOUSE, SECRET, begin, database

PATIENCE = 60.0
"""Seconds for the service to come up, and to go."""


def measure(scale: Scale) -> list[Figure]:
    """Rate and waits of the whole service beside a sink that keeps nothing."""
    with database(scale.folder, "pbem") as engine:
        addresses = seat_addresses(begin(engine), 1)
        runs = [mails_to(addresses, scale, f"run{number}") for number in range(scale.repeats)]
        # The sink has the machine to itself: workers that play would make it slow.
        bare = [asyncio.run(load(bare_sink(), mails, scale)) for mails in runs]
        with _service(scale.folder) as port:
            ours = [asyncio.run(load(_is_there(port), mails, scale)) for mails in runs]
        lost = sum(len(run.waits) for run in ours) - stored(engine)
    sessions = f"{scale.sessions} sessions"
    return [
        Figure("pbem serve as a whole", median(run.rate for run in ours), "mails/s", note=sessions),
        Figure("  of the bare sink's rate", ratio_of_rates(bare, ours), ""),
        Figure("  99 of 100 mails within", median(run.worst for run in ours), "ms", under=60),
        Figure("  lost of the mails taken", lost, "", under=1),
    ]


@contextmanager
def _service(folder: Path) -> Iterator[int]:
    """The port of a `pbem serve` whose data stand in the folder."""
    settings = {
        "DATA_DIR": str(folder),
        "DOMAIN": HOUSE.domain,
        "SECRET": SECRET,
        "SMTP_LISTEN": "127.0.0.1:0",
        "HTTP_LISTEN": "127.0.0.1:0",
    }
    named = {f"PBEM_{name}": value for name, value in settings.items()}
    others = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    with (folder / "serve.log").open("wb") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "pbem", "serve"],
            env={**others, **named},
            stdout=said,
            stderr=said,
        )
    try:
        yield _port(folder, process)
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _port(folder: Path, process: "subprocess.Popen[bytes]") -> int:
    """Where the process for mail and pages listens, as it noted itself once it did."""
    noted, until = folder / "run" / "front.json", time.monotonic() + PATIENCE
    while not noted.exists():
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError((folder / "serve.log").read_text(errors="replace"))
        time.sleep(0.05)
    address: str = json.loads(noted.read_text())["smtp"]
    return int(address.rpartition(":")[2])


@asynccontextmanager
async def _is_there(port: int) -> AsyncIterator[int]:
    yield port
