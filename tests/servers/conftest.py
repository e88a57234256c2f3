"""Where servers of the distribution are tried: they need root, and a folder that they can enter."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.judge.conftest import parlour

__all__ = ["parlour"]


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A short folder that every user may pass through."""
    with tempfile.TemporaryDirectory(prefix="pbem-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
