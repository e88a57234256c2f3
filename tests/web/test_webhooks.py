"""A game's webhooks on the desk: who may add what, a secret shown once, a call to try it out."""

import base64
import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.judge import webhooks
from pbem.judge.webhooks import Failed, Ways
from pbem.store import audit
from pbem.store import webhooks as stored
from pbem.store.engine import session
from pbem.store.tables import Webhook
from tests.judge.parlour import BERTA
from tests.judge.test_lobby_mail import open_game
from tests.web.office import GM, OWNER, Browser, Office, open_office

PAGE = "/desk/games/g1/webhooks"
HOOK = "https://hooks.x.example/conquest?token=hush-hush"
ROOM = "discord://12345/sesame-open"


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with open_office(tmp_path) as opened:
        yield opened


def hooks(office: Office) -> list[Webhook]:
    with session(office.engine) as opened:
        return [*stored.of_game(opened, 1)]


def test_a_secret_is_shown_once_and_no_page_tells_what_stands_behind_the_host(
    office: Office,
) -> None:
    gino = office.browser(GM)
    answer = gino.press(gino.get(PAGE), "Add", url=HOOK)
    (held,) = hooks(office)
    assert held.secret in answer.text
    assert len(base64.b64decode(held.secret.removeprefix(webhooks.PREFIX))) == 32
    assert answer.headers["cache-control"] == "no-store"
    again = gino.get(PAGE).text
    assert held.secret not in again
    assert "hush-hush" not in again
    assert "https://hooks.x.example/\u2026" in again
    gino.press(gino.get(PAGE), "Add", url=ROOM)
    assert "sesame-open" not in gino.get(PAGE).text
    assert [hook.by for hook in hooks(office)] == [GM, GM]


def test_only_an_owner_adds_an_address_within_the_house(office: Office) -> None:
    inside, wrong = ("http://127.0.0.1:9/", "json://10.0.0.1/"), ("ftp//<script>", "https://a:b@x/")
    tries = {OWNER: (*inside, *wrong), GM: (*inside, ROOM, *wrong), BERTA: (HOOK,)}
    for address, urls in tries.items():
        browser = office.browser(address)
        for url in urls:
            answer = browser.press(browser.get(PAGE), "Add", url=url)
            is_taken = url not in wrong and (address == OWNER or url not in inside)
            assert answer.status_code == (200 if is_taken else 422), (address, url)
            assert is_taken == ('id="url-wrong"' not in answer.text)
            assert "<script>" not in answer.text.replace("<script defer", "")
    assert [(hook.by, hook.url) for hook in hooks(office)] == [
        *((OWNER, url) for url in inside),
        (GM, ROOM),
        (BERTA, HOOK),
    ]


def test_a_test_makes_one_signed_call_and_its_outcome_is_shown(office: Office) -> None:
    gino = office.browser(GM)
    gino.press(gino.get(PAGE), "Add", url=HOOK)
    assert "nothing sent yet" in gino.get(PAGE).text
    for _ in range(2):
        gino.press(gino.get(PAGE), "Test")
    assert "on its way" in gino.get(PAGE).text
    sent: list[bytes] = []

    def take(_url: str, headers: object, body: bytes) -> Failed | None:
        assert "webhook-signature" in dict(headers)  # type: ignore[call-overload]
        sent.append(body)
        return None if len(sent) > 1 else Failed("503 <b>busy")

    call(office, Ways(take, lambda *_: None))
    assert "503 &lt;b&gt;busy" in gino.get(PAGE).text
    call(office, Ways(take, lambda *_: None))
    assert "it arrived" in gino.get(PAGE).text
    news = json.loads(sent[0])
    assert (news["type"], news["data"], len(sent)) == ("test", {"game": "g1"}, 2)
    assert sent[0] == sent[1]


def call(office: Office, ways: Ways) -> None:
    office.parlour.now += timedelta(minutes=2)
    with session(office.engine) as opened:
        due = [*webhooks.due(opened, office.now)]
    for number, attempt in due:
        webhooks.send(office.engine, ways, number, attempt, lambda: office.now)


def test_a_room_is_tried_out_in_words(office: Office) -> None:
    gino = office.browser(GM)
    gino.press(gino.get(PAGE), "Add", url=ROOM)
    gino.press(gino.get(PAGE), "Test")
    said: list[tuple[str, str]] = []
    call(office, Ways(lambda *_: None, lambda _url, title, text: said.append((title, text))))
    assert said == [("[g1] A test", "This room is told the public news of game g1, turn by turn.")]


def test_what_is_removed_is_told_nothing_and_of_another_game_nothing_is_touched(
    office: Office,
) -> None:
    olga, berta = office.browser(OWNER), office.browser(BERTA)
    olga.press(olga.get(PAGE), "Add", url=HOOK)
    other = open_game(office.parlour, "red=computer", "green=open", "blue=open")
    olga.press(olga.get(PAGE.replace("g1", other)), "Add", url=HOOK)
    for act in ("test", "remove"):
        berta.post(f"{PAGE}/2/{act}", {"form_token": form_token(berta)})
    with session(office.engine) as opened:
        assert stored.find(opened, 2) is not None
        assert stored.last_calls(opened, 2) == {}
    berta.press(berta.get(PAGE), "Remove")
    assert hooks(office) == []
    with session(office.engine) as opened:
        lines = [(line.who, line.what) for line in audit.of_game(opened, 1)]
    assert lines[-2:] == [(OWNER, "webhook"), (BERTA, "webhook-dropped")]


def form_token(browser: Browser) -> str:
    field = browser.page("/login").css_first("input[name=form_token]")
    assert field is not None
    return field.attributes["value"] or ""
