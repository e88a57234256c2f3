"""What nobody at the desk may see before the players are told: hands, missions, open links."""

import re
from dataclasses import replace

import pytest

from pbem.judge.acts import consent, form
from pbem.judge.acts.board import SetCards
from pbem.rules import fair, notation
from pbem.rules.card import Card
from pbem.rules.seat import Seat
from pbem.store import audit, consents, games
from pbem.store.engine import session
from pbem.store.tables import Consent
from tests.web.office import PEOPLE, Browser, Office
from tests.web.test_roles import TABLE

SYMBOLS = re.compile(r"\b(soldier|horse|cannon|wild card|infantry|cavalry|artillery)s?\b", re.I)
OPTION = "What a wild card completes"
"""The name of an option, on the page of the rules."""

MISSION = "asia-south-america"
MISSION_WORDS = re.compile(rf"{MISSION}|Asia and South America")

PAGES = sorted(
    path.format(public_id="g1", name="pause", number=1, address=PEOPLE["player"])
    for method, path in ((m, p.replace(":path", "")) for m, p in TABLE)
    if method == "GET"
    and path.startswith(("/desk", "/games/g1/rematch"))
    and not path.endswith(("/events", "/hands", "/done/{number}"))
)


def hide(office: Office) -> str:
    """Give Anna cards and a mission; the secret of the link that is open."""
    with session(office.engine) as opened:
        game = games.lock(opened, 1)
        state = notation.state_from_json(game.state)
        hands = {**state.hands, Seat("A"): tuple(map(Card, ("EGY", "PRU", "WILD")))}
        state = replace(state, hands=hands, missions={Seat("A"): MISSION})
        games.save(
            opened,
            game,
            notation.state_to_json(state),
            phase=state.phase,
            turn=state.turn,
            on_turn=None,
        )
        return fair.link_secret(game.chain_last, max(state.link, 1)).hex()


def ask_for_cards(office: Office, of: str, asked_of: tuple[str, str]) -> int:
    """The number of a question whether Anna may be given other cards, as she was once before."""
    act = SetCards("A", ("EGY", "WILD"))
    told = {"fields": dict(consent.openly(act)), "board": []}
    asked = Consent(
        game_id=1,
        who=PEOPLE["gm"],
        of=of,
        act=act.name,
        fields=form.texts(act),
        told=told,
        position_hash="",
        asked_at=office.now,
        lapses_at=office.now + consent.PATIENCE,
    )
    fields = {"fields": form.texts(act)}
    with session(office.engine) as opened:
        audit.record(opened, office.now, who=PEOPLE["gm"], what=act.name, game_id=1, detail=fields)
        return consents.ask(opened, asked, [asked_of]).id


@pytest.mark.parametrize("role", ["owner", "gm", "host", "deputy", "auditor"])
def test_no_page_of_the_desk_tells_of_hands(office: Office, role: str) -> None:
    secret = hide(office)
    office.stray("end")
    number = ask_for_cards(office, consent.MASTERS, (PEOPLE["owner"], ""))
    assert f"/desk/games/g1/consents/{number}" in PAGES
    browser = office.browser(PEOPLE[role])
    shown = [browser.get(page) for page in PAGES]
    assert sum(answer.status_code == 200 for answer in shown) > 12
    for answer in shown:
        assert SYMBOLS.search(answer.text.replace(OPTION, "")) is None, answer.url
        assert "WILD" not in answer.text or answer.url.path.endswith("/acts/hand"), answer.url
        assert MISSION_WORDS.search(answer.text) is None, answer.url
        assert secret not in answer.text, answer.url


def test_a_player_whose_consent_is_asked_for_reads_of_cards_how_many_there_are(
    office: Office,
) -> None:
    hide(office)
    number = ask_for_cards(office, consent.PLAYERS, (PEOPLE["host"], "B"))
    browser = office.browser(PEOPLE["host"])
    for path in (f"/games/g1/consents/{number}", "/games/g1"):
        page = browser.get(path).text
        assert "another hand of 2 cards" in page
        assert "WILD" not in page
        assert SYMBOLS.search(page) is None


def test_what_is_given_out_of_a_player_tells_of_no_hand(office: Office) -> None:
    secret = hide(office)
    office.stray("trade soldier soldier soldier")
    browser = office.browser(PEOPLE["owner"])
    kept = browser.press(browser.get(f"/desk/people/{PEOPLE['player']}"), "Download").text
    assert SYMBOLS.search(kept) is None
    assert MISSION_WORDS.search(kept) is None
    assert secret not in kept


def test_the_marks_are_looked_for_in_the_right_place(office: Office) -> None:
    hide(office)
    browser: Browser = office.browser(PEOPLE["gm"])
    opened = browser.press(browser.get("/desk/games/g1/hands"), "Tell them", reason="a complaint")
    assert SYMBOLS.search(opened.text) is not None
    assert MISSION_WORDS.search(opened.text) is not None
