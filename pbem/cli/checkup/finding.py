"""What one check found, and what to do about it."""

import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

PATIENCE = 20.0
"""Seconds that a check may take; one that takes longer has failed."""


class Verdict(StrEnum):
    """`warn`: it works, and is worth a look; `fail`: players will notice."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report; `todo` is empty where nothing is to be done."""

    check: str
    verdict: Verdict
    said: str
    todo: str = ""

    def as_json(self) -> dict[str, Any]:
        """The object that is printed for programs."""
        return asdict(self)

    def __str__(self) -> str:
        line = f"{self.verdict:<5} {self.check:<10} {self.said}"
        return f"{line}: {self.todo}" if self.todo else line


def ok(check: str, said: str) -> Finding:
    """All is well."""
    return Finding(check, Verdict.OK, said)


def warn(check: str, said: str, todo: str) -> Finding:
    """Worth a look."""
    return Finding(check, Verdict.WARN, said, todo)


def fail(check: str, said: str, todo: str) -> Finding:
    """To be mended."""
    return Finding(check, Verdict.FAIL, said, todo)


Check = Callable[[], Finding]


def examine(name: str, check: Check, patience: float = PATIENCE) -> Finding:
    """What the check finds. One that raises has failed, and so has one that never ends: it is left
    behind in a thread that does not keep the command from ending."""
    found: list[Finding] = []

    def run() -> None:
        try:
            found.append(check())
        except Exception as error:
            lines = str(error).strip().splitlines() or [type(error).__name__]
            found.append(fail(name, lines[0], "this check could not be made"))

    thread = threading.Thread(target=run, name=f"check-{name}", daemon=True)
    thread.start()
    thread.join(patience)
    return found[0] if found else fail(name, f"no answer within {patience:.0f} s", "try again")
