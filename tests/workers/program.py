"""A worker process with the tasks of the tests; its settings come from the environment."""

import os
import sys

os.environ.setdefault("REMAP_SIGTERM", "SIGQUIT")

from pbem.embedded.broker import required_broker
from pbem.embedded.health import beat
from pbem.embedded.process import die_with_parent
from pbem.settings import load_settings
from workers.app import make_app
from workers.run import run_worker


def main() -> int:
    settings = load_settings()
    broker_url = required_broker(settings)
    return run_worker(
        make_app(broker_url, tasks=("tests.workers.notes",)),
        settings,
        beat=lambda: beat(broker_url, "worker"),
        bind_child=die_with_parent,
    )


if __name__ == "__main__":
    sys.exit(main())
