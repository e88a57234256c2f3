"""Houses of their own, since each is killed in its test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.journey.house import House
from tests.journey.sink import Sink

Opened = Callable[..., House]


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[Opened]:
    """Starts a house with a relay that takes everything; settings by name."""
    opened: list[House] = []
    sink = Sink()

    def start(**settings: str) -> House:
        house = House(tmp_path, sink, **settings)
        opened.append(house)
        return house.start()

    yield start
    for house in opened:
        house.kill()
    sink.close()
