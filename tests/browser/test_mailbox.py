"""A newcomer plays from the browser: opens the mailbox, reads a letter, answers it."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.house import ANNA, KEY, PLAY, House

pytestmark = pytest.mark.slow

HOSTILE_HTML = """<h1>Turn 23</h1><script>document.title = "broken out"</script>
<img src="http://127.0.0.1:1/pixel.png" onerror="top.location = '/nowhere'">"""


def enter(page: Page, house: House) -> None:
    page.goto(f"http://{house.http}/mailbox?key={KEY}")
    expect(page).to_have_url(f"http://{house.http}/mailbox")


def test_a_letter_is_answered_from_the_browser(chromium: Browser, house: House) -> None:
    house.write()
    page = chromium.new_page()
    enter(page, house)
    page.get_by_role("link", name=ANNA).click()
    expect(page.get_by_text("unread", exact=True)).to_be_visible()
    page.get_by_role("link", name="Turn 23").click()
    expect(page.get_by_role("region", name="Text of the letter")).to_contain_text("your move")
    expect(page.get_by_role("region", name="Examples")).to_contain_text("place 5 in Siam")

    page.get_by_label("Your orders").fill("place 5 in Siam\nend")
    page.get_by_role("button", name="Send the answer").click()
    expect(page.get_by_role("status")).to_have_text("Sent, waiting to be read")
    assert house.received[0].rcpt_tos == (PLAY,)

    house.write(kind="done", text="Turn closed.\n", answers=house.newest_mail())
    expect(page.get_by_role("status")).to_have_text("Answered")
    expect(page.get_by_text("Turn closed.")).to_be_visible()


def test_all_of_it_works_without_script_and_by_keyboard(chromium: Browser, house: House) -> None:
    house.write()
    page = chromium.new_context(java_script_enabled=False).new_page()
    enter(page, house)
    page.get_by_role("link", name=ANNA).press("Enter")
    page.get_by_role("link", name="Turn 23").press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.get_by_label("Your orders").focus()
    page.keyboard.type("end")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_be_visible()
    assert len(house.received) == 1


def test_the_html_of_a_letter_runs_and_loads_nothing(chromium: Browser, house: House) -> None:
    house.write(html=HOSTILE_HTML)
    page = chromium.new_page()
    kept_off: list[tuple[str, str | None]] = []
    page.on("requestfailed", lambda request: kept_off.append((request.url, request.failure)))
    enter(page, house)
    page.goto(f"http://{house.http}/mailbox/letters/1?face=html")
    frame = page.frame_locator("iframe.letter")
    expect(frame.get_by_role("heading", name="Turn 23")).to_be_visible()
    assert "broken out" not in page.title()
    assert page.url.endswith("face=html")
    assert kept_off == [("http://127.0.0.1:1/pixel.png", "csp")]


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_page_is_wider_than_the_screen(chromium: Browser, house: House, width: int) -> None:
    house.write(text="x" * 72 + "\n| " + "order " * 11 + "\n", subject="long" * 40)
    page = chromium.new_context(viewport={"width": width, "height": 800}).new_page()
    enter(page, house)
    for where in ("", f"/people/{ANNA}", "/letters/1", "/letters/1?face=source"):
        page.goto(f"http://{house.http}/mailbox{where}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
