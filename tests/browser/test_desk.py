"""A game master at work in a real browser, with script and without, and for every eye."""

from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from playwright.sync_api import Browser, Page, expect

from pbem.store import games
from pbem.store.engine import session
from tests.browser.eyes import at, enter, faults
from tests.judge.parlour import ANNA, text_of
from tests.store import boxes
from tests.web.office import GM, Office

pytestmark = pytest.mark.slow

PAGES = (
    "/desk",
    "/desk?which=over",
    "/desk/games/g1",
    "/desk/games/g1/timeline",
    "/desk/games/g1/mail",
    "/desk/games/g1/players",
    "/desk/games/g1/rules",
    "/desk/games/g1/dice",
    "/desk/games/g1/audit",
    "/desk/games/g1/acts",
    "/desk/games/g1/acts/extend?by=24h",
    "/desk/games/g1/acts/replace?seat=B",
    "/desk/games/g1/acts/rollback",
    "/desk/games/g1/acts/set",
    "/desk/games/g1/hands",
    "/desk/games/g1/consents/1",
    "/desk/quarantine",
    "/desk/quarantine/1",
    "/desk/outbox?which=sent",
    "/desk/outbox/1",
    "/desk/people",
    f"/desk/people/{ANNA}",
    "/desk/audit",
    "/desk/health",
    "/desk/nowhere",
    "/you/visits",
    "/you/keys",
    "/desk/games/g1/webhooks",
    "/games",
    "/games/new",
    "/games/g1/rematch",
)


def test_the_game_master_logs_in_by_the_mailed_link(page: Page, office: Office) -> None:
    page.goto(at(office, "/desk"))
    page.get_by_role("link", name="Log in").first.click()
    page.get_by_label("Your mail address").fill(GM)
    page.get_by_role("button", name="Send me a link").click()
    expect(page.get_by_role("status")).to_contain_text("a link is on its way")
    office.parlour.play()
    link = mailed_link(office)
    page.goto(at(office, link))
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Games", exact=True)).to_be_visible()
    page.goto(at(office, link))
    expect(page.get_by_role("main")).to_contain_text("does not log in")


def mailed_link(office: Office) -> str:
    with session(office.engine) as opened:
        (row,) = [row for row in boxes.letters(opened) if row.kind == "login"]
    mail = message_from_bytes(row.composed or b"", policy=policy.default)
    assert isinstance(mail, EmailMessage)
    (line,) = [line for line in text_of(mail).splitlines() if "/login/" in line]
    return "/login/" + line.rpartition("/login/")[2]


def test_a_mail_in_quarantine_is_mended_and_its_player_gets_the_letter(
    page: Page, office: Office
) -> None:
    office.stray("i would like the indian one")
    enter(page, office)
    page.goto(at(office, "/desk"))
    page.get_by_role("link", name="1 mail set aside").click()
    page.get_by_role("link", name="my move").click()
    expect(page.locator("pre").first).to_contain_text("indian one")
    page.get_by_label("Corrected text").fill("claim Atlantis")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#result")).to_contain_text("Atlantis")
    page.get_by_label("Corrected text").fill("claim India")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#result")).to_contain_text("this can be read")
    page.get_by_label("Reason").fill("India was meant")
    page.get_by_role("button", name="Apply as Anna").click()
    expect(page.get_by_role("main")).to_contain_text("Nothing is kept here")
    office.parlour.play()
    letter = office.parlour.letters(kind="done", to=ANNA)[-1]
    assert "India was meant" in " ".join(text_of(letter).split())


def test_a_deadline_is_extended_by_keyboard_alone(page: Page, office: Office) -> None:
    with session(office.engine) as opened:
        before = games.deadline(opened, 1)
    assert before is not None
    enter(page, office)
    page.goto(at(office, "/desk"))
    page.get_by_role("link", name="g1").first.press("Enter")
    page.get_by_role("link", name="+24h").press("Enter")
    page.get_by_role("button", name="See what it would do").press("Enter")
    expect(page.get_by_role("main")).to_contain_text("Nothing is done yet")
    page.get_by_label("Reason").focus()
    page.keyboard.type("a power cut")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Done by")
    with session(office.engine) as opened:
        assert games.deadline(opened, 1) == before + timedelta(hours=24)


def test_an_open_page_looks_again_when_something_changes(chromium: Browser, office: Office) -> None:
    page = chromium.new_page()
    enter(page, office)
    page.goto(at(office, "/desk"))
    expect(page.get_by_role("main")).to_contain_text("Nothing needs you")
    page.wait_for_timeout(500)
    office.stray("end")
    expect(page.get_by_role("main")).to_contain_text("1 mail set aside", timeout=10_000)


def test_whoever_writes_is_told_and_not_interrupted(chromium: Browser, office: Office) -> None:
    page = chromium.new_page()
    enter(page, office)
    page.goto(at(office, "/desk/games/g1/audit"))
    page.evaluate("document.dispatchEvent(new Event('input'))")
    page.wait_for_timeout(500)
    office.done()
    expect(page.locator("#changed")).to_be_visible(timeout=10_000)
    expect(page.get_by_role("main")).to_contain_text("Nobody has done anything")


def test_a_newcomer_who_writes_names_only_gets_a_game(page: Page, office: Office) -> None:
    enter(page, office)
    page.goto(at(office, "/games/new"))
    page.get_by_label("Blue", exact=True).fill("bruno")
    page.get_by_role("button", name="Make it").press("Enter")
    page.get_by_role("link", name="no address").press("Enter")
    page.get_by_label("Blue", exact=True).fill("Bruno <bruno@x.example>")
    page.get_by_label("Green", exact=True).fill("computer")
    page.get_by_role("button", name="Make it").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Game g2 is made")


def test_options_say_what_the_chosen_rules_have(page: Page, office: Office) -> None:
    enter(page, office)
    page.goto(at(office, "/games/new"))
    page.get_by_role("radio", name="missions-2015").check()
    if page.get_by_role("button", name="Show below").is_visible():
        page.get_by_role("button", name="Show below").click()
    page.locator("summary", has_text="How it is won").click()
    expect(page.get_by_label("As in missions-2015: do the own")).to_be_checked()


def test_no_page_of_the_desk_shuts_anybody_out(chromium: Browser, office: Office) -> None:
    """Neither by what axe finds, light and dark, nor by being wider than the screen."""
    office.stray("x" * 200, subject="long" * 40)
    assert office.asked() == 1
    context = chromium.new_context(color_scheme="light")
    page = context.new_page()
    enter(page, office)
    found = {path: faults(page, at(office, path)) for path in PAGES}
    late = preview_of(context.new_page(), office)
    found["preview"] = faults(preview_of(page, office))
    page.get_by_role("button", name="Do it").click()
    expect(page.get_by_role("status")).to_contain_text("Done by")
    found["done"] = faults(page)
    page.goto(at(office, "/games/new"))
    page.get_by_role("button", name="Make it").click()
    found["a game that cannot be made"] = faults(page)
    office.parlour.now += timedelta(minutes=1)
    late.get_by_role("button", name="Do it").click()
    expect(late.get_by_role("alert")).to_contain_text("nothing was done")
    found["conflict"] = faults(late)
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def preview_of(page: Page, office: Office) -> Page:
    page.goto(at(office, "/desk/games/g1/acts/extend?by=24h"))
    page.get_by_role("button", name="See what").click()
    expect(page.get_by_role("main")).to_contain_text("Nothing is done yet")
    return page


def test_no_script_of_a_mail_runs(chromium: Browser, office: Office) -> None:
    payload = "</textarea><script>document.title='broken'</script><img src=x onerror=alert(1)>"
    office.stray(payload, subject="<svg onload=alert(1)>")
    page = chromium.new_page()
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    enter(page, office)
    for path in ("/desk/quarantine", "/desk/quarantine/1"):
        page.goto(at(office, path))
        assert "broken" not in page.title()
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#result")).to_be_visible()
    assert dialogs == []
