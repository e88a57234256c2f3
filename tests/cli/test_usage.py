"""What a newcomer writes wrongly is told in one line, with exit code 2 and where to look."""

from pathlib import Path

import pytest

from pbem.store.engine import open_reader
from tests.cli.conftest import Pbem


@pytest.mark.parametrize(
    ("words", "told", "shown_by"),
    [
        ("nonsense", "No such command 'nonsense'", "pbem"),
        ("--colour", "No such option: --colour", "pbem"),
        ("game lost", "No such command 'lost'", "pbem game"),
        ("game new", "Missing option '--seat'", "pbem game new"),
        ("game show", "Missing argument 'ID'", "pbem game show"),
        ("game rollback g1 soon", "Invalid value for 'SEQ'", "pbem game rollback"),
        ("demo --seats 9", "Invalid value for '--seats'", "pbem demo"),
        ("migrate now", "Got unexpected extra argument(s) (now)", "pbem migrate"),
    ],
)
def test_wrong_usage_is_one_line(pbem: Pbem, words: str, told: str, shown_by: str) -> None:
    result = pbem(*words.split())
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"pbem: {told}")
    assert line.endswith(f"`{shown_by} --help` shows how it is written")


@pytest.mark.parametrize("words", ["", "game", "board"])
def test_a_group_alone_shows_its_commands(pbem: Pbem, words: str) -> None:
    result = pbem(*words.split())
    assert (result.exit_code, result.stderr) == (2, "")
    assert "Commands" in result.stdout


def test_who_is_forgotten_is_meant(pbem: Pbem) -> None:
    result = pbem("person", "erase", "anna@people.example")
    told = "pbem: this cannot be undone; write --yes if it is meant\n"
    assert (result.exit_code, result.stderr) == (2, told)


@pytest.mark.parametrize("words", ["case", "verify", "replay", "orders check {0} --position"])
def test_what_is_no_text_is_called_so(pbem: Pbem, words: str, tmp_path: Path) -> None:
    file = tmp_path / "picture.png"
    file.write_bytes(b"\x89PNG\xff")
    result = pbem(*words.format(file).split(), str(file))
    assert result.exit_code == 2
    assert result.stderr.endswith("picture.png: not a text in UTF-8\n")
    assert len(result.stderr.splitlines()) == 1


def test_a_database_that_cannot_be_written_to_is_one_line(
    pbem: Pbem, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pbem("game", "list").exit_code == 0
    monkeypatch.setattr("pbem.cli.desk.open_engine", open_reader)
    result = pbem("gm", "stop")
    told = "pbem: PBEM_DATABASE_URL: the database cannot be used: attempt to write a readonly"
    assert result.exit_code == 1
    assert result.stderr.startswith(told)
    assert len(result.stderr.splitlines()) == 1
