"""`pbem case`, seen from outside."""

from pathlib import Path

import pytest

from tests.cli.conftest import Pbem

CASE = """
[[case]]
id = "{id}"
rule = 4
title = "One against one: a tie costs the attacker"
[case.position]
seats = ["red", "blue", "green"]
rest = {{ blue = 1 }}
holdings.red = {{ SIA = 2 }}
holdings.green = {{ ALA = 1 }}
[case.given]
dice = [4, 4]
orders = "attack India from Siam, once"
[case.expect]
holdings.red = {{ SIA = {armies} }}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "cases"
    (made / "deep").mkdir(parents=True)
    (made / "a.toml").write_text(CASE.format(id="a", armies=1))
    (made / "deep" / "b.toml").write_text(CASE.format(id="b", armies=1))
    return made


def test_files_and_folders_are_played(pbem: Pbem, folder: Path) -> None:
    result = pbem("case", str(folder / "a.toml"), str(folder / "deep"))
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == ["ok   a", "ok   b", "2 passed, 0 failed"]


def test_a_folder_without_cases_is_told(pbem: Pbem, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = pbem("case", str(folder), str(tmp_path / "empty"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.endswith("empty: no case file in it\n")


def test_an_id_that_two_cases_have_is_told_and_both_are_played(pbem: Pbem, folder: Path) -> None:
    (folder / "deep" / "b.toml").write_text(CASE.format(id="a", armies=1))
    result = pbem("case", str(folder))
    assert (result.exit_code, result.stderr) == (0, "pbem: more than one case has the id a\n")
    assert result.stdout.splitlines() == ["ok   a", "ok   a", "2 passed, 0 failed"]


def test_cases_are_read_from_standard_input(pbem: Pbem, folder: Path) -> None:
    one = CASE.format(id="c", armies=1)
    result = pbem("case", str(folder / "a.toml"), "-", stdin=one)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == ["ok   a", "ok   c", "2 passed, 0 failed"]
    assert pbem("case", "-", stdin="[[case").stderr.startswith("pbem: standard input: ")


def test_a_case_that_fails_is_drawn_and_the_others_are_played(pbem: Pbem, folder: Path) -> None:
    (folder / "a.toml").write_text(CASE.format(id="a", armies=2))
    result = pbem("case", str(folder))
    assert result.exit_code == 1
    assert "FAIL a" in result.stdout
    assert "holdings SIA: expected ('red', 2), came ('red', 1)" in result.stdout
    assert result.stdout.index("before:") < result.stdout.index("after:")
    assert result.stdout.splitlines()[-2:] == ["ok   b", "1 passed, 1 failed"]


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("[[case", "bad.toml"),
        ("", "bad.toml: no [[case]] in it"),
        ("case = 1", "bad.toml: [[case]] has to be a table"),
        (CASE.format(id="x", armies=1).replace("SIA = 2", "SIX = 2"), "bad.toml: case x"),
        (CASE.format(id="x", armies=1).replace("[case.expect]", ""), "bad.toml: case x"),
    ],
)
def test_a_file_written_wrongly_is_one_line(
    written: str, says: str, pbem: Pbem, folder: Path
) -> None:
    (folder / "bad.toml").write_text(written)
    result = pbem("case", str(folder))
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_path_that_is_not_there_is_one_line(pbem: Pbem, folder: Path) -> None:
    result = pbem("case", str(folder / "none.toml"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no such file or folder" in result.stderr
    assert len(result.stderr.splitlines()) == 1
