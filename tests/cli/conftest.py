"""The commands as a person at a terminal has them, each test with a data directory of its own."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.cli import app

Pbem = Callable[..., Result]


@pytest.fixture
def pbem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pbem:
    """Runs a command: `pbem("game", "list")`; `stdin` is what it reads there."""
    for name in [name for name in os.environ if name.startswith("PBEM_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path / "data"))
    runner = CliRunner()

    def run(*words: str, stdin: str | None = None) -> Result:
        result = runner.invoke(app, words, input=stdin, prog_name="pbem")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run
