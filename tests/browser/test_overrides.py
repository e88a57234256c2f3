"""What a game master takes back, hands over and stops in a browser, with script and without."""

import pytest
from playwright.sync_api import Page, expect

from pbem.judge import intake
from pbem.rules.verify import verify
from pbem.store import games
from pbem.store import standstill as stillness
from pbem.store.engine import session
from tests.browser.eyes import at, enter
from tests.judge.parlour import BERTA, words_of
from tests.web.office import Office
from tests.web.test_table import run_out

pytestmark = pytest.mark.slow

NORA = "nora@new.example"


def test_two_turns_are_rolled_back_and_played_on(page: Page, office: Office) -> None:
    run_out(office, 4)  # the setup, turns 1 to 3
    enter(page, office)
    page.goto(at(office, "/desk/games/g1/timeline"))
    turn = page.locator("section.turn", has=page.locator("#turn2"))
    turn.locator("summary").click()
    turn.get_by_role("link", name="back to here").first.click()
    page.get_by_label("Reason").fill("the wrong map")
    page.get_by_role("button", name="See what it would do").click()
    expect(page.get_by_role("table", name="What changes")).to_contain_text("turn")
    page.get_by_label("This touches what was played").fill("g1")
    page.get_by_role("button", name="Do it").click()
    expect(page.get_by_role("status")).to_contain_text("Done by")
    assert turn_and_branch(office) == (2, 1)

    office.parlour.play()
    run_out(office, 2)
    assert turn_and_branch(office) == (4, 1)
    page.goto(at(office, "/desk/games/g1/timeline"))
    expect(page.locator("li.undone").first).to_be_attached()
    record = page.request.get(at(office, "/desk/games/g1/record.txt")).text()
    assert "@gm rollback 1 by gm" in record
    assert "\n~1 " in record
    assert verify(record).failures == ()


def turn_and_branch(office: Office) -> tuple[int, int]:
    with session(office.engine) as opened:
        game = games.lock(opened, 1)
        return game.turn, game.branch


def test_a_player_is_replaced_by_a_newcomer_who_gets_a_letter(page: Page, office: Office) -> None:
    run_out(office)
    while on_turn(office) != "B":
        run_out(office)
    old = office.parlour.address("B")
    enter(page, office)
    page.goto(at(office, "/desk/games/g1/players"))
    page.get_by_role("link", name="Replace Berta").click()
    page.get_by_label("Who plays on").fill(f"Nora <{NORA}>:it")
    page.get_by_label("Reason").fill("Berta has no time")
    page.get_by_role("button", name="See what it would do").click()
    expect(page.get_by_role("main")).to_contain_text("Nora")
    page.get_by_role("button", name="Do it").click()
    expect(page.get_by_role("status")).to_contain_text("Done by")

    office.parlour.play()
    (call,) = office.parlour.letters(to=NORA)
    assert refusal(office, str(call["Reply-To"])) is None
    assert refusal(office, old) is not None
    assert "Berta has no time" in words_of(office.parlour.letters(to=BERTA)[-1])


def on_turn(office: Office) -> str | None:
    with session(office.engine) as opened:
        return games.lock(opened, 1).on_turn


def refusal(office: Office, address: str) -> object:
    with session(office.engine) as opened:
        return intake.refuse_recipient(opened, office.parlour.house, address, office.now)


def test_the_panic_switch_stops_the_house_and_lets_it_go_on(page: Page, office: Office) -> None:
    enter(page, office)
    page.goto(at(office, "/desk/health"))
    page.locator("summary", has_text="Panic switch").click()
    page.get_by_label("Reason").last.fill("the relay is mad")
    page.get_by_role("button", name="Stop the house").click()
    expect(page.get_by_role("alert")).to_contain_text("the relay is mad")
    assert is_still(office)
    page.get_by_role("button", name="Let the house run again").click()
    expect(page.get_by_role("button", name="Let the house run again")).to_have_count(0)
    assert not is_still(office)


def is_still(office: Office) -> bool:
    with session(office.engine) as opened:
        return stillness.find(opened) is not None
