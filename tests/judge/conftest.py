"""What the judge's tests ask for."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.judge.parlour import Parlour

OpenParlour = Callable[..., Parlour]


@pytest.fixture
def parlour(tmp_path: Path) -> Iterator[OpenParlour]:
    """Opens houses; each is closed at the test's end."""
    opened: list[Parlour] = []

    def open_one(**settings: Any) -> Parlour:
        folder = tmp_path / str(len(opened))
        folder.mkdir()
        opened.append(Parlour(folder, **settings))
        return opened[-1]

    yield open_one
    for house in opened:
        house.close()
