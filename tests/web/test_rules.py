"""The page of the rules, which letters link to."""

import re

from fastapi.testclient import TestClient

from pbem.render.rulebook import rule_behind


def test_it_has_a_place_for_every_rule_that_a_letter_names(browser: TestClient) -> None:
    page = browser.get("/rules").text
    places = re.findall(r' id="([^"]+)"', page)
    assert len(places) == len(set(places))
    assert {*rule_behind().values()} <= {*places}


def test_its_own_links_lead_somewhere(browser: TestClient) -> None:
    page = browser.get("/rules").text
    targets = re.findall(r'href="#([^"]+)"', page)
    assert len(targets) > 20
    assert {*targets} <= {*re.findall(r' id="([^"]+)"', page)}


def test_it_says_in_which_language_it_is(browser: TestClient) -> None:
    page = browser.get("/rules", headers={"accept-language": "it"}).text
    assert '<html lang="it">' in page
    assert '<div lang="en">' in page
    assert "in inglese" in page


def test_everybody_may_read_it(stranger: TestClient) -> None:
    assert stranger.get("/rules").status_code == 200
