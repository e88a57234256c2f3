"""A rematch on a page: the same people are asked with one button, and once."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.judge.options import Options
from pbem.mail import inbound
from pbem.store import appointments, games
from pbem.store.engine import session
from tests.judge.parlour import ANNA, BERTA
from tests.web.office import (
    AUDITOR,
    CARLA,
    DEPUTY,
    GM,
    STRANGER,
    Browser,
    Office,
    open_office,
)

PAGE = "/games/g1/rematch"


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with open_office(tmp_path) as opened:
        with session(opened.engine) as db:
            game = games.lock(db, 1)
            game.over_at = opened.now
            db.add(game)
        yield opened
    inbound._sandbox.close()


def seats(office: Office, game_id: int) -> list[tuple[str, str | None]]:
    with session(office.engine) as opened:
        return [(seat.colour, seat.address) for seat in games.seats(opened, game_id)]


@pytest.mark.parametrize("address", [BERTA, DEPUTY])
def test_who_looks_after_a_game_asks_its_people_again(office: Office, address: str) -> None:
    browser = office.browser(address)
    assert PAGE in browser.get("/desk/games/g1").text
    answer = browser.press(browser.get(PAGE), "Make it")
    assert answer.url.path == "/games/made/g2"
    assert ANNA in answer.text
    first, *others = seats(office, 1)
    assert seats(office, 2) == [*others, first]
    with session(office.engine) as opened:
        old, new = games.find(opened, 1), games.find(opened, 2)
        assert old is not None
        assert new is not None
        assert Options.from_json(old.options) == Options.from_json(new.options)
        held = [[(h.address, h.office) for h in appointments.of_game(opened, n)] for n in (1, 2)]
    assert held[0] == held[1]
    office.parlour.play()
    for person in (ANNA, BERTA, CARLA):
        assert len(office.parlour.letters(kind="invitation", to=person)) == 1


def test_of_two_who_press_the_button_one_makes_the_game(office: Office) -> None:
    gino, berta = office.browser(GM), office.browser(BERTA)
    page = berta.get(PAGE)
    gino.press(gino.get(PAGE), "Make it")
    answer = berta.press(page, "Make it")
    assert "asked to play g2" in answer.text
    with session(office.engine) as opened:
        assert len(games.listing(opened)) == 2


def test_players_ask_where_players_may_make_games(office: Office) -> None:
    assert office.browser(ANNA).get(PAGE).status_code == 403
    assert PAGE not in office.browser(ANNA).get("/games/g1").text
    anna = opened_house(office)
    assert PAGE in anna.get("/games/g1").text
    page = anna.get(PAGE)
    assert CARLA not in page.text
    answer = anna.press(page, "Make it")
    assert answer.url.path == "/games/g2"
    assert CARLA not in answer.text
    assert anna.get("/desk/games/g2").status_code == 404
    assert anna.get("/games/made/g2").status_code == 404
    with session(office.engine) as opened:
        assert appointments.of_game(opened, 2)


def opened_house(office: Office) -> Browser:
    office.parlour.house = replace(office.parlour.house, is_open=True)
    office.__dict__.pop("app", None)
    return office.browser(ANNA)


def test_others_learn_nothing(office: Office) -> None:
    assert office.browser(AUDITOR).get(PAGE).status_code == 403
    assert office.browser(STRANGER).get(PAGE).status_code == 404
    assert office.browser(GM).get("/games/g77/rematch").status_code == 404


def test_a_game_that_runs_has_no_rematch(office: Office) -> None:
    with session(office.engine) as opened:
        game = games.lock(opened, 1)
        game.over_at = None
        opened.add(game)
    gino = office.browser(GM)
    page = gino.get("/desk/games/g1")
    token = gino.page("/login").css_first("input[name=form_token]")
    assert token is not None
    assert PAGE not in page.text
    gino.post(PAGE, {"form_token": token.attributes["value"] or ""})
    with session(office.engine) as opened:
        assert len(games.listing(opened)) == 1
