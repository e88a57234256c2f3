"""Mutants are made of every kind of code, and functions are exchanged for them."""

from pathlib import Path

import pytest

from bench.mutants import swap
from bench.mutants.__main__ import reasons
from bench.mutants.mutant import mutants

SOURCE = '''"""A module."""
from functools import cache

TABLE = {"one": 1}


@cache
def doubled(number: int) -> int:
    """Twice."""
    return number * 2
'''


@pytest.fixture
def module(tmp_path: Path) -> Path:
    (tmp_path / "module.py").write_text(SOURCE, "utf-8")
    return tmp_path


def test_tables_and_decorated_functions_have_mutants_too(module: Path) -> None:
    diffs = [mutant.diff for mutant in mutants(module, "module.py")]
    assert '- TABLE = {"one": 1}\n+ TABLE = {"one": 2}\n' in diffs
    assert "- return number * 2\n+ return number / 2\n" in diffs
    assert len(set(diffs)) == len(diffs)
    assert not any("import" in diff or "@cache" in diff for diff in diffs)


def test_a_sample_is_the_same_for_the_same_seed(module: Path) -> None:
    every = {mutant.name for mutant in mutants(module, "module.py")}
    some = [mutant.name for mutant in mutants(module, "module.py", 3, seed=1)]
    assert some == [mutant.name for mutant in mutants(module, "module.py", 3, seed=1)]
    assert len(some) == 3
    assert {*some} < every


def changes(before: str, after: str) -> list[str] | None:
    compiled = (compile(source, "module.py", "exec") for source in (before, after))
    found = swap.changes(*compiled)
    return None if found is None else [key.name for key, _ in found]


def test_only_what_is_run_later_can_be_exchanged() -> None:
    assert changes(SOURCE, SOURCE.replace("* 2", "* 3")) == ["doubled"]
    assert changes(SOURCE, SOURCE.replace("1}", "2}")) is None
    assert changes(SOURCE, SOURCE.replace("@cache\n", "")) is None
    assert changes(SOURCE, f"{SOURCE}\n") == []


def test_a_function_does_what_its_new_code_says() -> None:
    spoken = swap.changes(
        compile("def half(n):\n    return n / 2\n", __file__, "exec"),
        compile("def half(n):\n    return n * 2\n", __file__, "exec"),
    )
    space: dict[str, object] = {}
    exec(compile("def half(n):\n    return n / 2\n", __file__, "exec"), space)
    half = space["half"]
    assert callable(half)
    assert half(8) == 4
    assert spoken is not None
    assert swap.swap(spoken)
    assert half(8) == 16


def test_every_survivor_has_a_reason() -> None:
    assert reasons()
    assert all(path.startswith("pbem/rules/") and reason for (path, _), reason in reasons().items())
