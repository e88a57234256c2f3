"""One asyncio process for mail and web: what `pbem front`, `pbem smtp` and `pbem web` run."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import uvicorn

from pbem.embedded.health import BEAT_EVERY
from pbem.embedded.ports import bind, port_taken
from pbem.mail.smtpd import Door, start_lmtp, start_smtp
from pbem.settings import Listen

_GRACE = 5  # seconds for what is in hand when the process ends

_STARTERS = {"smtp": start_smtp, "lmtp": start_lmtp}


@dataclass(frozen=True, slots=True)
class Mail:
    """A door for mail, its protocol (`smtp` or `lmtp`) and where it listens."""

    protocol: str
    door: Door
    listen: Listen


async def run_front(
    *,
    mail: Sequence[Mail] = (),
    web: Any = None,
    http: Listen | None = None,
    announce: Callable[[Mapping[str, Listen]], None] = lambda _: None,
    beat: Callable[[], None] = lambda: None,
) -> None:
    """Serve until SIGTERM or SIGINT: mail, and the ASGI application `web` on `http` if it has one.

    `announce` is called once all listen, with the actual addresses by protocol; from then on
    `beat`, which may block, every two seconds in a thread. Raises PortTakenError.
    """
    stop = _stop_event()
    found: dict[str, Listen] = {}
    async with AsyncExitStack() as opened:
        for way in mail:
            opened.push_async_callback(_drain, way.door)
            found[way.protocol] = await opened.enter_async_context(_mail(way))
        if web is not None and http is not None:
            found["http"] = await opened.enter_async_context(_pages(web, http))
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


@asynccontextmanager
async def _mail(way: Mail) -> AsyncIterator[Listen]:
    """A mail server while the block runs; gives its actual address."""
    listen = way.listen
    try:
        server = await _STARTERS[way.protocol](way.door, listen.host, listen.port)
    except OSError as error:
        raise port_taken(listen, f"PBEM_{way.protocol.upper()}_LISTEN", error) from None
    try:
        yield Listen(listen.host, server.sockets[0].getsockname()[1])
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
async def _pages(web: Any, listen: Listen) -> AsyncIterator[Listen]:
    """The web server while the block runs; gives its actual address."""
    with bind(listen, "PBEM_HTTP_LISTEN") as listener:
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
