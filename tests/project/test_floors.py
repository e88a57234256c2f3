"""The import contracts hold, and nothing stands outside the floors."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOUSE = {"bench", "pbem", "tests", "tools", "workers"}


def lint_imports(root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-logo", "--no-cache"],
        cwd=root,
        env={"PYTHONPATH": str(root), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the house in which a test may break a contract."""
    for name in ("pbem", "workers"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / ".importlinter", tmp_path)
    return tmp_path


def test_contracts_are_kept() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout


def test_only_the_atlas_makes_a_state_of_a_row() -> None:
    """It knows the boards of other makers, which a state alone does not bring along."""
    readers = {
        path.relative_to(ROOT / "pbem").as_posix()
        for path in (ROOT / "pbem").rglob("*.py")
        if "state_from_json(" in path.read_text(encoding="utf-8")
    }
    assert readers == {"judge/atlas.py", "rules/notation.py"}


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("pbem/utils.py", "", "Floors of pbem"),
        ("pbem/judge/stray.py", "import pbem.web", "Floors of pbem"),
        ("pbem/mail/stray.py", "import pbem.store", "Floors of pbem"),
        ("pbem/embedded/stray.py", "import workers", "Workers are a door"),
        ("pbem/rules/stray.py", "import random", "Rules and orders know no clock"),
        ("pbem/orders/stray.py", "from datetime import datetime", "Rules and orders know no clock"),
        ("pbem/judge/stray.py", "from sqlalchemy.orm import Session", "SQLModel, SQLAlchemy"),
        ("workers/stray.py", "import jinja2", "Jinja2 and Babel"),
        ("pbem/judge/stray.py", "import celery", "Celery and kombu"),
        ("pbem/embedded/stray.py", "import fastapi", "FastAPI and Starlette"),
        ("workers/stray.py", "import uvicorn", "Uvicorn"),
        ("pbem/mail/stray.py", "import aiosmtpd.smtp", "aiosmtpd"),
        ("pbem/render/stray.py", "from PIL import Image", "numpy and Pillow"),
    ],
)
def test_a_stray_module_breaks_its_contract(
    copy: Path, module: str, line: str, contract: str
) -> None:
    (copy / module).write_text(f"{line}\n")
    done = lint_imports(copy)
    assert done.returncode == 1, done.stdout
    broken = [said for said in done.stdout.splitlines() if "BROKEN" in said]
    assert any(said.startswith(contract) for said in broken), done.stdout


def test_every_package_has_its_folder_of_tests() -> None:
    packages = {path.parent.name for path in (ROOT / "pbem").glob("*/__init__.py")} | {"workers"}
    tested = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}
    assert packages - tested == set()


def test_no_other_package_stands_in_the_root() -> None:
    found = {path.parent.name for path in ROOT.glob("[!.]*/*.py")}
    assert found - HOUSE == set()
