"""Pages of a house, and a browser without a screen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.web.house import KEY, House, open_house
from tests.web.office import Office, open_office

ORIGIN = "http://127.0.0.1:8000"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path) as opened:
        yield opened


@pytest.fixture
def stranger(house: House) -> Iterator[TestClient]:
    """A browser that never had the key."""
    with TestClient(house.app(), base_url=ORIGIN) as client:
        yield client


@pytest.fixture
def browser(stranger: TestClient) -> TestClient:
    """A browser that came by the link with the key."""
    assert stranger.get("/mailbox", params={"key": KEY}).status_code == 200
    return stranger


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    """A house with a desk and game 1; see `tests.web.office` for its people."""
    with open_office(tmp_path) as opened:
        yield opened
