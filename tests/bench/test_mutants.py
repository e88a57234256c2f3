"""Mutants are made of every kind of code, loaded instead of their module, and told apart."""

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from bench.mutants import tally
from bench.mutants.__main__ import main
from bench.mutants.fork import ForkError, allow, forked
from bench.mutants.guide import Guide
from bench.mutants.instead import load_instead
from bench.mutants.mutant import Mutant, mutants
from bench.mutants.verdict import Kept, Outcome, Verdict, reasons

SOURCE = '''"""A module."""
from functools import cache

TABLE = {"one": 1}


@cache
def doubled(number: int) -> int:
    """Twice."""
    return number * 2
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mutable.py").write_text(SOURCE, "utf-8")
    return tmp_path


class TestMutants:
    def test_tables_and_decorated_functions_have_mutants_too(self, folder: Path) -> None:
        diffs = [mutant.diff for mutant in mutants(folder, "mutable.py")]
        assert '- TABLE = {"one": 1}\n+ TABLE = {"one": 2}\n' in diffs
        assert "- return number * 2\n+ return number / 2\n" in diffs
        assert len(set(diffs)) == len(diffs)
        assert not any("import" in diff or "@cache" in diff for diff in diffs)

    def test_one_knows_the_function_around_it(self, folder: Path) -> None:
        places = {(mutant.line, mutant.function) for mutant in mutants(folder, "mutable.py")}
        assert places == {(4, 0), (10, 7)}

    def test_one_can_be_had_by_its_number(self, folder: Path) -> None:
        every = mutants(folder, "mutable.py")
        assert mutants(folder, "mutable.py", number=1) == [every[1]]
        assert mutants(folder, "mutable.py", number=len(every)) == []

    def test_a_sample_is_the_same_for_the_same_seed_and_a_larger_one_holds_it(
        self, folder: Path
    ) -> None:
        every = {mutant.name for mutant in mutants(folder, "mutable.py")}
        some = [mutant.name for mutant in mutants(folder, "mutable.py", 3, seed=1)]
        assert some == [mutant.name for mutant in mutants(folder, "mutable.py", 3, seed=1)]
        assert len(some) == 3
        more = {mutant.name for mutant in mutants(folder, "mutable.py", 4, seed=1)}
        assert {*some} < more <= every


@pytest.fixture
def modules(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A work folder whose modules can be loaded, and are forgotten afterwards."""
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    yield folder
    sys.modules.pop("mutable", None)


class TestLoadingInstead:
    def test_a_module_does_what_another_source_says(self, modules: Path) -> None:
        load_instead({"mutable.py": SOURCE.replace("* 2", "* 3")})
        module = import_module("mutable")
        assert module.doubled(5) == 15
        assert module.__file__ == str(modules / "mutable.py")
        assert (modules / "mutable.py").read_text("utf-8") == SOURCE

    @pytest.mark.usefixtures("modules")
    def test_what_is_loaded_already_is_no_mutant(self) -> None:
        import_module("mutable")
        with pytest.raises(ImportError, match="loaded already: mutable"):
            load_instead({"mutable.py": SOURCE})


class TestFork:
    def test_it_tells_its_line_and_changes_nothing_here(self) -> None:
        def load() -> str:
            import_module("this")
            return "told"

        sys.modules.pop("this", None)
        assert forked(load) == "told"
        assert "this" not in sys.modules

    def test_one_that_is_ended_tells_nothing(self) -> None:
        assert forked(lambda: sys.exit(1)) == ""
        assert forked(lambda: os._exit(0)) == ""

    def test_a_mistake_in_the_work_is_no_end_of_it(self) -> None:
        with pytest.raises(ForkError, match="ZeroDivisionError"):
            forked(lambda: str(1 // 0))

    def test_one_that_never_ends_is_ended(self) -> None:
        def without_end() -> str:
            allow(0.1)
            while True:
                pass

        assert forked(without_end) is None


SECONDS = {
    "tests/rules/test_a.py::quick": 0.01,
    "tests/rules/test_a.py::slow": 5.0,
    "tests/rules/test_b.py::near": 0.01,
    "tests/cases/test_c.py::very_near": 0.01,
}
CALLS = {
    "rules.py": {"tests/rules/test_b.py::near": [3, 9], "tests/cases/test_c.py::very_near": [7]}
}


class TestGuide:
    def test_the_tests_that_call_the_function_come_first_and_slow_ones_last(self) -> None:
        order = Guide(SECONDS, CALLS).order("rules.py", 7, [*SECONDS])
        assert [name.split("::")[1] for name in order] == ["very_near", "near", "quick", "slow"]

    def test_a_test_that_killed_much_comes_before_its_like(self) -> None:
        guide = Guide(SECONDS, CALLS)
        for _ in range(5):
            guide.learn("tests/rules/test_a.py::quick")
        order = guide.order("rules.py", 0, [*SECONDS])
        assert order[0] == "tests/rules/test_a.py::quick"

    def test_only_modules_of_the_folder_are_chosen(self) -> None:
        chosen = Guide(SECONDS, CALLS).modules("rules.py", 9, "tests/rules")
        assert chosen == ["tests/rules/test_b.py", "tests/rules/test_a.py"]

    def test_near_is_who_calls_the_function_or_the_module_or_all(self) -> None:
        guide = Guide(SECONDS, CALLS)
        assert guide.near("rules.py", 7) == {"tests/cases/test_c.py::very_near"}
        assert guide.near("rules.py", 5) == {*CALLS["rules.py"]}
        assert guide.near("rules.py", 0) == {*SECONDS}
        assert guide.near("other.py", 7) == {*SECONDS}

    def test_a_slow_test_has_more_seconds(self) -> None:
        guide = Guide(SECONDS, CALLS)
        assert guide.budget("tests/rules/test_a.py::slow") == 60
        assert guide.budget("tests/rules/test_a.py::quick") == pytest.approx(10.1)


class TestVerdicts:
    def test_a_file_keeps_the_last_verdict_on_the_very_mutant(
        self, folder: Path, tmp_path: Path
    ) -> None:
        one, other, *_ = mutants(folder, "mutable.py")
        kept = Kept(tmp_path / "kept")
        kept.keep(one, Verdict(one.name, "survived"))
        kept.keep(one, Verdict(one.name, "killed", "a test"))
        again = Kept(tmp_path / "kept")
        assert again[one] == Verdict(one.name, "killed", "a test")
        assert other not in again

    def test_the_share_counts_every_survivor_and_no_one_without_end(self, folder: Path) -> None:
        found = mutants(folder, "mutable.py")[:4]
        kept = Kept()
        outcomes: tuple[Outcome, ...] = ("killed", "killed", "timed out", "survived")
        for mutant, outcome in zip(found, outcomes, strict=True):
            kept.keep(mutant, Verdict(mutant.name, outcome))
        figure = tally.killed("these", found, kept)
        assert figure.value == 75
        assert figure.note.startswith("4 tried, 1 survived, 1 timed out")
        assert not figure.reached

    def test_a_large_module_weighs_more(self) -> None:
        kept = Kept()
        found = [
            Mutant(path, number, of, 1, 0, f"{number}", "")
            for path, of in (("large.py", 90), ("small.py", 10))
            for number in (0, 1)
        ]
        for mutant in found:
            survived = mutant.path == "large.py" and mutant.number == 0
            kept.keep(mutant, Verdict(mutant.name, "survived" if survived else "killed"))
        assert tally.killed("these", found, kept).value == 75
        assert tally.weighed(found, kept).value == pytest.approx(55)

    def test_every_survivor_has_a_reason(self) -> None:
        told = reasons()
        assert all(path.startswith("pbem/rules/") and reason for (path, _), reason in told.items())
        assert told


def test_what_a_file_settles_is_not_tried_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = Path(__file__).parents[2]
    kept = Kept(tmp_path / "kept")
    for mutant in mutants(root, "pbem/rules/seat.py", 2):
        kept.keep(mutant, Verdict(mutant.name, "killed", "a test"))
    assert main(["seat", "--sample", "2", "--keep", str(tmp_path / "kept")]) == 0
    assert "2 tried, 0 survived" in capsys.readouterr().out
