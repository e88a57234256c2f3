"""Letters that say how to stop them, and what becomes of it."""

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message

import pytest
from fastapi.testclient import TestClient

from pbem.judge import standing
from pbem.judge.post import Recipe
from pbem.judge.progress import Progress
from pbem.mail import errand
from pbem.mail.signing import Signer
from pbem.settings import Listen
from pbem.store import games, tables
from pbem.store.engine import open_reader, session
from pbem.store.tables import InboxStatus
from pbem.web.app import make_app
from pbem.web.site import Service, Site
from tests.judge.conftest import OpenParlour
from tests.judge.parlour import ANNA, BERTA, DOMAIN, Parlour, kinds, mail, words_of
from tests.mail.forge import key

_LIST = re.compile(r"<(?P<page>http[^>]*)>, <mailto:(?P<mail>[^>]*)>")


@pytest.fixture
def house(parlour: OpenParlour) -> Parlour:
    opened = parlour(proofs=False)
    opened.play()
    return opened


@pytest.fixture
def browser(house: Parlour) -> Iterator[TestClient]:
    """A browser before the pages of the house, in Italian."""
    reader = open_reader(str(house.engine.url))
    service = Service(
        house=house.house,
        engine=house.engine,
        reader=reader,
        hint=lambda *_: None,
        http=Listen("127.0.0.1", 8000),
        clock=lambda: house.now,
    )
    app = make_app(Site("1", {}, service=service))
    with TestClient(app, base_url=house.house.public_url) as client:
        client.headers["accept-language"] = "it"
        yield client
    reader.dispose()


def tell(house: Parlour, kind: str, **facts: object) -> Message:
    """A letter to Anna that nobody asked for."""
    number = len(house.letters())
    with session(house.engine) as opened:
        game = games.lock(opened, house.game_id)
        progress = Progress(opened, house.house, game, house.now, None)
        progress.tell(Recipe(kind, "A", f"t{number}", facts))
        progress.close()
    house.play()
    return house.letters(to=ANNA)[-1]


def press(house: Parlour) -> Message:
    return tell(house, "press", sender="B", to=[], text="hello")


def ways(letter: Message) -> tuple[str, str]:
    """The page and the address that stop such letters."""
    found = _LIST.fullmatch(re.sub(r"\s+", " ", letter["List-Unsubscribe"]))
    assert found is not None
    return found["page"], found["mail"]


def seat(house: Parlour, letter: str = "A") -> tables.Seat:
    with session(house.engine) as opened:
        found = games.seat(opened, house.game_id, letter)
    assert found is not None
    return found


def test_news_and_calls_say_how_to_stop_them_and_answers_do_not(house: Parlour) -> None:
    house.bring(mail("board"), house.address())
    house.bring(mail("board", sender="who@rival.example"), house.address())
    call, news = house.letters(to=ANNA, kind="setup-call")[0], press(house)
    for letter, what in ((call, ".all."), (news, ".news.")):
        page, at = ways(letter)
        assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert what in page
        assert page.startswith(f"{house.house.public_url}/stop/")
        assert at.startswith("stop+")
    for kind in ("done", "confirm"):
        (letter,) = house.letters(to=ANNA, kind=kind)
        assert (letter["List-Unsubscribe"], letter["List-Unsubscribe-Post"]) == (None, None)


def test_the_token_gives_no_orders(house: Parlour) -> None:
    page, at = ways(press(house))
    named = errand.parse(at)
    assert named is not None
    assert named.tag not in house.address()
    turn = re.sub(r"\w{16}@", f"{named.tag}@", house.address())
    with pytest.raises(AssertionError, match=r"550 5\.1\.1"):
        house.bring(mail("board"), turn)
    assert page.endswith(named.token)


def test_looking_changes_nothing(house: Parlour, browser: TestClient) -> None:
    for letter in (press(house), house.letters(to=ANNA, kind="setup-call")[0]):
        before = seat(house)
        page = browser.get(ways(letter)[0])
        assert page.status_code == 200
        assert '<html lang="it">' in page.text
        assert '<form method="post">' in page.text
        assert "script" not in page.text
        assert browser.head(ways(letter)[0]).status_code in (200, 405)
        assert seat(house) == before


def test_a_click_on_news_stops_news_only(house: Parlour, browser: TestClient) -> None:
    page, _ = ways(press(house))
    for _ in range(2):
        answer = browser.post(page, data={"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
        assert "SET NEWS EACH" in answer.text
    held = standing.of(seat(house))
    assert (held.wants_news, held.values["REMIND"], held.quiet) == (False, "OFF", True)
    assert not held.silent
    before = len(house.letters(to=ANNA))
    with session(house.engine) as opened:
        progress = Progress(opened, house.house, games.lock(opened, house.game_id), house.now, None)
        progress.tell(Recipe("press", "A", "x", {"sender": "B", "to": [], "text": "hello"}))
        assert progress.close() == ()
    tell(house, "note", about="silenced", told={"seat": "B"})
    assert len(house.letters(to=ANNA)) == before + 1
    assert not house.letters(to="gm@example.org", kind="note")


def test_news_come_back_by_an_order(house: Parlour, browser: TestClient) -> None:
    browser.post(ways(press(house))[0])
    house.bring(mail("SET NEWS EACH\nSET REMIND ON"), house.address())
    held = standing.of(seat(house))
    assert (held.wants_news, held.values["REMIND"], held.quiet) == (True, "ON", False)


def test_a_click_on_a_call_stops_all_but_answers_and_the_gm_is_told_once(
    house: Parlour, browser: TestClient
) -> None:
    page, _ = ways(house.letters(to=ANNA, kind="setup-call")[0])
    for _ in range(2):
        assert browser.post(page, data={"List-Unsubscribe": "One-Click"}).status_code == 200
        house.play()
    assert standing.of(seat(house)).silent
    assert seat(house).address == ANNA
    told = house.letters(to="gm@example.org", kind="note")
    assert len(told) == 1
    assert "no more letters" in words_of(told[0])
    house.bring(mail("board"), house.address())
    assert kinds(house.letters(to=ANNA))[-1] == "done"
    assert not standing.of(seat(house)).silent


def test_a_mail_does_the_same(house: Parlour) -> None:
    _, at = ways(house.letters(to=ANNA, kind="setup-call")[0])
    (row,) = house.bring(mail("", "Auto-Submitted: auto-generated"), at)
    assert (row.status, row.result) == (InboxStatus.DONE, "stopped")
    assert house.answers(row) == []
    assert standing.of(seat(house)).silent


def test_who_writes_that_mail_as_the_player_has_an_answer(house: Parlour) -> None:
    _, at = ways(press(house))
    (row,) = house.bring(mail("stop"), at)
    assert house.answers(row) == ["note"]
    assert "SET NEWS EACH" in words_of(house.letters(to=ANNA)[-1])
    (row,) = house.bring(mail("stop", sender=BERTA), at)
    assert house.answers(row) == []


def test_a_link_dies_with_the_key(house: Parlour, browser: TestClient) -> None:
    page, at = ways(press(house))
    house.bring(mail("NEWKEY"), house.address())
    for answer in (browser.get(page), browser.post(page)):
        assert answer.status_code == 404
        assert "non funziona" in answer.text
    assert not standing.of(seat(house)).quiet
    with pytest.raises(AssertionError, match=r"550 5\.1\.1"):
        house.bring(mail("stop"), at)


@pytest.mark.parametrize(
    "token", ["x", "g1.a.news.aaaaaaaaaaaaaaaa", "g99.a.all.aaaaaaaaaaaaaaaa", "g1.b.new1.aaaaaaaa"]
)
def test_a_guessed_link_does_nothing(house: Parlour, browser: TestClient, token: str) -> None:
    before = seat(house)
    assert browser.post(f"/stop/{token}").status_code == 404
    assert seat(house) == before


def test_the_link_of_one_stops_nothing_of_another(house: Parlour, browser: TestClient) -> None:
    page, _ = ways(house.letters(to=ANNA, kind="setup-call")[0])
    assert browser.post(page.replace(".a.all", ".b.all")).status_code == 404
    assert not standing.of(seat(house, "B")).silent


def test_our_signature_covers_the_way_out(house: Parlour) -> None:
    """RFC 8058 wants both headers signed."""
    signer = Signer(DOMAIN, "s1", key()[0])
    signed = message_from_bytes(signer.sign(press(house).as_bytes()))
    covered = re.sub(r"\s", "", str(signed["DKIM-Signature"])).partition(";h=")[2].partition(";")[0]
    assert {"list-unsubscribe", "list-unsubscribe-post", "list-id"} <= set(
        covered.lower().split(":")
    )
