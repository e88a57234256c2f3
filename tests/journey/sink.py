"""A relay that takes every letter: what the people's mail servers would have got."""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.journey.letter import Letter


class Sink:
    """An SMTP server in a thread; `letters` holds what it took, in the order of arrival."""

    def __init__(self) -> None:
        self.letters: list[Letter] = []
        self.port = 0
        self.reply = "250 taken"
        self._arrived = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sink", daemon=True)
        self._thread.start()
        assert self._ready.wait(10)

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    async def handle_DATA(  # noqa: N802  (the library's name)
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        content, reply = envelope.content, self.reply
        assert isinstance(content, bytes)
        if reply.startswith("250"):
            with self._arrived:
                self.letters += [Letter(content, to, time.time()) for to in envelope.rcpt_tos]
                self._arrived.notify_all()
        return reply

    def to(self, address: str, *kinds: str) -> list[Letter]:
        """The letters to an address, of some kinds only if they are named."""
        with self._arrived:
            return [
                letter
                for letter in self.letters
                if letter.to == address and (not kinds or letter.kind in kinds)
            ]

    def wait(self, holds: Callable[[], Any], seconds: float, what: str = "") -> Any:
        """Wait until `holds`, which is asked again at each letter, gives something true."""
        until = time.monotonic() + seconds
        while True:
            with self._arrived:
                if found := holds():
                    return found
                left = until - time.monotonic()
                if left <= 0:
                    seen = [f"{one.to} {one.kind} {one.subject}" for one in self.letters[-12:]]
                    raise AssertionError("\n".join([f"no {what} in {seconds} s; last:", *seen]))
                self._arrived.wait(min(left, 0.5))

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(
            self._loop.create_server(self._session, "127.0.0.1", 0)
        )
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    def _session(self) -> SMTP:
        return SMTP(self, hostname="sink.example", loop=self._loop, enable_SMTPUTF8=True)
