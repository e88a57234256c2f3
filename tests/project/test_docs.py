"""What the papers show must work: orders can be read, commands exist, links lead somewhere."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from pbem.cli import app
from pbem.judge.cases import case
from pbem.judge.cases.run import run
from pbem.orders import reader
from pbem.orders.sheet import Table
from pbem.rules import board
from pbem.rules.event import KINDS
from pbem.settings import Settings
from pbem.store.memory import open_memory

ROOT = Path(__file__).parents[2]
PAPERS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)|src=\"([^\":]+)\"")


def blocks(language: str) -> Iterator[tuple[str, str]]:
    """Every block of that language with the name of its paper."""
    for paper in PAPERS:
        for found in BLOCK.finditer(paper.read_text(encoding="utf-8")):
            if found[1] == language:
                yield paper.relative_to(ROOT).as_posix(), found[2]


def commands() -> Iterator[tuple[str, list[str]]]:
    """Every `pbem` command in a shell block, and in a table or a sentence if it has a word more."""
    for paper, block in blocks("sh"):
        for line in block.splitlines():
            words = shlex.split(line)
            if words and words[0] == "pbem":
                yield paper, words[1:]
    for named in PAPERS:
        for found in re.findall(r"`pbem ([^`]+)`", named.read_text(encoding="utf-8")):
            yield named.relative_to(ROOT).as_posix(), found.replace("...", "").split()


@pytest.mark.parametrize(("paper", "block"), list(blocks("orders")))
def test_every_order_in_the_papers_is_read(paper: str, block: str) -> None:
    sheet = reader.read(block.splitlines(), "en", Table(board.load()))
    assert not sheet.mistakes, paper
    assert not sheet.ignored, paper
    assert len(sheet.lines) == len(block.splitlines())


def test_the_papers_show_orders_at_all() -> None:
    assert {paper for paper, _ in blocks("orders")} >= {
        "README.md",
        "docs/first-game.md",
        "docs/players.md",
    }


@pytest.mark.parametrize(("paper", "words"), list(commands()))
def test_every_command_in_the_papers_exists_with_its_options(paper: str, words: list[str]) -> None:
    command: Any = typer.main.get_command(app)
    rest = list(words)
    while hasattr(command, "commands") and rest and rest[0] in command.commands:
        command = command.commands[rest.pop(0)]
    assert not hasattr(command, "commands") or not rest, f"{paper}: pbem {' '.join(words)}"
    known = {option for parameter in command.params for option in parameter.opts}
    asked = {word for word in rest if word.startswith("--")}
    assert asked <= known, f"{paper}: pbem {' '.join(words)}"


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_every_link_leads_to_a_file(paper: Path) -> None:
    text = paper.read_text(encoding="utf-8")
    targets = [first or second for first, second in LINK.findall(text)]
    assert [name for name in targets if not (paper.parent / name).exists()] == []


def test_every_setting_stands_in_the_table() -> None:
    text = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `PBEM_(\w+)`", text, re.MULTILINE))
    assert told == {name.upper() for name in Settings.model_fields}


def test_every_kind_of_event_stands_in_the_table() -> None:
    text = (ROOT / "docs" / "developers" / "cases.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([a-z-]+)` \| .*\.", text, re.MULTILINE)) >= set(KINDS)


def test_the_case_in_the_papers_passes(tmp_path: Path) -> None:
    ((_, shown),) = blocks("toml")
    file = tmp_path / "shown.toml"
    file.write_text(shown, encoding="utf-8")
    (one,) = case.read(file)
    verdict = run(one, open_memory())
    assert verdict.passed, verdict.report
