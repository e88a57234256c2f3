"""One asyncio process for mail and web: what `pbem front`, `pbem smtp` and `pbem web` run."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import uvicorn

from pbem.embedded.health import BEAT_EVERY
from pbem.embedded.ports import bind
from pbem.mail.smtpd import Door, Tls, start_lmtp, start_smtp
from pbem.settings import Listen

_GRACE = 5  # seconds for what is in hand when the process ends

_STARTERS = {"smtp": start_smtp, "lmtp": start_lmtp}


@dataclass(frozen=True, slots=True)
class Mail:
    """A door for mail, its protocol (`smtp` or `lmtp`), where it listens, its TLS if it has any."""

    protocol: str
    door: Door
    listen: Listen
    tls: Tls | None = None


async def run_front(
    *,
    mail: Sequence[Mail] = (),
    web: Any = None,
    http: Listen | None = None,
    bound: Callable[[], None] = lambda: None,
    announce: Callable[[Mapping[str, Listen]], None] = lambda _: None,
    beat: Callable[[], None] = lambda: None,
) -> None:
    """Serve until SIGTERM or SIGINT: mail, and the ASGI application `web` on `http` if it has one.

    `bound` is called when all addresses are had and nobody is let in yet, `announce` once all
    listen, with the actual addresses by protocol; from then on `beat`, which may block, every two
    seconds in a thread. Raises PortTakenError.
    """
    stop = _stop_event()
    found: dict[str, Listen] = {}
    async with AsyncExitStack() as opened:
        ways = [(way, opened.enter_context(_bound(way))) for way in mail]
        pages = None
        if web is not None and http is not None:
            pages = opened.enter_context(bind(http, "PBEM_HTTP_LISTEN"))
        bound()
        for way, listener in ways:
            opened.push_async_callback(_drain, way.door)
            found[way.protocol] = await opened.enter_async_context(_mail(way, listener))
        if pages is not None and http is not None:
            found["http"] = await opened.enter_async_context(_pages(web, http, pages))
        announce(found)
        while not stop.is_set():
            await asyncio.to_thread(beat)
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), BEAT_EVERY)


def _stop_event() -> asyncio.Event:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


def _bound(way: Mail) -> socket.socket:
    return bind(way.listen, f"PBEM_{way.protocol.upper()}_LISTEN")


@asynccontextmanager
async def _mail(way: Mail, listener: socket.socket) -> AsyncIterator[Listen]:
    """A mail server while the block runs; gives its actual address."""
    server = await _STARTERS[way.protocol](way.door, sock=listener, tls=way.tls)
    try:
        yield Listen(way.listen.host, listener.getsockname()[1])
    finally:
        server.close()


async def _drain(door: Door) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(door.drain(), _GRACE)


class _Uvicorn(uvicorn.Server):
    """A server that leaves the signals to the process it shares."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def _pages(web: Any, listen: Listen, listener: socket.socket) -> AsyncIterator[Listen]:
    """The web server while the block runs; gives its actual address."""
    config = uvicorn.Config(
        web, log_config=None, access_log=False, timeout_graceful_shutdown=_GRACE
    )
    server = _Uvicorn(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        yield Listen(listen.host, listener.getsockname()[1])
    finally:
        server.should_exit = True
        await serving
