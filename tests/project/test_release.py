"""The project's own papers agree with each other."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import pbem

ROOT = Path(__file__).parents[2]
LOCKS = ("requirements.lock", "requirements-hosting.lock", "requirements-dev.lock")
PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>\S+)", re.MULTILINE)


def pins(lock: str) -> dict[str, str]:
    """Name to version, as the lock file holds them."""
    found = PINNED.finditer((ROOT / lock).read_text())
    return {canonicalize_name(pin["name"]): pin["version"] for pin in found}


def tracked() -> list[str]:
    listing = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listing.returncode:
        pytest.skip("not a git checkout")
    return listing.stdout.splitlines()


def test_newest_heading_of_the_changelog_is_the_version() -> None:
    headings = re.findall(r"^## \[(.+?)\] - (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    version, day = headings[0]
    assert version == pbem.__version__
    assert day == "unreleased" or re.fullmatch(r"\d{4}-\d\d-\d\d", day)


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_holds_no_address_and_no_path(lock: str) -> None:
    text = (ROOT / lock).read_text()
    lines = [line for line in text.splitlines() if not line.startswith("    --hash=sha256:")]
    assert [
        line for line in lines if "://" in line or "--" in line or re.search(r"[ =@]/", line)
    ] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_of_a_lock_has_a_hash(lock: str) -> None:
    blocks = re.split(r"^(?=[A-Za-z0-9])", (ROOT / lock).read_text(), flags=re.MULTILINE)[1:]
    assert [block.split()[0] for block in blocks if "--hash=sha256:" not in block] == []


@pytest.mark.parametrize("lock", LOCKS[1:])
def test_the_other_locks_only_add_to_the_first(lock: str) -> None:
    assert pins("requirements.lock").items() <= pins(lock).items()


@pytest.mark.parametrize(("lock", "extra"), list(zip(LOCKS, ("", "hosting", "dev"), strict=True)))
def test_lock_meets_every_declared_dependency(lock: str, extra: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = project["dependencies"] + project["optional-dependencies"].get(extra, [])
    locked = pins(lock)
    unmet = [
        line
        for line in declared
        if not (wanted := Requirement(line)).specifier.contains(
            locked.get(canonicalize_name(wanted.name), "0"), prereleases=True
        )
    ]
    assert unmet == []


def test_no_tracked_file_names_a_place_of_one_machine() -> None:
    places = re.compile(rb"(?<![\w.])/(work|root|home/\w+|Users/\w+)/")
    guilty = [
        name
        for name in tracked()
        if (ROOT / name).is_file() and places.search((ROOT / name).read_bytes())
    ]
    assert guilty == []


@pytest.mark.parametrize("name", ["demo", "test"])
def test_readme_marks_its_command_as_one_line(name: str) -> None:
    readme = (ROOT / "README.md").read_text()
    block = re.search(rf"<!-- command: {name} -->\n```sh\n(.+?)\n```", readme, re.DOTALL)
    assert block is not None
    assert "\n" not in block[1]
