"""What hostile clients cost the mail door: endless lines, and clients that hardly say anything."""

import asyncio
import time
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime

from bench.figure import Figure
from bench.memory import resident
from bench.scale import Scale
from pbem.mail.smtpd import Arrival, Asked, Door, Limits, start_smtp

MIB = 1024 * 1024
ENDLESS = 300 * MIB
MAIL = b"Subject: orders\r\n\r\nplace 5 in Siam\r\nend\r\n.\r\n"
_TALK = (b"EHLO c", b"MAIL FROM:<x@example.net>", b"RCPT TO:<a@example.org>", b"DATA")


def measure(scale: Scale) -> list[Figure]:
    """Memory and bytes of one endless line; waits of others beside slow clients."""
    taken, growth = asyncio.run(_endless(min(ENDLESS, scale.mails * 8 * MIB)))
    alone = asyncio.run(_waits(0, scale.mails))
    beside = asyncio.run(_waits(scale.sessions - 5, scale.mails))
    return [
        Figure("an endless line: taken before it is cut", taken / MIB, "MiB", under=32),
        Figure("  growth of the process", growth / MIB, "MiB", under=48),
        Figure("a mail's wait at an empty door", alone, "ms"),
        Figure(f"  beside {scale.sessions - 5} slow clients", beside, "ms"),
        Figure("  of the wait alone", beside / alone, "", under=3),
    ]


class _House:
    """Takes everything and keeps nothing."""

    async def check(self, _asked: Asked) -> str | None:
        return None

    async def deliver(self, _arrival: Arrival) -> None:
        return None

    async def open(self) -> asyncio.Server:
        limits = Limits(connections_per_peer=1000)
        door = Door(self.check, self.deliver, "b.example.org", lambda: datetime.now(UTC), limits)
        return await start_smtp(door, "127.0.0.1", 0)


async def _begun(server: asyncio.Server) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A client that may send its content now."""
    port = server.sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await reader.readline()
    for line in _TALK:
        writer.write(line + b"\r\n")
        while (await reader.readline())[3:4] == b"-":
            pass
    return reader, writer


async def _endless(length: int) -> tuple[int, int]:
    """Bytes that were sent before the cut, and by how much the process grew at most."""
    async with await _House().open() as server:
        _, writer = await _begun(server)
        before = most = resident()
        sent, piece = 0, b"x" * (256 * 1024)
        with suppress(ConnectionError):
            while sent < length and not writer.is_closing():
                writer.write(piece)
                await writer.drain()
                sent += len(piece)
                most = max(most, resident())
        writer.close()
    return sent, most - before


async def _waits(slow: int, mails: int) -> float:
    """Milliseconds that half of the mails wait for less, while slow clients keep their places."""
    async with await _House().open() as server, AsyncExitStack() as opened:
        for _ in range(slow):
            _, writer = await _begun(server)
            opened.callback(writer.close)
            writer.write(b"S")
        waits = []
        for _ in range(max(mails, 5)):
            begun = time.perf_counter()
            reader, writer = await _begun(server)
            writer.write(MAIL)
            await reader.readline()
            waits.append(time.perf_counter() - begun)
            writer.close()
    return 1000 * sorted(waits)[len(waits) // 2]
