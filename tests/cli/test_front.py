"""The one process of mail and web, with a door and pages of the test's own."""

import asyncio
import contextlib
import os
import signal
import smtplib
import socket
import threading
import urllib.request
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from pbem.cli.front import Mail, run_front
from pbem.embedded.ports import PortTakenError, bind, free_address
from pbem.mail.door import plain_address
from pbem.mail.smtpd import Arrival, Asked, Door
from pbem.settings import Listen

ANY = Listen("127.0.0.1", 0)


class Letterbox:
    """Takes every mail, after a pause."""

    def __init__(self, pause: float = 0.0) -> None:
        self.pause = pause
        self.begun = threading.Event()
        self.taken: list[Arrival] = []

    async def deliver(self, arrival: Arrival) -> None:
        self.begun.set()
        await asyncio.sleep(self.pause)
        self.taken.append(arrival)

    def door(self) -> Door:
        async def everybody(_asked: Asked) -> None:
            return None

        return Door(everybody, self.deliver, "door.example", lambda: datetime.now(UTC))


async def hello(scope: Any, _receive: Any, send: Any) -> None:
    """Pages: one word."""
    if scope["type"] == "lifespan":
        raise NotImplementedError
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


def send(at: Listen) -> None:
    with smtplib.SMTP(at.host, at.port, timeout=5) as client:
        client.sendmail("a@x.example", ["b@x.example"], b"Subject: hi\r\n\r\nhello\r\n")


def page(at: Listen) -> bytes:
    with urllib.request.urlopen(f"http://{at}/", timeout=5) as answer:
        content: bytes = answer.read()
        return content


def end_self() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


async def test_one_process_takes_mail_and_shows_pages_until_a_signal() -> None:
    box, found, beats = Letterbox(), dict[str, Listen](), list[int]()

    def visit() -> None:
        send(found["smtp"])
        assert page(found["http"]) == b"hello"
        end_self()

    visiting: list[asyncio.Task[None]] = []

    def announce(addresses: Mapping[str, Listen]) -> None:
        found.update(addresses)
        visiting.append(asyncio.create_task(asyncio.to_thread(visit)))

    await asyncio.wait_for(
        run_front(
            mail=[Mail("smtp", box.door(), ANY), Mail("lmtp", box.door(), ANY)],
            web=hello,
            http=ANY,
            announce=announce,
            beat=lambda: beats.append(1),
        ),
        20,
    )
    await visiting[0]
    assert set(found) == {"smtp", "lmtp", "http"}
    assert all(address.port for address in found.values())
    assert [arrival.mail_from for arrival in box.taken] == ["a@x.example"]
    assert beats


async def test_mail_alone_opens_no_pages() -> None:
    found: dict[str, Listen] = {}

    def announce(addresses: Mapping[str, Listen]) -> None:
        found.update(addresses)
        end_self()

    await asyncio.wait_for(
        run_front(mail=[Mail("smtp", Letterbox().door(), ANY)], http=ANY, announce=announce), 20
    )
    assert set(found) == {"smtp"}


async def test_mail_in_hand_is_stored_before_the_end() -> None:
    box = Letterbox(pause=0.5)
    sending: list[threading.Thread] = []

    def send_and_end(at: Listen) -> None:
        with contextlib.suppress(smtplib.SMTPException):
            send(at)

    def announce(addresses: Mapping[str, Listen]) -> None:
        def end_when_begun() -> None:
            box.begun.wait(5)
            end_self()

        sender = threading.Thread(target=send_and_end, args=(addresses["smtp"],))
        for thread in (sender, threading.Thread(target=end_when_begun)):
            thread.start()
            sending.append(thread)

    await asyncio.wait_for(run_front(mail=[Mail("smtp", box.door(), ANY)], announce=announce), 20)
    for thread in sending:
        await asyncio.to_thread(thread.join)
    assert len(box.taken) == 1


@pytest.mark.parametrize("name", ["smtp", "lmtp", "http"])
async def test_taken_port_names_its_setting(name: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = Listen("127.0.0.1", taken.getsockname()[1])
        at = {"smtp": ANY, "lmtp": ANY, "http": ANY, name: listen}
        mail = [Mail(way, Letterbox().door(), at[way]) for way in ("smtp", "lmtp")]
        with pytest.raises(PortTakenError, match=f"PBEM_{name.upper()}_LISTEN: .* is taken"):
            await run_front(mail=mail, web=hello, http=at["http"])


async def test_the_user_may_change_between_the_bind_and_the_first_connection() -> None:
    at, heard = free_address(ANY, "PBEM_SMTP_LISTEN"), list[str]()

    def bound() -> None:
        with pytest.raises(ConnectionRefusedError):
            send(at)
        heard.append("bound")

    def announce(_addresses: Mapping[str, Listen]) -> None:
        heard.append("announced")
        end_self()

    way = Mail("smtp", Letterbox().door(), at)
    await asyncio.wait_for(run_front(mail=[way], bound=bound, announce=announce), 20)
    assert heard == ["bound", "announced"]


def test_one_address_stands_for_all_of_both_kinds() -> None:
    if not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    try:
        bound = bind(Listen("::", 0), "PBEM_SMTP_LISTEN")
    except PortTakenError:
        pytest.skip("no IPv6 here")
    with bound:
        bound.listen()
        for host in ("127.0.0.1", "::1"):
            with socket.create_connection((host, bound.getsockname()[1]), 5):
                accepted, peer = bound.accept()
                accepted.close()
            assert plain_address(peer[0]) == host
