"""A player's word on what the game master wants to do, given on the page of the game."""

import pytest

from pbem.store import audit, consents, games
from pbem.store.engine import session
from pbem.store.tables import ConsentStatus
from tests.judge.parlour import ANNA, BERTA
from tests.web.office import CARLA, GM, OWNER, Office
from tests.web.test_desk import words

DEED = "End the game: Red (Anna) wins"


def test_a_player_is_asked_on_the_board_and_the_last_word_that_is_needed_does_it(
    office: Office,
) -> None:
    number = office.asked("players")
    anna, carla = office.browser(ANNA), office.browser(CARLA)
    assert f"Your consent is asked for: {DEED}" in words(anna.get("/games/g1"))
    page = anna.get(f"/games/g1/consents/{number}")
    assert DEED in words(page)
    assert "&lt;i&gt;too long" in page.text
    assert GM not in page.text
    said = anna.press(page, "I do not agree")
    assert "You do not agree. This counts until you give another answer." in words(said)
    assert DEED not in words(anna.get("/games/g1"))
    assert "You agree." in words(anna.press(said, "I agree"))
    done = carla.press(carla.get(f"/games/g1/consents/{number}"), "I agree")
    assert "It was agreed to, and it is done." in words(done)
    assert "I agree" not in done.text
    with session(office.engine) as opened:
        game = games.find(opened, 1)
        lines = [(line.who, line.what) for line in audit.of_game(opened, 1)][-5:]
    assert game is not None
    assert game.over_at == office.now
    assert lines == [
        (GM, "consent-asked"),
        (ANNA, "consent-no"),
        (ANNA, "consent-yes"),
        (CARLA, "consent-yes"),
        (GM, "end"),
    ]
    assert ("orders.apply", 1) in office.hinted


def test_a_word_that_comes_too_late_does_nothing(office: Office) -> None:
    number = office.asked("players")
    anna = office.browser(ANNA)
    page = anna.get(f"/games/g1/consents/{number}")
    with session(office.engine) as opened:
        found = consents.find(opened, number)
        assert found is not None
        found.lapses_at = office.now
        opened.add(found)
    late = anna.press(page, "I agree")
    assert "It has lapsed, and is not done." in words(late)
    with session(office.engine) as opened:
        (voice, *_) = consents.voices(opened, number)
        status = consents.find(opened, number).status  # type: ignore[union-attr]  # found above
    assert (voice.agrees, status) == (None, ConsentStatus.LAPSED)


@pytest.mark.parametrize("address", [GM, OWNER, None])
def test_who_has_no_seat_is_not_asked_here(office: Office, address: str | None) -> None:
    number = office.asked("players")
    answer = office.browser(address).get(f"/games/g1/consents/{number}")
    assert answer.status_code in (401, 404)


def test_a_question_to_game_masters_is_not_for_a_seat_and_a_bad_word_is_none(
    office: Office,
) -> None:
    number = office.asked()
    berta = office.browser(BERTA)
    assert berta.get(f"/games/g1/consents/{number}").status_code == 404
    asked = berta.get(f"/games/g1/consents/{office.asked('players')}")
    assert berta.press(asked, "I agree", word="perhaps").status_code == 422
