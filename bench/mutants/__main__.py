"""`python -m bench mutants [MODULE ...]`: how many mutants of the rules the tests kill.

    python -m bench mutants                     every mutant of every module; hours
    python -m bench mutants --sample 40         40 of each module, at even odds
    python -m bench mutants trade --seed 3 --sample 100

The tests are those of the rules and the cases. Survivors stand in `survivors.toml` with the reason
why no test can, or need, kill them; one that does not is printed with its change. The share that is
killed counts all survivors. Exit code 1 below 90 percent.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from math import sqrt
from pathlib import Path

from bench.figure import Figure, row
from bench.mutants.mutant import Mutant, mutants
from bench.mutants.trial import OPTIONS, SECONDS, TESTS, Job, Outcome, Verdict

ROOT = Path(__file__).parents[2]
RULES = "pbem/rules"
GOAL = 90
LOADING = 240
"""Seconds for the tests of a mutant that is loaded anew; a healthy module takes about 40."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints a line a module and the survivors; 0, or 1 if too few are killed."""
    asked = _parser().parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="pbem-mutants-") as folder:
        copy = Path(folder) / "project"
        _copy(copy)
        found = [m for path in _modules(asked.modules) for m in _mutants(path, asked)]
        verdicts = dict(_verdicts(copy, found))
    for line in _table(found, verdicts):
        print(line, flush=True)
    figure = _figure("mutants of the rules killed", [verdicts[m.name] for m in found])
    print(row(figure))
    return int(figure.reached is False)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench mutants", description="Change the rules."
    )
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="all if left out")
    parser.add_argument("--sample", type=int, help="mutants a module; all if left out")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    return parser


def _modules(names: Sequence[str]) -> list[str]:
    found = sorted(path.stem for path in (ROOT / RULES).glob("*.py"))
    return [f"{RULES}/{name}.py" for name in names or found]


def _mutants(path: str, asked: argparse.Namespace) -> list[Mutant]:
    return mutants(ROOT, path, asked.sample, asked.seed)


def _copy(copy: Path) -> None:
    """The project as it is now: whoever edits it meanwhile disturbs nothing."""
    for name in ("pbem", "templates", "tests", "bench", "docs"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)


def _verdicts(copy: Path, found: Sequence[Mutant]) -> Iterator[tuple[str, Verdict]]:
    """One trial for what can be changed in a running process; the others are loaded anew."""
    jobs = copy / "jobs.json"
    jobs.write_text(json.dumps([asdict(Job(m.name, m.path, m.source)) for m in found]), "utf-8")
    command = [sys.executable, "-B", "-m", "bench.mutants.trial", str(jobs)]
    seconds = copy / "seconds.json"
    with (
        (copy / "trial.log").open("wb") as log,
        subprocess.Popen(
            command, cwd=copy, env=_environment(), stdout=subprocess.PIPE, stderr=log
        ) as trial,
    ):
        assert trial.stdout is not None
        seconds.write_bytes(trial.stdout.readline())
        told = [Verdict(**json.loads(line)) for line in map(_shown, trial.stdout)]
    if len(told) < len(found):
        raise SystemExit("the tests do not run without a mutant, or the trial broke off")
    for mutant, first in zip(found, told, strict=True):
        anew = first.outcome == "to be loaded"
        yield mutant.name, _loaded(copy, mutant, seconds) if anew else first


def _shown(line: bytes) -> bytes:
    """Tells of the progress; the verdict itself is for the table."""
    told = json.loads(line)
    print(told["name"], told["outcome"], told["by"], file=sys.stderr, flush=True)
    return line


def _loaded(copy: Path, mutant: Mutant, seconds: Path) -> Verdict:
    """The verdict on a mutant whose module is loaded anew, in processes of its own."""
    outcome = _outcome(copy, mutant, seconds)
    print(mutant.name, outcome, file=sys.stderr, flush=True)
    return Verdict(mutant.name, outcome)


def _outcome(copy: Path, mutant: Mutant, seconds: Path) -> Outcome:
    module = copy / mutant.path
    before = module.read_text(encoding="utf-8")
    module.write_text(mutant.source, encoding="utf-8")
    try:
        for tests in TESTS:
            code = _tests_run(copy, tests, seconds)
            if code != 0:
                return "timed out" if code is None else "killed"
    finally:
        module.write_text(before, encoding="utf-8")
    return "survived"


def _tests_run(copy: Path, tests: str, seconds: Path) -> int | None:
    """The exit code of the tests up to the first failure; None if they took too long."""
    # Without bytecode: a changed module of the same size in the same second would be taken for
    # the one before.
    command = [sys.executable, "-B", "-m", "pytest", "-x", *OPTIONS, tests]
    run = subprocess.Popen(
        command,
        cwd=copy,
        env={**_environment(), SECONDS: str(seconds)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return run.wait(LOADING)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        return None


def _environment() -> Mapping[str, str]:
    return {**os.environ, "PYTHONPATH": ".", "PYTHONHASHSEED": "0"}


def _table(found: Sequence[Mutant], verdicts: Mapping[str, Verdict]) -> Iterator[str]:
    """A line a module, each followed by the survivors that have no reason yet."""
    known = reasons()
    for path in dict.fromkeys(mutant.path for mutant in found):
        of_it = [mutant for mutant in found if mutant.path == path]
        survivors = [m for m in of_it if verdicts[m.name].outcome == "survived"]
        told = [mutant for mutant in survivors if (path, mutant.diff) in known]
        figure = _figure(path, [verdicts[mutant.name] for mutant in of_it])
        yield f"{row(figure)}, {len(told)} with a reason"
        for mutant in survivors:
            if mutant not in told:
                yield f"{mutant.name}, line {mutant.line}\n{mutant.diff}"


def _figure(what: str, verdicts: Sequence[Verdict]) -> Figure:
    outcomes = Counter(verdict.outcome for verdict in verdicts)
    count = len(verdicts)
    share = 1.0 if not count else 1 - outcomes["survived"] / count
    spread = 196 * sqrt(share * (1 - share) / count) if count else 0.0
    note = (
        f"{count} tried, {outcomes['survived']} survived, {outcomes['timed out']} timed out,"
        f" +-{spread:.1f} at 95 percent"
    )
    return Figure(what, 100 * share, "%", at_least=GOAL, note=note)


def reasons() -> Mapping[tuple[str, str], str]:
    """Why a survivor lives, by its module's path and its change."""
    data = tomllib.loads((Path(__file__).parent / "survivors.toml").read_text(encoding="utf-8"))
    return {
        (survivor["path"], change): survivor["reason"]
        for survivor in data["survivor"]
        for change in survivor["changes"]
    }


if __name__ == "__main__":
    sys.exit(main())
