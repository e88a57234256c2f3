"""A house that the tests of this folder share, and a table at which a turn can be played."""

from collections.abc import Iterator

import pytest

from tests.journey.house import House
from tests.journey.sink import Sink

GM = "gm@people.example"


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A running house with a relay; games in it do not know each other."""
    sink = Sink()
    running = House(tmp_path_factory.mktemp("house"), sink, GM=GM)
    try:
        yield running.start()
    finally:
        running.stop()
        sink.close()
