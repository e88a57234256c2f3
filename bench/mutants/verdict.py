"""What became of a mutant, and the file in which verdicts are kept from one run to the next."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bench.mutants.mutant import Mutant

Outcome = Literal["killed", "timed out", "survived"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant; `by` is the test that failed."""

    name: str
    outcome: Outcome
    by: str = ""


class Kept:
    """Verdicts by the mutant's digest: of this run, and of those before it if there is a file."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._verdicts: dict[str, Verdict] = {}
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                digest, name, outcome, by = json.loads(line)
                self._verdicts[digest] = Verdict(name, outcome, by)

    def __getitem__(self, mutant: Mutant) -> Verdict:
        """The last verdict on this very mutant."""
        return self._verdicts[mutant.digest]

    def __contains__(self, mutant: Mutant) -> bool:
        """Whether there is one."""
        return mutant.digest in self._verdicts

    def keep(self, mutant: Mutant, verdict: Verdict) -> None:
        """At once: a run that is broken off has not been for nothing."""
        self._verdicts[mutant.digest] = verdict
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                row = [mutant.digest, verdict.name, verdict.outcome, verdict.by]
                file.write(f"{json.dumps(row)}\n")


def reasons() -> Mapping[tuple[str, str], str]:
    """Why a survivor lives, by its module's path and its change."""
    data = tomllib.loads((Path(__file__).parent / "survivors.toml").read_text(encoding="utf-8"))
    return {
        (survivor["path"], change): survivor["reason"]
        for survivor in data["survivor"]
        for change in survivor["changes"]
    }
