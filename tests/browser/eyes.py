"""How a test comes before a page, and what a page does to eyes that are not like all others."""

from functools import cache
from typing import Any

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page

from pbem.judge import login
from pbem.store.engine import session
from pbem.web.visitor import visit_cookie
from tests.web.office import OWNER, Office

WIDTHS = (320, 390, 1280)
ALL: dict[str, Any] = {"resultTypes": ["violations"]}
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}, **ALL}

# What was found right would be longer than the page, and slow to bring over.
RUN = "options => axe.run(document, options).then(found => found.violations)"


def at(office: Office, path: str) -> str:
    return f"http://{office.http}{path}"


def enter(page: Page, office: Office, address: str = OWNER) -> None:
    """As somebody who has logged in; that this can be done by hand has a test of its own."""
    token = office.link(address).rpartition("/")[2]
    with session(office.engine) as opened:
        key = login.enter(opened, token, office.now, office.service.entropy, "en")
    assert key is not None
    name = visit_cookie(office.service)
    page.context.add_cookies([{"name": name, "value": key, "url": at(office, "/")}])


def faults(page: Page, address: str | None = None) -> list[str]:
    """What is wrong with a page, a line each: for axe in light and dark, or by its width."""
    if address is not None:
        page.goto(address)
    page.evaluate(_axe())
    # Without motion, or colours would be looked at half way from light to dark.
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    wrong = _violations(page, ALL)
    page.emulate_media(color_scheme="dark")
    wrong += _violations(page, CONTRAST)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        reached = page.evaluate("document.documentElement.scrollWidth")
        wrong += [f"{reached} wide on {width}"] if reached > width else []
    return wrong


def _violations(page: Page, options: dict[str, Any]) -> list[str]:
    found = page.evaluate(RUN, options)
    return [f"{fault['id']}: {node['html'][:160]}" for fault in found for node in fault["nodes"]]


@cache
def _axe() -> str:
    script: str = Axe().axe_script
    return script
