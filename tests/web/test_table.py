"""A game at the table: players see it from their seats, others only what the game allows them."""

import re
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from pbem.judge import atlas, deadline
from pbem.mail import address
from pbem.rules import notation
from pbem.rules.position import Phase
from pbem.rules.seat import Seat
from pbem.store import games
from pbem.store.engine import session
from tests.judge.parlour import ANNA, BERTA
from tests.web.office import CARLA, GM, STRANGER, Browser, Office

HOLDERS = {"A": ANNA, "B": BERTA, "C": CARLA}


def run_out(office: Office, times: int = 1) -> None:
    """The time of the setup, then of turns, passes; the clock plays for whoever is late."""
    for _ in range(times):
        with session(office.engine) as opened:
            game = games.lock(opened, 1)
            assert game.deadline is not None
            deadline.fall_due(opened, game)
            office.parlour.now = game.deadline + deadline.SETTLING
        office.parlour.play()


def allow(office: Office, spectators: str) -> None:
    with session(office.engine) as opened:
        game = games.lock(opened, 1)
        game.options = {**game.options, "spectators": spectators}
        opened.add(game)


def give_hand(office: Office, letter: str, *codes: str) -> None:
    """Put cards into a seat's hand, to look for them on every page."""
    with session(office.engine) as opened:
        game = games.lock(opened, 1)
        game.state = {**game.state, "hands": {**game.state["hands"], letter: list(codes)}}
        opened.add(game)


def marks(page: str) -> list[tuple[str, str]]:
    """The armies on the map, as they stand in its marks."""
    mark = re.compile(r'class="mark".*?<text[^>]*>(\w)</text><text[^>]*>(\d+)</text>', re.S)
    return [(found[1], found[2]) for found in mark.finditer(page)]


@pytest.fixture
def anna(office: Office) -> Browser:
    run_out(office)
    return office.browser(ANNA)


def test_a_player_sees_the_board_and_the_own_hand(office: Office, anna: Browser) -> None:
    give_hand(office, "A", "EGY", "PRU")
    page = anna.page("/games/g1")
    assert len(marks(page.html or "")) == 42
    own = page.css_first("section[aria-labelledby=own]")
    assert own is not None
    assert "Egypt" in own.text()


def test_nobody_sees_the_hand_of_another(office: Office, anna: Browser) -> None:
    give_hand(office, "B", "MDG", "WILD")
    allow(office, "yes")
    for browser in (anna, office.browser(), office.browser(GM), office.browser(STRANGER)):
        for path in ("", "/story", "/dice", "/record.txt"):
            answer = browser.get(f"/games/g1{path}")
            assert answer.status_code == 200, path
            # The territory stands on the board; its symbol and the word for a card do not.
            assert not re.search("soldier|horse|cannon|wild", answer.text, re.I), path


@pytest.mark.parametrize("path", ["", "/story", "/dice", "/record.txt", "/letters", "/check"])
def test_a_closed_game_is_for_its_players_and_its_desk(office: Office, path: str) -> None:
    assert office.browser().get(f"/games/g1{path}").status_code == 401
    assert office.browser(STRANGER).get(f"/games/g1{path}").status_code == 404
    assert office.browser(STRANGER).get(f"/games/g99{path}").status_code == 404
    seated = path in ("/letters", "/check")
    assert office.browser(GM).get(f"/games/g1{path}").status_code == (404 if seated else 200)


def test_whoever_likes_may_watch_an_open_game(office: Office) -> None:
    run_out(office)
    allow(office, "yes")
    page = office.browser().get("/games/g1")
    assert page.status_code == 200
    assert "Only you see this" not in page.text
    assert office.browser().get("/games/g1/letters").status_code == 404


def test_a_delayed_game_is_shown_a_turn_later(office: Office) -> None:
    allow(office, "delayed")
    watcher = office.browser()
    assert watcher.get("/games/g1").status_code == 404  # nothing is closed yet
    run_out(office, 3)  # the setup, turns 1 and 2
    page = watcher.page("/games/g1")
    shown = [int(option.attributes["value"] or "-1") for option in page.css("#turn option")]
    assert shown == [1, 0]
    story = watcher.get("/games/g1/story").text
    assert "Turn 1" in story
    assert "Turn 2" not in story
    assert watcher.get("/games/g1/record.txt").status_code == 404
    assert watcher.get("/games/g1?turn=2").text.count('class="mark"') == 42
    assert marks(watcher.get("/games/g1?turn=2").text) == marks(page.html or "")


def test_the_board_of_each_closed_turn_can_be_seen_again(office: Office, anna: Browser) -> None:
    before = marks(anna.get("/games/g1").text)
    run_out(office)
    assert marks(anna.get("/games/g1").text) != before
    assert marks(anna.get("/games/g1?turn=0").text) == before
    page = anna.page("/games/g1?turn=0&close=europe")
    svg = page.css_first("svg.map")
    assert svg is not None
    assert svg.attributes["viewBox"] != "0 0 1200 664"
    later = page.css_first("a[rel=next]")
    assert later is not None
    assert "close=europe" in (later.attributes["href"] or "")


def test_a_game_that_ended_without_a_winner_is_over(office: Office, anna: Browser) -> None:
    with session(office.engine) as opened:
        game = games.lock(opened, 1)
        state = replace(atlas.state_of(opened, game), phase=Phase.OVER)
        game.state, game.phase = notation.state_to_json(state), state.phase
        game.over_at = office.now
        opened.add(game)
    page = anna.page("/games/g1")
    assert page.css_first("h1").text() == "The game is over"  # type: ignore[union-attr]
    assert "on turn" not in page.css_first("table").text()  # type: ignore[union-attr]


def test_what_is_asked_for_wrongly_is_the_newest_board(anna: Browser) -> None:
    assert marks(anna.get("/games/g1?turn=77&close=mars").text) == marks(anna.get("/games/g1").text)


def test_who_holds_two_seats_chooses_one(office: Office) -> None:
    with session(office.engine) as opened:
        seat = games.seat(opened, 1, "C")
        assert seat is not None
        seat.address = ANNA
        opened.add(seat)
    run_out(office)
    give_hand(office, "C", "EGY")
    anna = office.browser(ANNA)
    assert "Egypt" not in _own(anna.page("/games/g1"))
    assert "Egypt" in _own(anna.page("/games/g1?seat=C"))
    assert "Egypt" not in _own(anna.page("/games/g1?seat=B"))


def test_letters_are_those_that_were_sent_to_the_player(office: Office, anna: Browser) -> None:
    links = [a.attributes["href"] or "" for a in anna.page("/games/g1/letters").css(".rows a")]
    assert links
    letter = anna.page(links[0])
    frame = letter.css_first("iframe")
    assert frame is not None
    part = anna.get(frame.attributes["src"] or "")
    assert "sandbox" in part.headers["content-security-policy"]
    assert "Anna" in anna.get(f"{links[0]}?text=1").text
    berta = office.browser(BERTA)
    assert berta.get(links[0]).status_code == 404
    assert berta.get(f"{links[0]}/page").status_code == 404


def test_orders_are_checked_and_nothing_is_played(office: Office, anna: Browser) -> None:
    on_turn = _on_turn(office)
    player = office.browser(HOLDERS[on_turn])
    before = office.parlour.step()
    mine = _land_of(office, on_turn)
    answer = player.press(player.get("/games/g1/check"), text=f"place the rest in {mine}\nend")
    assert answer.status_code == 200
    assert "Understood without trouble" in answer.text
    assert office.parlour.step() == before
    link = player_link(answer.text)
    assert address.parse(link.path) is not None
    assert parse_qs(link.query)["body"] == [f"place the rest in {mine}\r\nend"]


def test_a_mistake_is_shown_with_its_corrected_text(office: Office, anna: Browser) -> None:
    player = office.browser(HOLDERS[_on_turn(office)])
    answer = player.press(player.get("/games/g1/check"), text="plcae the rest in <script>Idnai")
    assert "Please mend" in answer.text
    assert "<script>Idnai" not in answer.text


def test_a_text_that_is_too_long_is_not_checked(anna: Browser) -> None:
    answer = anna.press(anna.get("/games/g1/check"), text="place 1 in Siam\n" * 1000)
    assert answer.status_code == 413


def test_orders_are_checked_so_often_and_no_more(anna: Browser) -> None:
    page = anna.get("/games/g1/check")
    codes = [anna.press(page, text="end").status_code for _ in range(21)]
    assert codes == [200] * 20 + [429]


def test_the_checker_takes_no_form_of_another_site(anna: Browser) -> None:
    answer = anna.post("/games/g1/check", {"text": "end"})
    assert answer.status_code == 403


def player_link(page: str) -> Any:
    found = re.search(r'href="(mailto:[^"]+)"', page)
    assert found is not None
    return urlsplit(found[1].replace("&amp;", "&"))


def _own(page: Any) -> str:
    return str(page.css_first("section[aria-labelledby=own]").text())


def _on_turn(office: Office) -> str:
    with session(office.engine) as opened:
        game = games.find(opened, 1)
    assert game is not None
    assert game.on_turn is not None
    return game.on_turn


def _land_of(office: Office, letter: str) -> str:
    with session(office.engine) as opened:
        game = games.find(opened, 1)
        assert game is not None
        return atlas.state_of(opened, game).held(Seat(letter))[0]
