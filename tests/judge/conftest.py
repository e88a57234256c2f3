"""What the judge's tests ask for."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.judge import twin
from tests.judge import twins
from tests.judge.parlour import Parlour

OpenParlour = Callable[..., Parlour]


@pytest.fixture(scope="session", autouse=True)
def _twins_have_their_form() -> Iterator[None]:
    """Every letter with a file for programs proves, in passing, that its schema is true."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(twin, "to_bytes", twins.to_bytes)
        yield


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
