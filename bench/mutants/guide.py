"""Which tests to run first against a mutant, by what they call, how long they take, what they kill.

It only saves time: whichever tests come first, a mutant survives only if all let it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from heapq import nlargest

MODULES = 3
"""So many test modules are loaded for a first attempt."""

FIRST = 30
"""So many likely killers are run one by one; the others by their modules, in order."""

SLOW = 0.5
"""Seconds of a test that has to wait until all others have run."""

STRANGE = 60.0
"""Seconds of a test that has never been run."""

Calls = Mapping[str, Mapping[str, Sequence[int]]]
"""By module and test: the first lines of the module's functions that the test calls."""


class Guide:
    """What is known of the tests: their seconds and calls; what they kill is learned."""

    def __init__(self, seconds: Mapping[str, float], calls: Calls) -> None:
        self._seconds = seconds
        self._calls = calls
        self._kills: Counter[str] = Counter()

    def learn(self, test: str) -> None:
        """This one has killed a mutant."""
        self._kills[test] += 1

    def budget(self, test: str) -> float:
        """After so many seconds of computing a test is taken to be without end."""
        return 10 + 10 * self._seconds.get(test, STRANGE)

    def modules(self, path: str, function: int, among: str) -> list[str]:
        """The test modules in a folder with the most promising tests of that function."""
        best: dict[str, float] = {}
        for test in self._seconds:
            module = test.split("::")[0]
            if module.startswith(among):
                best[module] = max(best.get(module, 0.0), self._promise(path, function, test))
        return nlargest(MODULES, best, key=best.__getitem__)

    def order(self, path: str, function: int, tests: Sequence[str]) -> list[str]:
        """The tests, those first that promise to kill a mutant of that function soon."""
        likely = nlargest(FIRST, tests, key=lambda test: self._promise(path, function, test))
        others = [test for test in tests if test not in {*likely}]
        return [*likely, *sorted(others, key=self.is_slow)]

    def is_slow(self, test: str) -> bool:
        """Whether the test is one of those that take most of the time."""
        return self._seconds.get(test, STRANGE) > SLOW

    def near(self, path: str, function: int) -> set[str]:
        """The tests that call the function, or else those that call the module, or else all.

        What is run while a module is loaded any test may see.
        """
        calls = self._calls.get(path, {}) if function else {}
        called = {test for test, lines in calls.items() if function in lines}
        return called or {*calls} or {*self._seconds}

    def _promise(self, path: str, function: int, test: str) -> float:
        lines = self._calls.get(path, {}).get(test, ())
        nearness = 20 if function in lines else 4 if lines else 1
        return nearness * (1 + self._kills[test]) / (0.02 + self._seconds.get(test, STRANGE))
