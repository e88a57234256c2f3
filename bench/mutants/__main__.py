"""`python -m bench mutants [NAME ...]`: how many mutants of the rules the tests kill.

    python -m bench mutants                     every mutant of every module; hours
    python -m bench mutants --sample 10         10 of each module, at even odds
    python -m bench mutants trade --seed 3 --sample 100
    python -m bench mutants domination/cards replay-17
                                                a module, and one mutant by its number
    python -m bench mutants --sample 10 --keep verdicts.jsonl
                                                goes on where that file ends, and tries again
                                                what survived without a reason
    python -m bench mutants --sample 10 --keep verdicts.jsonl --quick
                                                leaves out the tests that are slow or far: what
                                                survives is to be tried again without --quick

The tests are those of the rules and the cases; the unchanged rules have to pass them first.
Survivors stand in `survivors.toml` with the reason why no test can, or need, kill them; one that
does not is printed with its change. The share that is killed counts all survivors. Exit code 1
below 90 percent.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from bench.figure import row
from bench.mutants import tally
from bench.mutants.mutant import RULES, Mutant, mutants
from bench.mutants.trial import Job
from bench.mutants.verdict import Kept, Verdict, reasons

ROOT = Path(__file__).parents[2]


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints a line a module, the survivors and the sums; 0, or 1 if too few are killed."""
    asked = _parser().parse_args(arguments)
    kept = Kept(asked.keep)
    found = [m for name in asked.names or _modules() for m in _named(name, asked)]
    to_try = [mutant for mutant in found if not _settled(mutant, kept)]
    for mutant, verdict in _verdicts(to_try, quick=asked.quick):
        kept.keep(mutant, verdict)
        print(verdict.name, verdict.outcome, verdict.by, file=sys.stderr, flush=True)
    for line in (*tally.by_module(found, kept), *tally.by_kind(found, kept)):
        print(line, flush=True)
    figure = tally.killed("mutants of the rules killed", found, kept)
    print(row(figure))
    return int(figure.reached is False)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench mutants", description="Change the rules."
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="a module, or a mutant as it is printed"
    )
    parser.add_argument("--sample", type=int, help="mutants a module; all if left out")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument(
        "--keep", type=Path, metavar="FILE", help="keeps verdicts; tries only what it leaves open"
    )
    parser.add_argument(
        "--quick", action="store_true", help="without slow tests, and those of other modules"
    )
    return parser


def _modules() -> list[str]:
    rules = ROOT / RULES
    return sorted(p.relative_to(rules).with_suffix("").as_posix() for p in rules.rglob("*.py"))


def _named(name: str, asked: argparse.Namespace) -> list[Mutant]:
    module, dash, number = name.partition("-")
    path = f"{RULES}/{module}.py"
    if dash:
        return mutants(ROOT, path, number=int(number))
    return mutants(ROOT, path, asked.sample, asked.seed)


def _settled(mutant: Mutant, kept: Kept) -> bool:
    if mutant not in kept:
        return False
    return kept[mutant].outcome != "survived" or (mutant.path, mutant.diff) in reasons()


def _verdicts(to_try: Sequence[Mutant], *, quick: bool) -> Iterator[tuple[Mutant, Verdict]]:
    """Tries them in a copy of the project as it is now: whoever edits it disturbs nothing."""
    if not to_try:
        return
    with tempfile.TemporaryDirectory(prefix="pbem-mutants-") as folder:
        copy = Path(folder)
        for name in ("pbem", "templates", "tests", "bench", "docs"):
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", copy)
        yield from zip(to_try, _tried(copy, to_try, quick=quick), strict=True)


def _tried(copy: Path, to_try: Sequence[Mutant], *, quick: bool) -> Iterator[Verdict]:
    jobs = copy / "jobs.json"
    asked = [asdict(Job(m.name, m.path, m.source, m.function)) for m in to_try]
    jobs.write_text(json.dumps(asked), encoding="utf-8")
    # The copy never changes, so bytecode is as good as its source, and loads in half the time.
    environment = {**os.environ, "PYTHONPATH": ".", "PYTHONHASHSEED": "0"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-m", "bench.mutants.trial", str(jobs), *["quick"] * quick]
    with (
        (copy / "trial.log").open("w+", encoding="utf-8") as log,
        subprocess.Popen(
            command, cwd=copy, env=environment, stdout=subprocess.PIPE, stderr=log
        ) as trial,
    ):
        assert trial.stdout is not None
        for line in trial.stdout:
            yield Verdict(**json.loads(line))
        if trial.wait():
            log.seek(0)
            raise SystemExit(f"the trial broke off\n{log.read()}")


if __name__ == "__main__":
    sys.exit(main())
