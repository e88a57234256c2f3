"""Each bench runs and gives its figures; how fast anything is no test can say."""

import math
from pathlib import Path

import pytest

from bench.__main__ import BENCHES, main
from bench.figure import Figure, row
from bench.scale import tiny


@pytest.mark.parametrize("name", BENCHES)
def test_a_bench_gives_its_figures(name: str, tmp_path: Path) -> None:
    figures = BENCHES[name](tiny(tmp_path))
    assert figures
    assert all(math.isfinite(figure.value) for figure in figures)
    assert all(figure.what in row(figure) for figure in figures)


def test_a_figure_says_whether_it_is_reached() -> None:
    reached = row(Figure("intake of a bare sink", 0.85, "", at_least=0.8))
    missed = row(Figure("order mail", 21.44, "ms", under=20, note="on SQLite"))
    asked_for_nothing = row(Figure("plain Python", 31.2, "M adds/s"))
    assert ">= 0.8" in reached
    assert "reached" in reached
    assert "21.4 ms" in missed
    assert missed.endswith("MISSED   on SQLite")
    assert asked_for_nothing.endswith("M adds/s")


def test_the_command_prints_what_it_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--tiny", "machine"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("machine\n")
    assert "plain Python" in printed
