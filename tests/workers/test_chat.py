"""Words for a chat room, through apprise, to a room of our own that keeps what it is told."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from pbem.judge import webhooks as judge
from pbem.store.engine import session
from tests.judge.desk import Desk
from workers import webhooks

# Some of apprise's own services import what later Pythons do not have.
pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")

pytest.importorskip("apprise", reason="chats are an extra")


@dataclass
class Room:
    """A chat room on this machine: `heard` is what was posted, `answer` what it says to that."""

    answer: int = 200
    heard: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""


@pytest.fixture
def room() -> Iterator[Room]:
    made = Room()

    class Post(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            made.heard.append(json.loads(body))
            self.send_response(made.answer)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            """Nobody reads it."""

    server = HTTPServer(("127.0.0.1", 0), Post)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    made.url = f"json://127.0.0.1:{server.server_port}/"
    try:
        yield made
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_room_hears_title_and_words(room: Room) -> None:
    assert webhooks.chat(room.url, "Turn 7", "Red took *Siam*.\nŠe nič.") is None
    (told,) = room.heard
    assert (told["title"], told["message"]) == ("Turn 7", "Red took *Siam*.\nŠe nič.")


def test_no_name_is_markup_or_calls_the_room(room: Room) -> None:
    webhooks.chat(f"{room.url}?format=html", "t", "<b>Bob</b> @everyone <!channel>")
    (told,) = room.heard
    assert "Bob" in told["message"]
    assert "<b>" not in told["message"]
    assert "@everyone" not in told["message"]
    assert "<!channel>" not in told["message"].replace("&lt;", "<").replace("&gt;", ">")


def test_long_words_come_in_several_messages(room: Room) -> None:
    said = "\n".join(f"Line {number} of a long turn." for number in range(3000))
    assert webhooks.chat(room.url, "Turn 7", said) is None
    assert len(room.heard) > 1
    whole = "".join("".join(one["message"].split()) for one in room.heard)
    assert whole == "".join(said.split())


@pytest.mark.parametrize("answer", [400, 500])
def test_a_room_that_does_not_take_it_is_tried_again(room: Room, answer: int) -> None:
    room.answer = answer
    failed = webhooks.chat(room.url, "Turn 7", "words")
    assert failed is not None
    assert not failed.gone


def test_an_address_that_is_none_or_that_nobody_answers_fails(room: Room) -> None:
    for url in ("nobody-knows-this://x", "json://127.0.0.1:1/"):
        assert webhooks.chat(url, "Turn 7", "words") is not None
    assert room.heard == []


def test_a_turn_reaches_the_room_with_what_all_may_see_and_nothing_else(room: Room) -> None:
    desk = Desk(hands={"A": "EGY PRU WILD"}, chosen={"spectators": "yes", "press": "named"})
    with session(desk.engine) as opened:
        judge.make(opened, desk.game, room.url, "dora", desk.now, bytes)
    desk.say("A", "say Bruno: THE-MARK\nend say\nset late place Siam\nend")
    with session(desk.engine) as opened:
        calls = judge.due(opened, desk.now)
    for call, attempt in calls:
        assert judge.send(desk.engine, webhooks.ways(), call, attempt, lambda: desk.now)
    (told,) = room.heard
    whole = f"{told['title']}\n{told['message']}"
    assert "Turn 1: Red took nothing" in whole
    for secret in ("MARK", "@people.example", "EGY", "soldier", "wild", "LATE"):
        assert secret not in whole
