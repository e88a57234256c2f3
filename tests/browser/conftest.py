"""A real browser in front of real pages, on a port of its own."""

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, sync_playwright

from pbem.embedded.ports import bind
from pbem.settings import Listen
from tests.web.house import House, open_house
from tests.web.office import Office, open_office


@pytest.fixture
def chromium(chromium_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # Chromium's own sandbox does not start for root, as whom CI runs.
        browser = playwright.chromium.launch(executable_path=chromium_path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    """An office whose pages are served until the test ends."""
    with closing(bind(Listen("127.0.0.1", 0), "PBEM_HTTP_LISTEN")) as listener:
        http = Listen("127.0.0.1", listener.getsockname()[1])
        with open_office(tmp_path, http) as opened:
            server = uvicorn.Server(
                uvicorn.Config(opened.app, log_config=None, timeout_graceful_shutdown=1)
            )
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
            thread.start()
            while not server.started:
                time.sleep(0.01)
            yield opened
            server.should_exit = True
            thread.join()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A house whose pages are served until the test ends."""
    with closing(bind(Listen("127.0.0.1", 0), "PBEM_HTTP_LISTEN")) as listener:
        http = Listen("127.0.0.1", listener.getsockname()[1])
        with open_house(tmp_path, http) as opened:
            server = uvicorn.Server(uvicorn.Config(opened.app(), log_config=None))
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
            thread.start()
            while not server.started:
                time.sleep(0.01)
            yield opened
            server.should_exit = True
            thread.join()
