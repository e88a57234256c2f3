"""Postfix in front of us and behind us: it delivers to our LMTP and takes our letters."""

import asyncio
import re
import smtplib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.judge import dispatch, intake
from pbem.judge.drain import drain
from pbem.mail.outbound import Relay, Sender
from pbem.mail.smtpd import Arrival, Asked, Door, start_lmtp
from pbem.store import games, inbox, outbox, tables
from pbem.store.engine import session
from pbem.store.tables import InboxStatus, OutboxStatus, Source
from tests.conftest import require
from tests.judge.conftest import OpenParlour
from tests.judge.parlour import ANNA, DOMAIN, Parlour, mail
from tests.judge.server import Server, listening
from tests.mail.forge import Names, keys, signed
from tests.servers.daemons import free_port, postfix, wait_until
from tests.store import boxes

HOSTING = Path(__file__).parents[2] / "docs" / "hosting.md"
LMTP_PORT = ":2424"


def main_cf() -> str:
    """The lines of main.cf as the document for owners shows them."""
    shown = re.search(r"```\n# main\.cf\n(.*?)```", HOSTING.read_text(encoding="utf-8"), re.DOTALL)
    assert shown is not None
    assert LMTP_PORT in shown[1]
    assert DOMAIN in shown[1]
    return shown[1]


class Way:
    """A house behind Postfix; `outside` is the internet that its letters go to."""

    def __init__(self, house: Parlour, port: int, outside: Server) -> None:
        self.house = house
        self.port = port
        self.outside = outside
        self.sender = Sender(Relay("127.0.0.1", port), timeout=60)
        self.post = dispatch.Post(self.sender, (timedelta(seconds=1),), timedelta(seconds=1))

    def hand_in(self, raw: bytes, to: str, sender: str = ANNA) -> None:
        """Somebody's server brings a mail."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=60) as client:
            client.sendmail(sender, to, raw)

    def send_letters(self) -> None:
        with session(self.house.engine) as opened:
            ready = boxes.sendable(opened, self.house.now)
        for letter in ready:
            assert dispatch.send(
                self.house.engine, self.house.house, self.post, letter, lambda: self.house.now
            )

    def rows(self) -> list[tables.Inbox]:
        with session(self.house.engine) as opened:
            return list(boxes.mails(opened, tuple(InboxStatus)))


@contextmanager
def lmtp_door(house: Parlour) -> Iterator[int]:
    """Our LMTP, in a loop of its own; its port."""
    loop, up, stop = asyncio.new_event_loop(), threading.Event(), asyncio.Event()
    port: list[int] = []

    async def check(asked: Asked) -> str | None:
        with session(house.engine) as opened:
            return intake.refuse_recipient(opened, house.house, asked.recipient, house.now)

    async def deliver(arrival: Arrival) -> None:
        with session(house.engine) as opened:
            inbox.add(opened, intake.deliveries(arrival, Source.LMTP))

    async def serve() -> None:
        door = Door(check, deliver, DOMAIN, lambda: house.now)
        server = await start_lmtp(door, "127.0.0.1", 0)
        port.append(server.sockets[0].getsockname()[1])
        up.set()
        await stop.wait()
        server.close()
        # Postfix keeps its connections, and has gone by now: what it left open is to end, too.
        if talking := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(talking, timeout=5)

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    assert up.wait(10)
    try:
        yield port[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()


@pytest.fixture
def way(parlour: OpenParlour, open_folder: Path) -> Iterator[Way]:
    require("postfix")
    house = parlour(names=Names(keys()))
    house.play()
    port = free_port()
    with listening(Server()) as outside, lmtp_door(house) as lmtp:
        # The internet is a server of ours: whatever Postfix cannot deliver goes there.
        settings = main_cf().replace(LMTP_PORT, f":{lmtp}")
        settings += f"relayhost = [127.0.0.1]:{outside.port}"
        with postfix(open_folder / "postfix", settings, port):
            opened = Way(house, port, outside)
            yield opened
            opened.sender.close_sync()


def test_a_turn_by_postfix_there_and_back(way: Way) -> None:
    """A signed mail comes by LMTP with its signature whole; the answer leaves by Postfix; what
    cannot be delivered outside comes home and is counted."""
    house = way.house
    way.hand_in(signed(mail("board")), house.address())
    wait_until(way.rows)
    (row,) = way.rows()
    assert (row.source, row.mail_from, row.peer) == (Source.LMTP, ANNA, "")
    with session(house.engine) as opened:
        waiting = boxes.waiting_games(opened, house.now)
    assert waiting == [house.game_id]
    _play(house)
    (row,) = way.rows()
    assert (row.status, row.result) == (InboxStatus.DONE, "done")
    way.send_letters()
    wait_until(lambda: way.outside.taken)
    to, raw = way.outside.taken[0]
    answer = message_from_bytes(raw)
    assert (to, answer["X-PBEM-Kind"]) == (ANNA, "done")
    assert answer["In-Reply-To"] in mail_ids(row)

    way.outside.at_rcpt = lambda _: "550 5.1.1 no such user"
    way.hand_in(signed(mail("hand")), house.address())
    wait_until(lambda: len(way.rows()) == 2)
    _play(house)
    way.send_letters()
    wait_until(lambda: len(way.rows()) == 3)
    _play(house)
    report = way.rows()[-1]
    assert (report.mail_from, report.result) == ("", "hard-bounce")
    with session(house.engine) as opened:
        sent = [letter.status for letter in outbox.letters_to(opened, house.game_id, "A")]
        seat = games.seat(opened, house.game_id, "A")
    assert set(sent) == {OutboxStatus.SENT}
    assert seat is not None


def test_a_stranger_to_us_is_told_by_postfix(way: Way) -> None:
    way.hand_in(mail("hello"), f"play+g1.a.0.0.aaaaaaaaaaaaaaaa@{DOMAIN}", sender="x@example.net")
    wait_until(lambda: way.outside.taken)
    to, raw = way.outside.taken[0]
    assert to == "x@example.net"
    assert b"550 5.1.1 No such seat here" in raw.replace(b"\r\n    ", b" ")
    assert way.rows() == []


def _play(house: Parlour) -> None:
    """Play what waits; the letters stay in the outbox."""

    drain(
        house.engine, house.house, house.game_id, lambda: house.now, lookups=lambda _: house.names
    )


def mail_ids(row: tables.Inbox) -> str:
    return str((row.reading or {})["message_id"])
