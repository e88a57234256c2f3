"""One process that has loaded the tests, and a fork of it for each mutant.

    python -m bench.mutants.trial JOBS

runs in a copy of the project. JOBS is a JSON list of `Job`. Lines of JSON come out: how many
seconds each test takes, then for each job a `Verdict`. A fork changes the rules (`swap`), runs the
tests that call what was changed, those that kill most in the least time first, and ends with the
first that fails.
"""

import json
import os
import resource
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Literal, TextIO

import pytest

from bench.mutants.swap import Key, changes, key, swap

TESTS = ("tests/rules", "tests/cases")
"""The tests that know the rules: no clock, no network, no server."""

OPTIONS = ("-q", "-p", "no:cacheprovider", "-p", "bench.mutants.quiet")

ROOM = 3 * 2**30
"""Bytes of memory that a fork may ask for: a mutant that counts for ever takes all there is."""

SECONDS = "PBEM_MUTANTS_SECONDS"
"""Names a file with the seconds that each test takes."""

Outcome = Literal["killed", "timed out", "survived", "to be loaded"]


@dataclass(frozen=True, slots=True)
class Job:
    """A mutant to try: its name, the module's path and its changed source."""

    name: str
    path: str
    source: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant; `by` is the test that failed, `tests` how many were run."""

    name: str
    outcome: Outcome
    by: str = ""
    tests: int = 0


class Trial:
    """The pytest plugin that tries the mutants instead of running the tests once."""

    def __init__(self, jobs: list[Job], out: TextIO) -> None:
        self._jobs = jobs
        self._out = out
        self._failed = ""
        self._kills: Counter[str] = Counter()
        self._loaded: set[Key] = set()
        self._rules = str(Path("pbem/rules").resolve()) + os.sep

    def watch_loading(self) -> None:
        """From now to the first test, notes which functions of the rules have run."""
        sys.settrace(self._recorder(self._loaded))

    def _recorder(self, called: set[Key]) -> Callable[[FrameType, str, object], None]:
        # A trace that answers nothing is asked once a call, a profile at every return as well.
        def record(frame: FrameType, _event: str, _argument: object) -> None:
            if frame.f_code.co_filename.startswith(self._rules):
                called.add(key(frame.f_code))

        return record

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Tries one mutant after another."""
        sys.settrace(None)
        self._items = session.items
        measured = json.loads(self._forked(self._measure, timeout=1200)[1] or "{}")
        if not measured:
            raise pytest.UsageError("the tests fail without any mutant")
        self._seconds: dict[str, float] = measured["seconds"]
        self._callers: defaultdict[Key, set[str]] = defaultdict(set)
        for place, tests in measured["callers"]:
            self._callers[Key(*place)].update(tests)
        self._tell(self._seconds)
        for job in self._jobs:
            self._tell(asdict(self._try(job)))
        return True

    def _tell(self, answer: Mapping[str, object]) -> None:
        print(json.dumps(answer), file=self._out, flush=True)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remembers the first failure of the fork."""
        if report.failed:
            self._failed = self._failed or report.nodeid

    def _measure(self) -> str:
        """In a fork: how long each test takes, and which functions it calls."""
        seconds: dict[str, float] = {}
        callers: defaultdict[Key, list[str]] = defaultdict(list)
        for item, called in self._run(self._items, record=True):
            seconds[item.nodeid] = time.perf_counter() - self._begun
            for place in called:
                callers[place].append(item.nodeid)
            if self._failed:
                return ""
        return json.dumps({"seconds": seconds, "callers": list(callers.items())})

    def _run(
        self, items: list[pytest.Item], *, record: bool = False
    ) -> Iterator[tuple[pytest.Item, set[Key]]]:
        for item, after in zip(items, [*items[1:], None], strict=True):
            called: set[Key] = set()
            self._begun = time.perf_counter()
            if record:
                sys.settrace(self._recorder(called))
            item.ihook.pytest_runtest_protocol(item=item, nextitem=after)
            sys.settrace(None)
            yield item, called

    def _try(self, job: Job) -> Verdict:
        path = Path(job.path).resolve()
        before, after = _compiled(path.read_text(encoding="utf-8"), path), None
        try:
            after = _compiled(job.source, path)
        except SyntaxError:
            return Verdict(job.name, "killed", "the compiler")
        changed = changes(before, after)
        if changed is None or any(place in self._loaded for place, _ in changed):
            return Verdict(job.name, "to be loaded")
        concerned = set[str]().union(*(self._callers[place] for place, _ in changed))
        items = sorted((i for i in self._items if i.nodeid in concerned), key=self._rank)
        patience = 10 + 4 * sum(self._seconds[item.nodeid] for item in items)
        outcome, told = self._forked(lambda: self._fight(items, changed), timeout=patience)
        if outcome is None:
            return Verdict(job.name, "timed out", "time", len(items))
        # A fork that ended without a word was killed by what it tried.
        swapped, by = json.loads(told) if told else (True, "the end of the process")
        if not swapped:
            return Verdict(job.name, "to be loaded")
        self._kills[by] += 1
        return Verdict(job.name, "killed" if by else "survived", by, len(items))

    def _rank(self, item: pytest.Item) -> float:
        return self._seconds[item.nodeid] / (1 + self._kills[item.nodeid])

    def _fight(self, items: list[pytest.Item], changed: list[tuple[Key, CodeType]]) -> str:
        """In a fork: the tests against the mutant, to the first that fails."""
        swapped = swap(changed)
        for _ in self._run(items) if swapped else ():
            if self._failed:
                break
        return json.dumps([swapped, self._failed])

    def _forked(self, work: Callable[[], str], timeout: float) -> tuple[int | None, str]:
        """The exit code of a fork that does the work, and what it told; None if it took too long.

        The fork and its children are a group of their own, which ends with it.
        """
        read, write = os.pipe()
        child = os.fork()
        if not child:
            _as_child(work, write)
        os.close(write)
        told, code = _patient(read, child, timeout)
        os.close(read)
        return code, told


def _as_child(work: Callable[[], str], pipe: int) -> None:
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    try:
        os.write(pipe, b"")
        with os.fdopen(pipe, "w", encoding="utf-8") as out:
            out.write(work())
    finally:
        os._exit(0)


def _patient(pipe: int, child: int, timeout: float) -> tuple[str, int | None]:
    """Reads until the pipe closes or the time is over; then the child's group is ended."""
    os.set_blocking(pipe, False)
    told, end = b"", time.monotonic() + timeout
    while time.monotonic() < end:
        try:
            part = os.read(pipe, 1 << 16)
        except BlockingIOError:
            time.sleep(0.005)
            continue
        if not part:
            _, status = os.waitpid(child, 0)
            return told.decode(), status
        told += part
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "", None


def _compiled(source: str, path: Path) -> CodeType:
    return compile(source, str(path), "exec", dont_inherit=True)


def main() -> None:
    """The command."""
    jobs = [Job(**job) for job in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))]
    # What pytest prints goes to stderr; stdout is for verdicts alone.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    trial = Trial(jobs, out)
    trial.watch_loading()
    sys.exit(pytest.main([*OPTIONS, *TESTS], plugins=[trial]))


if __name__ == "__main__":
    main()
