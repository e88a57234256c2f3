"""A mail server on loopback that answers what a test says, with what it was handed."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope


@dataclass
class Server:
    """`at_rcpt` and `at_data` give the reply to a recipient, and to a mail's bytes; None takes it.

    `taken` are the recipients and bytes that were; `sessions` counts connections. With a
    `size_limit` in bytes it says so in its greeting.
    """

    at_rcpt: Callable[[str], str | None] = lambda _: None
    at_data: Callable[[str, bytes], str | None] = lambda _to, _raw: None
    size_limit: int = 0
    taken: list[tuple[str, bytes]] = field(default_factory=list)
    sessions: int = 0
    port: int = 0

    async def handle_RCPT(  # noqa: N802 - the library's name
        self, _server: SMTP, _session: Any, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        reply = self.at_rcpt(address)
        if reply is not None:
            return reply
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 ok"

    async def handle_DATA(self, _server: SMTP, _session: Any, envelope: Envelope) -> str:  # noqa: N802
        raw = envelope.content
        assert isinstance(raw, bytes)
        (to,) = envelope.rcpt_tos
        reply = self.at_data(to, raw)
        if reply is not None:
            return reply
        self.taken.append((to, raw))
        return "250 2.0.0 taken"


@contextmanager
def listening(server: Server) -> Iterator[Server]:
    """The server in a loop and thread of its own."""
    loop, up = asyncio.new_event_loop(), threading.Event()
    stop = asyncio.Event()

    def session() -> SMTP:
        server.sessions += 1
        return SMTP(server, data_size_limit=server.size_limit or None, enable_SMTPUTF8=True)

    async def serve() -> None:
        at = await loop.create_server(session, "127.0.0.1", 0)
        server.port = at.sockets[0].getsockname()[1]
        up.set()
        await stop.wait()
        at.close()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    assert up.wait(10)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()
