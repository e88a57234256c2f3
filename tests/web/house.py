"""A house for the pages: a database with letters, our own door for mail, and a game that answers.

No game is played here. The door stores what it takes; the test writes the answer by hand.
"""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from pbem.mail.letter import Letter, message_id, to_bytes
from pbem.mail.smtpd import Arrival, Asked, Door, start_smtp
from pbem.settings import Listen
from pbem.store import inbox, outbox
from pbem.store.engine import open_engine, open_reader, session
from pbem.store.tables import Inbox, Source
from pbem.web.app import make_app
from pbem.web.site import Check, Mailbox, Site
from tests.store import boxes, fresh

KEY = "the-right-key"
ANNA = "anna@example.org"
BRUNO = "bruno@example.org"
PLAY = "play+g7.a.23.2.abcdefghijklmnop@games.example.org"
HTTP = Listen("127.0.0.1", 8000)
NOW = datetime(2026, 12, 1, 18, 30, tzinfo=UTC)
TEXT = """--- write your orders above this line ---

Turn 23 - your move, Anna.

YOU COULD WRITE

| place 5 in Siam
| end
"""


@dataclass
class House:
    """One installation; `refusal` is what its door says to every recipient."""

    engine: Any
    reader: Any
    smtp: Listen
    http: Listen = HTTP
    now: datetime = NOW
    refusal: str | None = None
    received: list[Arrival] = field(default_factory=list)

    def app(self, **checks: Check) -> FastAPI:
        return make_app(Site(version="1.2.3", checks=checks, mailbox=self.mailbox()))

    def mailbox(self) -> Mailbox:
        return Mailbox(
            key=KEY,
            sessions=partial(session, self.reader),
            smtp=self.smtp,
            http=self.http,
            domain="games.example.org",
            public_url=f"http://{self.http}",
            clock=lambda: self.now,
        )

    def write(
        self,
        to: str = ANNA,
        *,
        kind: str = "turn-call",
        subject: str = "[g7] Turn 23: your move, Blue",
        text: str = TEXT,
        html: str | None = "<p>Turn 23</p>",
        answers: Inbox | None = None,
        composed: bool = True,
        sent: bool = True,
        sender: str = f"World conquest <{PLAY}>",
    ) -> int:
        """Put a letter into the outbox, as far as asked for; its id."""
        with session(self.engine) as opened:
            number = len(boxes.letters(opened)) + 1
            own_id = message_id("games.example.org", "g7", number)
            new = outbox.NewLetter(
                key=f"g7:23:A:{kind}:{number}",
                kind=kind,
                message_id=own_id,
                to_address=to,
                inbox_id=answers.id if answers else None,
            )
            (row,) = outbox.enqueue(opened, [new], self.now)
            if composed:
                letter = Letter(
                    kind=kind,
                    subject=subject,
                    text=text,
                    html=html,
                    sender=sender,
                    reply_to=PLAY,
                    to=to,
                    message_id=own_id,
                    date=self.now,
                )
                outbox.store_composed(opened, row, to_bytes(letter), subject)
            if sent:
                outbox.mark_sent(opened, row, self.now)
        return row

    def mails(self) -> list[EmailMessage]:
        """What came to the door, parsed."""
        parsed = (message_from_bytes(one.raw, policy=policy.default) for one in self.received)
        return [mail for mail in parsed if isinstance(mail, EmailMessage)]

    def newest_mail(self) -> Inbox:
        with session(self.engine) as opened:
            row = inbox.find(opened, len(self.received))
        assert row is not None
        return row

    async def check_recipient(self, _asked: Asked) -> str | None:
        return self.refusal

    async def deliver(self, arrival: Arrival) -> None:
        self.received.append(arrival)
        delivery = inbox.Delivery(
            source=Source.SMTP,
            dedupe_key=sha256(arrival.raw).hexdigest(),
            received_at=self.now,
            recipient=arrival.rcpt_tos[0],
            mail_from=arrival.mail_from,
            raw=arrival.raw,
        )
        with session(self.engine) as opened:
            inbox.add(opened, [delivery])


@contextmanager
def open_house(folder: Path, http: Listen = HTTP) -> Iterator[House]:
    """A house with an empty database and a door that listens on a free port."""
    url = fresh.new_file(folder / "pbem.sqlite3")
    engine, reader = open_engine(url), open_reader(url)
    house = House(engine, reader, Listen("127.0.0.1", 0), http)
    try:
        with _listening(house):
            yield house
    finally:
        engine.dispose()
        reader.dispose()


@contextmanager
def _listening(house: House) -> Iterator[None]:
    """The door in a loop of its own, since the pages' answers block theirs."""
    up, stop = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        door = Door(house.check_recipient, house.deliver, "games.example.org", lambda: NOW)
        server = await start_smtp(door, house.smtp.host, house.smtp.port)
        house.smtp = Listen(house.smtp.host, server.sockets[0].getsockname()[1])
        up.set()
        await stop.wait()
        server.close()

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(serve())

    thread = threading.Thread(target=run)
    thread.start()
    assert up.wait(10)
    try:
        yield
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
