"""Logging in by a link, what a visit is kept by, and how forms are kept from others."""

import logging
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy

import pytest
from fastapi.testclient import TestClient
from sqlmodel import select

from pbem.judge import login
from pbem.judge.sweep import KEEP_VISITS, tidy
from pbem.store import audit
from pbem.store.engine import session
from pbem.store.tables import LoginLink, Visit
from pbem.web.app import make_app
from pbem.web.site import Service, Site
from tests.store import boxes
from tests.web.office import GM, ORIGIN, OWNER, STRANGER, Browser, Office, form_of

MAIL = timedelta(minutes=16)


def rows(office: Office, table: type[LoginLink] | type[Visit]) -> list[LoginLink | Visit]:
    with session(office.engine) as opened:
        return list(opened.exec(select(table)))


def mailed(office: Office) -> list[str]:
    """The links in the letters that were sent, oldest first."""
    office.parlour.play()
    with session(office.engine) as opened:
        letters = [row for row in boxes.letters(opened) if row.kind == "login"]
    found = []
    for row in letters:
        mail = message_from_bytes(row.composed or b"", policy=policy.default)
        body = mail.get_body(("plain",))
        text = "" if body is None else body.get_content()
        found += [line for line in text.splitlines() if "/login/" in line]
    return found


def test_a_link_comes_by_mail_and_opens_the_pages_once(office: Office) -> None:
    browser = office.browser()
    sent = browser.press(browser.get("/login"), address=OWNER)
    assert sent.url.path == "/login/sent"
    (link,) = mailed(office)
    assert office.hinted[-1][0] == "mail.send"

    path = link.removeprefix(office.parlour.house.public_url)
    home = browser.press(browser.get(path))
    assert home.url.path == "/desk"
    assert browser.get(path).status_code == 410
    assert office.browser().post(path, {}).status_code == 403


def test_a_stranger_gets_the_same_answer_and_no_letter(office: Office) -> None:
    answers = []
    for address in (OWNER, STRANGER, "no address", "x" * 300 + "@x.example"):
        browser = office.browser()
        answer = browser.press(browser.get("/login"), address=address)
        answers.append((answer.status_code, str(answer.url), answer.text))
    assert len({(code, url) for code, url, _ in answers}) == 1
    assert len(mailed(office)) == 1


def test_an_address_is_known_in_any_case_of_its_domain(office: Office) -> None:
    browser = office.browser()
    browser.press(browser.get("/login"), address=GM.replace("x.example", "X.Example"))
    assert len(mailed(office)) == 1


def test_looking_at_a_link_changes_nothing(office: Office) -> None:
    """As a program does that opens every link of a mail."""
    path = office.link(GM)
    before = rows(office, LoginLink)
    for _ in range(3):
        answer = office.browser().get(path)
        assert answer.status_code == 200
        assert not any("pbem_8000=" in cookie for cookie in answer.headers.get_list("set-cookie"))
    assert rows(office, LoginLink) == before
    assert rows(office, Visit) == []
    assert office.browser(None).press(office.browser().get(path)).status_code == 403


def test_of_two_who_press_the_button_one_comes_in(office: Office) -> None:
    path = office.link(GM)
    first, second = office.browser(), office.browser()
    pages = first.get(path), second.get(path)
    assert first.press(pages[0]).status_code == 200
    assert second.press(pages[1]).status_code == 410
    assert len(rows(office, Visit)) == 1


@pytest.mark.parametrize("link", ["/login/made-up", "/login/" + "x" * 43, "/login/%00"])
def test_a_link_that_there_is_not_leads_to_a_friendly_page(office: Office, link: str) -> None:
    answer = office.browser().get(link)
    assert answer.status_code == 410
    assert 'href="/login"' in answer.text


def test_a_link_dies_after_a_quarter_of_an_hour(office: Office) -> None:
    path = office.link(GM)
    page = office.browser().get(path)
    office.parlour.now += MAIL
    assert office.browser().get(path).status_code == 410
    browser = office.browser()
    browser.get("/login")
    action, fields = form_of(page.text)
    del fields["form_token"]
    token = form_of(browser.get("/login").text)[1]["form_token"]
    assert browser.post(action, fields | {"form_token": token}).status_code == 410
    assert rows(office, Visit) == []


def test_rows_hold_hashes_and_no_secret(office: Office) -> None:
    path = office.link(GM)
    browser = office.browser()
    browser.press(browser.get(path))
    key = browser.client.cookies["pbem_8000"]
    token = path.rpartition("/")[2]
    assert len(token) == len(key) == 43
    held = repr(rows(office, LoginLink)) + repr(rows(office, Visit))
    assert token not in held
    assert key not in held
    assert login.digest(key) in held


def test_a_recipe_holds_no_token(office: Office) -> None:
    with session(office.engine) as opened:
        login.ask(opened, office.parlour.house, GM, office.now, lambda n: b"7" * n, "en")
        (row,) = [row for row in boxes.letters(opened) if row.kind == "login"]
        token = login.token(office.parlour.house, row.recipe["facts"]["number"])
        assert row.composed is None
        assert token not in repr(row.recipe) + row.key + row.message_id


def test_links_and_visits_that_are_over_are_forgotten(office: Office) -> None:
    browser = office.browser(GM)
    office.link(GM)
    assert (len(rows(office, LoginLink)), len(rows(office, Visit))) == (2, 1)
    tidy(office.engine, office.now + login.LINK_LIFE + KEEP_VISITS + timedelta(seconds=1))
    assert not rows(office, LoginLink)
    assert browser.get("/desk").status_code == 200, "a visit that goes on is kept"
    tidy(office.engine, office.now + login.VISIT_LIFE + KEEP_VISITS)
    assert not rows(office, Visit)


def test_no_token_and_no_key_ends_in_a_log(
    office: Office, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    path = office.link(GM)
    browser = office.browser()
    browser.press(browser.get(path))
    browser.get(path)
    logged = "\n".join(
        record.getMessage() for record in caplog.records if not record.name.startswith("http")
    )
    assert path.rpartition("/")[2] not in logged
    assert browser.client.cookies["pbem_8000"] not in logged


def test_logging_in_again_changes_the_key(office: Office) -> None:
    browser = office.browser(GM)
    first = browser.client.cookies["pbem_8000"]
    browser.press(browser.get(office.link(GM)))
    second = browser.client.cookies["pbem_8000"]
    assert first != second
    assert len(rows(office, Visit)) == 1
    old = office.browser()
    old.client.cookies.set("pbem_8000", first)
    assert old.get("/desk").status_code == 401


def test_a_key_from_outside_is_never_taken_over(office: Office) -> None:
    browser = office.browser()
    chosen = "chosen-by-somebody-else"
    browser.client.cookies.set("pbem_8000", chosen, domain="127.0.0.1", path="/")
    browser.press(browser.get(office.link(GM)))
    assert browser.client.cookies["pbem_8000"] != chosen


def test_logging_out_ends_this_visit_only(office: Office) -> None:
    one, other = office.browser(GM), office.browser(GM)
    key = one.client.cookies["pbem_8000"]
    one.press(one.get("/you/visits"), "Log out")
    one.client.cookies.set("pbem_8000", key)
    assert one.get("/desk").status_code == 401
    assert other.get("/desk").status_code == 200


def test_logging_out_everywhere_ends_all_visits_and_links(office: Office) -> None:
    one, other, third = (office.browser(address) for address in (GM, GM, OWNER))
    link = office.link(GM)
    one.press(one.get("/you/visits"), "Log out everywhere")
    assert other.get("/desk").status_code == 401
    assert office.browser().get(link).status_code == 410
    assert third.get("/desk").status_code == 200
    with session(office.engine) as opened:
        assert audit.was_done(opened, GM, "logout-everywhere")


def test_a_visit_ends_by_itself(office: Office) -> None:
    browser = office.browser(GM)
    for _ in range(5):  # as long as it is looked at, it goes on
        office.parlour.now += timedelta(days=5)
        assert browser.get("/desk").status_code == 200
    office.parlour.now += timedelta(days=6)
    assert browser.get("/desk").status_code == 401, "no visit is longer than thirty days"
    browser = office.browser(GM)
    office.parlour.now += login.REST_LIFE + timedelta(minutes=1)
    assert browser.get("/desk").status_code == 401, "a browser that rests has to log in again"


def test_too_many_links_are_not_sent(office: Office) -> None:
    for _ in range(5):
        browser = office.browser()
        browser.press(browser.get("/login"), address=GM)
    assert len(mailed(office)) == login.MOST_LINKS


def test_too_many_questions_of_one_client_are_refused(office: Office) -> None:
    browser = office.browser()
    codes = [browser.press(browser.get("/login"), address=STRANGER).status_code for _ in range(12)]
    assert codes.count(429) == 2
    office.parlour.now += timedelta(minutes=11)
    assert browser.press(browser.get("/login"), address=STRANGER).status_code == 200


def test_cookies_are_kept_from_scripts_and_other_sites(office: Office) -> None:
    browser = office.browser()
    page = browser.get(office.link(GM))
    form = page.headers["set-cookie"]
    assert "HttpOnly" in form
    assert "SameSite=strict" in form
    action, fields = form_of(page.text)
    answer = browser.client.post(
        action, data=fields, headers={"origin": ORIGIN}, follow_redirects=False
    )
    visit = answer.headers["set-cookie"]
    assert "HttpOnly" in visit
    assert "SameSite=lax" in visit
    assert "Path=/" in visit
    assert "Secure" not in visit


def test_behind_https_cookies_are_secure_and_bound_to_the_host(office: Office) -> None:
    house = replace(office.parlour.house, public_url="https://games.example.org")
    service = replace(office.service, house=house)
    client = TestClient(make_app(Site("1", {}, None, service)), base_url=house.public_url)
    page = client.get(office.link(GM))
    action, fields = form_of(page.text)
    answer = client.post(
        action, data=fields, headers={"origin": house.public_url}, follow_redirects=False
    )
    for cookie in (*page.headers.get_list("set-cookie"), *answer.headers.get_list("set-cookie")):
        assert cookie.startswith("__Host-pbem")
        assert "Secure" in cookie
        assert "Path=/" in cookie
        assert "Domain" not in cookie


@pytest.fixture
def master(office: Office) -> Browser:
    return office.browser(OWNER)


POSTS = ("/logout", "/you/language", "/desk/games/g1/acts/pause", "/desk/health/release")


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(
    ("token", "origin"),
    [
        ("right", "http://evil.example"),
        ("right", "null"),
        ("right", ""),
        ("wrong", ORIGIN),
        ("", ORIGIN),
    ],
)
def test_a_form_of_others_does_nothing(
    master: Browser, office: Office, path: str, token: str, origin: str
) -> None:
    right = form_of(master.get("/you/visits").text)[1]["form_token"]
    fields = {"form_token": right if token == "right" else token, "version": "1"}
    before = office.parlour.step()
    answer = master.client.post(path, data=fields, headers={"origin": origin} if origin else {})
    assert answer.status_code == 403
    assert master.get("/desk").status_code == 200
    assert office.parlour.step() == before


def test_a_token_belongs_to_one_browser(office: Office, master: Browser) -> None:
    other = office.browser(OWNER)
    taken = form_of(other.get("/you/visits").text)[1]["form_token"]
    assert master.post("/logout", {"form_token": taken}).status_code == 403


@pytest.mark.parametrize("path", ["/desk", "/login", "/you"])
def test_a_foreign_name_is_not_ours(master: Browser, path: str) -> None:
    answer = master.get(path, headers={"host": "attacker.example:8000"})
    assert answer.status_code == 403
    assert OWNER not in answer.text


def test_pages_take_scripts_from_our_files_only(master: Browser) -> None:
    headers = master.get("/desk").headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["cache-control"] == "no-store"
    assert headers["x-frame-options"] == "DENY"
    page = master.page("/desk")
    assert page.css("script:not([src])") == []
    assert page.css("[style], [onclick], [onload], style") == []


def test_static_files_are_kept_for_ever_under_the_name_of_their_content(master: Browser) -> None:
    for node in master.page("/desk").css("script[src], link[href]"):
        address = node.attributes.get("src") or node.attributes["href"]
        answer = master.get(str(address))
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert master.get("/static/nothing.js").status_code == 404


def test_a_link_printed_on_the_machine_opens_for_known_addresses_only(office: Office) -> None:
    service: Service = office.service
    with session(office.engine) as opened:
        assert login.known(opened, service.house, OWNER.upper().replace("@EX", "@ex")) == OWNER
        assert login.known(opened, service.house, STRANGER) is None
