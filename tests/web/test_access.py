"""Who gets into the mailbox, and who does not."""

from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from pbem.settings import Listen, StartError
from pbem.web.app import make_app
from pbem.web.key import mailbox_key, mailbox_url
from pbem.web.site import Site
from tests.web.house import ANNA, KEY, House, open_house

PAGES = ("/mailbox", f"/mailbox/people/{ANNA}", "/mailbox/letters/1", "/mailbox/letters/1/page")


def test_the_key_is_swapped_for_a_cookie_and_leaves_the_address(stranger: TestClient) -> None:
    answer = stranger.get("/mailbox", params={"key": KEY}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/mailbox")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert KEY not in cookie


@pytest.mark.parametrize("page", [*PAGES, "/mailbox/mails/1", "/mailbox/letters/1/source"])
def test_without_the_key_no_page_is_shown(stranger: TestClient, house: House, page: str) -> None:
    house.write()
    answer = stranger.get(page)
    assert answer.status_code == 403
    assert ANNA not in answer.text


@pytest.mark.parametrize("key", ["", "wrong", "the-right-kez", "schlüssel"])
def test_a_wrong_key_is_refused_without_a_cookie(stranger: TestClient, key: str) -> None:
    answer = stranger.get("/mailbox", params={"key": key})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("forged", ["", ".", "a.b", "nonce." + "0" * 64, "ä.ö"])
def test_a_made_up_cookie_opens_nothing(stranger: TestClient, forged: str) -> None:
    header = {b"cookie": f"pbem_visit_8000={forged}".encode()}
    assert stranger.get("/mailbox", headers=header).status_code == 403


def test_a_cookie_of_another_installation_opens_nothing(browser: TestClient, house: House) -> None:
    site = Site("1", {}, replace(house.mailbox(), key="another-key"))
    other = TestClient(make_app(site), base_url="http://127.0.0.1:8000", cookies=browser.cookies)
    assert other.get("/mailbox").status_code == 403


def test_a_right_cookie_by_a_foreign_name_opens_nothing(browser: TestClient) -> None:
    """As after a name of the attacker's was pointed at 127.0.0.1."""
    answer = browser.get("/mailbox", headers={"host": "attacker.example:8000"})
    assert answer.status_code == 403


@pytest.mark.parametrize("name", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_our_own_names_are_known(browser: TestClient, name: str) -> None:
    cookie = "; ".join(f"{one.name}={one.value}" for one in browser.cookies.jar)
    assert browser.get("/mailbox", headers={"host": name, "cookie": cookie}).status_code == 200


def test_without_a_mailbox_its_address_says_when_there_is_one() -> None:
    client = TestClient(make_app(Site(version="1.2.3", checks={})))
    answer = client.get("/mailbox", params={"key": KEY})
    assert answer.status_code == 404
    assert "PBEM_RELAY_URL=mailbox" in answer.text


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7"])
def test_a_mailbox_on_an_open_address_does_not_start(tmp_path: Path, host: str) -> None:
    with (
        open_house(tmp_path, http=Listen(host, 8000)) as house,
        pytest.raises(StartError, match="PBEM_HTTP_LISTEN") as refused,
    ):
        house.app()
    assert len(str(refused.value).splitlines()) == 1


def test_the_link_holds_a_key_that_the_secret_alone_decides() -> None:
    key = mailbox_key("secret")
    assert mailbox_url("http://127.0.0.1:8000", "secret") == (
        f"http://127.0.0.1:8000/mailbox?key={key}"
    )
    assert key == mailbox_key("secret") != mailbox_key("secreu")
    assert len(key) >= 22


def test_the_index_names_the_version_and_the_mailbox_but_no_key(stranger: TestClient) -> None:
    page = stranger.get("/").text
    assert "1.2.3" in page
    assert 'href="/mailbox"' in page
    assert KEY not in page


def test_every_page_forbids_scripts_frames_and_copies(browser: TestClient, house: House) -> None:
    house.write()
    for page in ("/", "/mailbox", "/mailbox/letters/1", "/nowhere", "/mailbox/letters/99"):
        headers = browser.get(page).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "script-src" not in policy
        assert "unsafe" not in policy
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
