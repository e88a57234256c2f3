"""The pages of a game's table, and those before the login, for every eye and every screen."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.eyes import at, enter, faults
from tests.judge.parlour import ANNA
from tests.web.office import Office
from tests.web.test_luck import rolls, tell
from tests.web.test_table import allow, give_hand, run_out

pytestmark = pytest.mark.slow

OPEN = ("/", "/login", "/login/sent", "/login/dead-link", "/rules", "/nowhere")
WATCHED = ("/games", "/games/g1", "/games/g1/story", "/games/g1/dice")
"""Pages of whoever likes, of a game that may be watched."""

PAGES = (
    "/you",
    "/you/keys",
    "/games",
    "/games/g99",
    "/games/g1",
    "/games/g1?turn=0&close=europe",
    "/games/g1/story",
    "/games/g1/dice",
    "/games/g1/letters",
    "/games/g1/letters/1",
    "/games/g1/check",
)


def test_no_page_of_the_table_shuts_anybody_out(chromium: Browser, office: Office) -> None:
    run_out(office, 3)
    tell(office, 1, rolls(40))
    give_hand(office, "A", "EGY", "WILD")
    allow(office, "yes")
    page = chromium.new_page()
    found = {path: faults(page, at(office, path)) for path in (*OPEN, *WATCHED)}
    enter(page, office, ANNA)
    found |= {path: faults(page, at(office, path)) for path in PAGES}
    asked = f"/games/g1/consents/{office.asked('players')}"
    found[asked] = faults(page, at(office, asked))
    page.goto(at(office, "/games/g1/check"))
    page.get_by_label("Your orders").fill("attack Idnai from Siam\nend")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("main")).to_contain_text("Idnai")
    found["checked"] = faults(page)
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_the_turns_are_gone_through_with_the_keys_of_a_slider(
    chromium: Browser, office: Office
) -> None:
    run_out(office, 3)  # the setup, turns 1 and 2
    page = chromium.new_page()
    enter(page, office, ANNA)
    page.goto(at(office, "/games/g1?close=europe"))
    expect(page.get_by_label("After turn")).to_be_hidden()
    slide = page.get_by_role("slider", name="Turn")
    slide.focus()
    for key, said, heading in (
        ("ArrowLeft", "2", "The board after turn 2"),
        ("Home", "the setup", "The board after the setup"),
        ("ArrowRight", "1", "The board after turn 1"),
    ):
        page.keyboard.press(key)
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        expect(slide).to_have_attribute("aria-valuetext", said)
        expect(slide).to_be_focused()
    assert page.url == at(office, "/games/g1?close=europe&turn=1")
    page.get_by_role("link", name="Later").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The board after turn 2")
    expect(slide).to_have_value("2")
    page.context.clear_cookies()
    slide.press("Home")
    expect(page.get_by_role("heading", level=1)).to_have_text("This page is not shown")


def test_without_script_the_turns_are_a_list(chromium: Browser, office: Office) -> None:
    run_out(office, 2)
    allow(office, "yes")
    page = chromium.new_context(java_script_enabled=False).new_page()
    page.goto(at(office, "/games/g1"))
    expect(page.get_by_role("slider")).to_have_count(0)
    page.get_by_label("After turn").select_option("the setup")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The board after the setup")
