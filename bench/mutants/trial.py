"""One process that has loaded whatever the tests need but the project, and a fork for each mutant.

    python -m bench.mutants.trial JOBS [quick]

runs in a copy of the project. JOBS is a JSON list of `Job`; a line of JSON comes out for each, a
`Verdict`. A fork loads the project with the mutant instead of the module, collects the tests and
runs them to the first that fails. A first attempt collects no more than the test modules that are
likely to kill; what it does not kill has to pass all tests of a second one. With `quick` these are
only those that take less than half a second and call the function that is changed.

The first fork is the control. It loads all modules of the rules in the way in which mutants are
loaded, unchanged: all tests have to pass, or there are no verdicts.
"""

import json
import os
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from types import FrameType
from typing import TextIO

import pytest

from bench.mutants.fork import allow, forked
from bench.mutants.guide import Guide
from bench.mutants.instead import load_instead
from bench.mutants.mutant import RULES
from bench.mutants.verdict import Verdict

TESTS = ("tests/rules", "tests/cases")
"""The tests that know the rules: no clock, no network, no server. The first are loaded soonest."""

OPTIONS = ("-q", "-x", "-p", "no:cacheprovider", "-p", "bench.mutants.quiet")

LOADING = 60
"""Seconds of computing in which the tests are loaded, if they are ever."""

CALLS = 200_000
"""After so many calls it is known well enough which functions a test calls."""


@dataclass(frozen=True, slots=True)
class Job:
    """A mutant to try: its name, the module's path, its changed source and the function's line."""

    name: str
    path: str
    source: str
    function: int


class Trial:
    """The pytest plugin that tries the mutants instead of running the tests once."""

    def __init__(self, jobs: list[Job], out: TextIO, *, quick: bool) -> None:
        self.ended = False
        self._jobs = jobs
        self._out = out
        self._quick = quick
        self._failed = ""
        self._guide = Guide({}, {})
        self._here = f"{Path.cwd()}{os.sep}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> bool:
        """Tries one mutant after another; only the forks collect tests."""
        self._session = session
        for name in json.loads(forked(self._strange_modules) or "[]"):
            with warnings.catch_warnings(action="ignore"), suppress(ImportError):
                import_module(name)
        if not (control := forked(self._control)):
            raise pytest.UsageError("the tests fail without any mutant")
        self._guide = Guide(*json.loads(control))
        for job in self._jobs:
            print(json.dumps(asdict(self._try(job))), file=self._out, flush=True)
        self.ended = True
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remembers the first failure of the fork."""
        if report.failed:
            self._failed = self._failed or report.nodeid

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Remembers that tests could not be collected."""
        if report.failed:
            self._failed = self._failed or f"loading {report.nodeid}"

    def _collect(self, tests: Sequence[str]) -> dict[str, pytest.Item]:
        """In a fork: what stands in these folders or modules, or nothing if that fails."""
        session = self._session
        session.config.args = [*tests]
        manager = session.config.pluginmanager
        # What is raised here has been reported as a collector that failed.
        with suppress(session.Failed, session.Interrupted):
            manager.subset_hook_caller("pytest_collection", [self])(session=session)
        return {} if self._failed else {item.nodeid: item for item in session.items}

    def _strange_modules(self) -> str:
        """In a fork: the modules that the tests load from outside of the project."""
        before = {*sys.modules}
        self._collect(TESTS)
        files = {name: getattr(module, "__file__", None) for name, module in sys.modules.items()}
        strange = [name for name, file in files.items() if not str(file).startswith(self._here)]
        return json.dumps([name for name in strange if name not in before])

    def _control(self) -> str:
        """In a fork: the seconds of each test, and the functions that it calls, by module."""
        paths = [path.as_posix() for path in Path(RULES).rglob("*.py") if path.stem != "__init__"]
        load_instead({path: Path(path).read_text(encoding="utf-8") for path in paths})
        seconds: dict[str, float] = {}
        calls: defaultdict[str, dict[str, list[int]]] = defaultdict(dict)
        called: defaultdict[str, set[int]] = defaultdict(set)
        begun = time.process_time()
        for item in self._run([*self._collect(TESTS).values()], called):
            seconds[item.nodeid] = time.process_time() - begun
            for path, lines in called.items():
                calls[path][item.nodeid] = sorted(lines)
            called.clear()
            begun = time.process_time()
        return "" if self._failed else json.dumps([seconds, calls])

    def _try(self, job: Job) -> Verdict:
        likely = self._guide.modules(job.path, job.function, TESTS[0])
        by = forked(lambda: self._fight(job, likely))
        if by == "survived":
            by = forked(lambda: self._fight(job, TESTS))
        if by is None:
            return Verdict(job.name, "timed out")
        if by == "survived":
            return Verdict(job.name, "survived")
        self._guide.learn(by)
        return Verdict(job.name, "killed", by or "the end of the process")

    def _fight(self, job: Job, tests: Sequence[str]) -> str:
        """In a fork: the test that kills the mutant, or that it survived."""
        load_instead({job.path: job.source})
        allow(LOADING)
        items = self._collect(tests)
        names = self._guide.order(job.path, job.function, [*items])
        if self._quick or tests is not TESTS:
            near = self._guide.near(job.path, job.function)
            names = [name for name in names if name in near and not self._guide.is_slow(name)]
        for _ in self._run([items[name] for name in names]):
            if self._failed:
                break
        return self._failed or "survived"

    def _run(
        self, items: list[pytest.Item], called: dict[str, set[int]] | None = None
    ) -> Iterator[pytest.Item]:
        """Runs each; notes the rules' functions that it called, by module and first line."""
        for item, after in zip_longest(items, items[1:]):
            allow(self._guide.budget(item.nodeid))
            if called is not None:
                sys.settrace(self._watch(called))
            item.ihook.pytest_runtest_protocol(item=item, nextitem=after)
            sys.settrace(None)
            yield item

    def _watch(self, called: dict[str, set[int]]) -> Callable[[FrameType, str, object], None]:
        rules = f"{self._here}{RULES}{os.sep}"
        left = CALLS

        # A trace that answers nothing is asked once a call, a profile at every return as well.
        def note(frame: FrameType, _event: str, _argument: object) -> None:
            nonlocal left
            if (name := frame.f_code.co_filename).startswith(rules):
                called[name.removeprefix(self._here)].add(frame.f_code.co_firstlineno)
            left -= 1
            if not left:
                sys.settrace(None)

        return note


def main() -> None:
    """The command."""
    jobs = [Job(**job) for job in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))]
    # What pytest prints goes to stderr; stdout is for verdicts alone.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    trial = Trial(jobs, out, quick=sys.argv[2:] == ["quick"])
    pytest.main([*OPTIONS, *TESTS], plugins=[trial])
    sys.exit(not trial.ended)


if __name__ == "__main__":
    main()
