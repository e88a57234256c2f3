"""The lobby as a page: what strangers see, how a seat is taken, how a game is made."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.judge import keys
from pbem.mail import inbound
from pbem.rules.board import CLASSIC
from pbem.store import games
from pbem.store.engine import session
from tests.judge.parlour import ANNA
from tests.judge.test_lobby_mail import open_game, seats_of
from tests.web.office import OWNER, Browser, Office, open_office


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with open_office(tmp_path) as opened:
        yield opened
    inbound._sandbox.close()


def send(browser: Browser, path: str, **fields: str) -> tuple[int, str]:
    """A form of ours, filled in and sent; the status and where it leads."""
    token = browser.page("/login").css_first("input[name=form_token]")
    assert token is not None
    data = {**fields, "form_token": token.attributes["value"] or ""}
    headers = {"origin": "http://127.0.0.1:8000"}
    answer = browser.client.post(path, data=data, headers=headers, follow_redirects=False)
    return answer.status_code, answer.headers.get("location", answer.text)


def test_strangers_see_listed_games_and_no_names(office: Office) -> None:
    waiting = open_game(office.parlour, f"red=Anna <{ANNA}>", "green=open", "blue=open")
    hidden = open_game(
        office.parlour, "red=open", "green=open", "blue=open", chosen={"listed": "no"}
    )
    page = office.browser().client.get("/games").text
    assert f'id="{waiting}"' in page
    assert f'id="{hidden}"' not in page
    assert "Anna" not in page
    assert "a turn may take 2 days" in page


def test_a_seat_is_taken_with_one_form(office: Office) -> None:
    game = open_game(office.parlour, "red=computer", "green=open", "blue=open")
    browser = office.browser(OWNER)
    sent = send(browser, f"/games/{game}/join", colour="blue", name="Olga", luck="mango")
    assert sent == (303, f"/games/{game}")
    assert seats_of(office.parlour, game)["blue"][0] == OWNER
    office.parlour.play()
    (joined,) = office.parlour.letters(kind="joined", to=OWNER)
    assert joined["In-Reply-To"] is None
    assert game in browser.client.get("/games").text.partition("wait for players")[0]


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"colour": "red"}, "taken"),
        ({"colour": "green", "luck": "two words"}, "luck"),
    ],
)
def test_what_does_not_do_is_said(office: Office, fields: dict[str, str], problem: str) -> None:
    game = open_game(office.parlour, "red=computer", "green=open", "blue=open")
    browser = office.browser(OWNER)
    sent = send(browser, f"/games/{game}/join", **fields)
    assert sent == (303, f"/games?problem={problem}&game={game}")
    assert 'role="alert"' in browser.client.get(sent[1]).text
    assert OWNER not in [held for held, _ in seats_of(office.parlour, game).values()]


def test_a_game_that_is_not_for_all_is_as_none(office: Office) -> None:
    browser = office.browser(OWNER)
    assert send(browser, "/games/g1/join")[1] == "/games?problem=no-game&game=g1"
    assert send(browser, "/games/g99/join")[1] == "/games?problem=no-game&game=g99"


def test_a_problem_in_the_address_is_never_shown_as_it_stands(office: Office) -> None:
    page = office.browser().client.get("/games?problem=<b>x&game=<script>").text
    assert "<script>" not in page.replace("<script defer", "")
    assert "<b>x" not in page


def test_a_game_is_made_with_a_form(office: Office) -> None:
    browser = office.browser(OWNER)
    fields = {
        "ruleset": "classic-1993",
        "board": CLASSIC,
        "language": "it",
        "pace": "72h",
        "listed": "yes",
        "fortify": "adjacent",
        "seat.red": OWNER,
        "seat.blue": "Bruno <bruno@x.example>:nl",
        "seat.green": "open",
    }
    status, where = send(browser, "/games/new", **fields)
    assert (status, where) == (303, "/games/made/g2")
    page = browser.client.get(where).text
    assert "bruno@x.example" in page
    office.parlour.play()
    assert len(office.parlour.letters(kind="invitation", to="bruno@x.example")) == 1
    with session(office.engine) as opened:
        game = games.find(opened, 2)
        assert game is not None
        assert (game.options["pace"], game.listed, game.language) == (72 * 3600, True, "it")
    assert office.browser(ANNA).client.get(where).status_code == 404


def test_mistakes_stand_at_their_fields_and_nothing_is_made(office: Office) -> None:
    browser = office.browser(OWNER)
    fields = {"ruleset": "classic-1993", "language": "en", "pace": "soon", "seat.red": "nobody"}
    status, page = send(browser, "/games/new", **fields)
    assert status == 422
    assert 'id="wrong-seat.red"' in page
    assert 'value="soon"' in page
    fields |= {"seat.red": "computer", "seat.blue": "computer", "seat.green": "computer"}
    status, page = send(browser, "/games/new", **fields)
    assert status == 422
    assert 'id="wrong-pace"' in page
    with session(office.engine) as opened:
        assert games.find(opened, 2) is None


def test_in_an_open_house_a_player_makes_games_and_looks_after_them(office: Office) -> None:
    assert office.browser(ANNA).client.get("/games/new").status_code == 403
    office.parlour.house = replace(office.parlour.house, is_open=True)
    office.__dict__.pop("app", None)
    browser = office.browser(ANNA)
    fields = {"ruleset": "classic-1993", "language": "en", "pace": "48h"}
    fields |= {"seat.red": ANNA, "seat.blue": "open", "seat.green": "open"}
    for number in (2, 3, 4):
        assert send(browser, "/games/new", **fields)[1] == f"/games/made/g{number}"
    assert send(browser, "/games/new", **fields)[0] == 403
    assert browser.client.get("/desk/games/g2").status_code == 200


def test_a_key_is_shown_once_and_taken_back(office: Office) -> None:
    browser = office.browser(ANNA)
    status, page = send(browser, "/you/keys", name="<b>bot")
    assert status == 200
    given = page.partition(keys.PREFIX)[2].partition("<")[0]
    header = {"authorization": f"Bearer {keys.PREFIX}{given}"}
    assert office.browser().client.get("/api/games/g1", headers=header).status_code == 200
    shown = browser.client.get("/you/keys").text
    assert given not in shown
    assert "<b>bot" not in shown
    with session(office.engine) as opened:
        (held,) = keys.of(opened, ANNA)
    assert send(office.browser(OWNER), f"/you/keys/{held.id}/revoke")[0] == 303
    assert office.browser().client.get("/api/games/g1", headers=header).status_code == 200
    send(browser, f"/you/keys/{held.id}/revoke")
    assert office.browser().client.get("/api/games/g1", headers=header).status_code == 401


def test_nobody_sits_down_without_a_form_of_ours(office: Office) -> None:
    game = open_game(office.parlour, "red=computer", "green=open", "blue=open")
    browser = office.browser(OWNER)
    answer = browser.client.post(f"/games/{game}/join", data={"colour": "blue"})
    assert answer.status_code == 403
    assert seats_of(office.parlour, game)["blue"][0] is None
