"""A real browser in front of real pages, on a port of its own: both are started once a module."""

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright
from starlette.types import ASGIApp, Receive, Scope, Send

from pbem.embedded.ports import bind
from pbem.settings import Listen
from tests.web.house import House, open_house
from tests.web.office import Office, open_office


@dataclass
class Stage:
    """A server whose pages are those of the test that runs."""

    http: Listen
    app: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self.app is not None, "a page was asked for between two tests"
        await self.app(scope, receive, send)


@pytest.fixture(scope="module")
def launched(chromium_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # Chromium's own sandbox does not start for root, as whom CI runs.
        browser = playwright.chromium.launch(executable_path=chromium_path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def chromium(launched: Browser) -> Iterator[Browser]:
    """The browser; what a test opened in it is closed."""
    yield launched
    for context in launched.contexts:
        context.close()


@pytest.fixture(params=["with script", "without script"])
def page(chromium: Browser, request: pytest.FixtureRequest) -> Page:
    with_script = request.param == "with script"
    return chromium.new_context(java_script_enabled=with_script).new_page()


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with closing(bind(Listen("127.0.0.1", 0), "PBEM_HTTP_LISTEN")) as listener:
        opened = Stage(Listen("127.0.0.1", listener.getsockname()[1]))
        settings = uvicorn.Config(
            opened, log_config=None, lifespan="off", timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(settings)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield opened
        server.should_exit = True
        thread.join()


@pytest.fixture
def office(tmp_path: Path, stage: Stage) -> Iterator[Office]:
    """An office whose pages are served until the test ends."""
    with open_office(tmp_path, stage.http) as opened:
        stage.app = opened.app
        yield opened


@pytest.fixture
def house(tmp_path: Path, stage: Stage) -> Iterator[House]:
    """A house whose pages are served until the test ends."""
    with open_house(tmp_path, stage.http) as opened:
        stage.app = opened.app()
        yield opened
