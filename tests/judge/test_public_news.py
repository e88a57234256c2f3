"""Public news: what spectators, webhooks and chat rooms are told, when, and what never."""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import timedelta

import pytest

from pbem.judge import webhooks
from pbem.judge.acts.ending import Draw
from pbem.judge.webhooks import Failed, Ways, WebhookError
from pbem.store import games, lobby
from pbem.store import webhooks as rows
from pbem.store.engine import session
from pbem.store.tables import HookKind, Spectator
from tests.judge.desk import Desk

VERA = "vera@x.example"
HOOK = "https://hooks.x.example/conquest"


class Outside:
    """The other side: takes what comes, or answers as told."""

    def __init__(self, *answers: Failed | None) -> None:
        self.answers = list(answers)
        self.posts: list[tuple[str, Mapping[str, str], bytes]] = []
        self.rooms: list[tuple[str, str, str]] = []

    @property
    def ways(self) -> Ways:
        return Ways(self._post, self._chat)

    def _post(self, url: str, headers: Mapping[str, str], body: bytes) -> Failed | None:
        self.posts.append((url, headers, body))
        return self.answers.pop(0) if self.answers else None

    def _chat(self, url: str, title: str, text: str) -> Failed | None:
        self.rooms.append((url, title, text))
        return None


def watched(spectators: str = "yes", *, url: str | None = HOOK) -> Desk:
    desk = Desk(chosen={"spectators": spectators})
    with session(desk.engine) as opened:
        lobby.watch(opened, Spectator(game_id=desk.id, address=VERA, language="it", since=desk.now))
        game = games.find(opened, desk.id)
        assert game is not None
        if url is not None:
            webhooks.make(opened, game, url, "dora", desk.now, bytes)
    return desk


def deliver(desk: Desk, outside: Outside) -> None:
    with session(desk.engine) as opened:
        due = webhooks.due(opened, desk.now)
    for call, attempt in due:
        webhooks.send(desk.engine, outside.ways, call, attempt, lambda: desk.now)


def play(desk: Desk, *seats: str) -> None:
    orders = {"A": "end", "B": "place all in India\nend"}
    for seat in seats:
        assert desk.say(seat, orders[seat]).facts["closed"]


def test_a_spectator_gets_the_report_of_each_turn_in_the_own_language() -> None:
    desk = watched()
    play(desk, "A", "B")
    first, second = desk.letters(VERA)
    assert (first.kind, first.facts["turn"], second.facts["turn"]) == ("report", 1, 2)
    assert "CHE COSA È SUCCESSO" in first.text
    assert "one-click" in str(first.mail["List-Unsubscribe-Post"]).lower()
    assert first.mail["X-PBEM-State"] is None
    assert "play+" not in first.everything
    assert "@people.example" not in first.everything


def test_a_delayed_game_tells_a_turn_when_the_next_one_closes() -> None:
    desk = watched("delayed")
    play(desk, "A")
    assert desk.letters(VERA) == []
    play(desk, "B")
    assert [letter.facts["turn"] for letter in desk.letters(VERA)] == [1]


def test_a_closed_game_tells_nobody() -> None:
    desk = watched("no")
    play(desk, "A")
    assert desk.letters(VERA) == []
    outside = Outside()
    deliver(desk, outside)
    assert outside.posts == []


def test_a_call_is_signed_and_says_only_what_all_may_see() -> None:
    desk, outside = watched(), Outside()
    play(desk, "A")
    deliver(desk, outside)
    ((url, headers, body),) = outside.posts
    assert url == HOOK
    said = json.loads(body)
    assert (said["type"], said["data"]["game"], said["data"]["turn"]) == ("turn.closed", "g1", 1)
    message = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    digest = hmac.new(bytes(32), message, hashlib.sha256).digest()
    assert headers["webhook-signature"] == f"v1,{base64.b64encode(digest).decode()}"
    assert "hand" not in body.decode()


def test_a_call_that_fails_is_made_again_with_the_same_id_and_bytes() -> None:
    desk, outside = watched(), Outside(Failed("500 no"), Failed("500 no"))
    play(desk, "A")
    for wait in (timedelta(0), timedelta(minutes=1), timedelta(minutes=5)):
        desk.now += wait
        deliver(desk, outside)
        deliver(desk, outside)
    assert len(outside.posts) == 3
    assert len({(one[1]["webhook-id"], one[2]) for one in outside.posts}) == 1
    desk.now += timedelta(days=9)
    deliver(desk, outside)
    assert len(outside.posts) == 3


def test_after_the_last_attempt_a_call_is_given_up() -> None:
    desk = watched()
    outside = Outside(*[Failed("500 no")] * 20)
    play(desk, "A")
    for _ in range(12):
        desk.now += timedelta(days=1)
        deliver(desk, outside)
    assert len(outside.posts) == len(webhooks.RETRY_STEPS) + 1


def test_who_is_gone_is_called_no_more() -> None:
    desk, outside = watched(), Outside(Failed("410 Gone", gone=True))
    play(desk, "A")
    deliver(desk, outside)
    with session(desk.engine) as opened:
        assert rows.of_game(opened, desk.id) == []


def test_a_chat_room_reads_the_words_of_the_report() -> None:
    desk, outside = watched(url="discord://1234/abcdef"), Outside()
    play(desk, "A")
    deliver(desk, outside)
    ((url, title, text),) = outside.rooms
    assert url == "discord://1234/abcdef"
    assert title == "[g1] Turn 1: Red took nothing"
    assert "WHAT HAPPENED" in text
    assert outside.posts == []


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.x.example/",
        "file:///etc/passwd",
        "https://",
        "https://user:pw@hooks.x.example/",
        "hooks.x.example",
        "https://hooks.x.example/\nX: y",
        "https://[oops/",
    ],
)
def test_an_address_that_does_not_do_is_refused(url: str) -> None:
    with pytest.raises(WebhookError):
        webhooks.kind_of(url)


def test_http_is_for_this_machine_alone() -> None:
    assert webhooks.kind_of("http://127.0.0.1:9000/x") is HookKind.WEBHOOK


@pytest.mark.parametrize("spectators", ["yes", "delayed"])
def test_at_the_end_all_that_was_kept_back_is_told(spectators: str) -> None:
    desk, outside = watched(spectators), Outside()
    play(desk, "A", "B")
    desk.perform(Draw(), "It is late.")
    letters = desk.letters(VERA)
    assert [letter.kind for letter in letters][-1] == "game-over"
    assert [letter.facts["turn"] for letter in letters if letter.kind == "report"][:2] == [1, 2]
    deliver(desk, outside)
    assert len(outside.posts) >= 2
    assert "play+" not in letters[-1].everything
