"""A service of tiny children, told by JSON on the command line; what `pbem serve` is without ours.

Keys: `children` {name: command}, `broker` (the embedded one first), `before` [command],
`patience` [others, last].
"""

import json
import logging
import sys

from pbem.embedded.supervisor import Child, Patience, broker_child, serve
from pbem.settings import Settings, StartError, load_settings


def say_up(settings: Settings) -> None:
    print("up", settings.smtp_listen, settings.http_listen, flush=True)


def main(told: str) -> int:
    plan = json.loads(told)
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    try:
        settings = load_settings()
        children = [Child(name, command) for name, command in plan["children"].items()]
        if plan.get("broker"):
            children.insert(0, broker_child(settings))
        serve(
            settings,
            children,
            before=plan.get("before", []),
            patience=Patience(*plan.get("patience", [13.0, 4.0])),
            announce=say_up,
        )
    except StartError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
