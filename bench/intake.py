"""Mails that are durable before their 250, beside a server that keeps nothing.

Both are the same library with the same mails in the same run, each in turn; the clients have a
process of their own.
"""

import asyncio
import json
import math
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from statistics import median

from aiosmtpd.smtp import SMTP, Envelope
from aiosmtpd.smtp import Session as SmtpSession
from sqlmodel import col, func, select

from bench.figure import Figure
from bench.scale import Scale
from bench.table import HOUSE, Table, begin, database
from pbem.cli.mail_doors import mail_door
from pbem.judge.reply_to import seat_address
from pbem.mail.smtpd import start_smtp
from pbem.store import games
from pbem.store.committer import GroupCommitter
from pbem.store.engine import Engine, open_reader, session
from pbem.store.tables import Inbox, Source

TEXT = """\
From: Anna <anna@example.net>\r
To: {to}\r
Subject: Re: Turn 23 of game g7: your orders, please\r
Date: Tue, 01 Dec 2026 12:00:00 +0100\r
Message-ID: <{number}.{run}@mail.example.net>\r
In-Reply-To: <g7.23.a.turn-call.1@games.example.org>\r
MIME-Version: 1.0\r
Content-Type: text/plain; charset="utf-8"\r
Content-Transfer-Encoding: 8bit\r
\r
place 5 in Siam\r
attack India from Siam\r
end\r
\r
> --- write your orders above this line ---\r
> What you wrote of the old letter stands here, as most mail programs leave it.\r
"""


@dataclass(frozen=True, slots=True)
class Run:
    """One load: mails a second, the work of this process for each, and the waits in ms."""

    rate: float
    work: float
    waits: Sequence[float]

    @property
    def worst(self) -> float:
        """The wait that one of a hundred mails exceeds."""
        return sorted(self.waits)[int(len(self.waits) * 0.99) - 1]


def measure(scale: Scale) -> list[Figure]:
    """Rates and waits of both, and their ratio."""
    with database(scale.folder, "intake") as engine:
        table = begin(engine)
        bare, ours, strewn = [], [], []
        for number in range(scale.repeats):
            mails = mails_to(seat_addresses(table, 1), scale, f"run{number}")
            bare.append(asyncio.run(load(bare_sink(), mails, scale)))
            ours.append(asyncio.run(load(_ours(table.engine), mails, scale)))
            each_its_own = seat_addresses(table, scale.sessions * scale.mails_a_session)
            mails = mails_to(each_its_own, scale, f"strewn{number}")
            strewn.append(asyncio.run(load(_ours(table.engine), mails, scale)))
        lost = sum(len(run.waits) for run in ours + strewn) - stored(table.engine)
    return [
        *_figures(bare, ours, scale),
        Figure("  the same, no address twice", ratio_of_rates(bare, strewn), ""),
        Figure("  lost of the mails taken", lost, "", under=1),
    ]


def stored(engine: Engine) -> int:
    """How many mails the inbox has; the clock and computers write rows of their own."""
    mails = select(func.count(col(Inbox.id))).where(Inbox.source == Source.SMTP)
    with session(engine) as opened:
        return opened.exec(mails).one()


def _figures(bare: Sequence[Run], ours: Sequence[Run], scale: Scale) -> list[Figure]:
    by_work = median(b.work / o.work for b, o in zip(bare, ours, strict=True))
    sessions = f"{scale.sessions} sessions"
    return [
        Figure("bare aiosmtpd sink", median(run.rate for run in bare), "mails/s", note=sessions),
        Figure("durable intake", median(run.rate for run in ours), "mails/s", note=sessions),
        Figure("  of the bare sink's rate", ratio_of_rates(bare, ours), "", at_least=0.8),
        Figure("  the same by work in the process", by_work, ""),
        Figure("  99 of 100 mails within", median(run.worst for run in ours), "ms", under=60),
        Figure("  the same of the bare sink", median(run.worst for run in bare), "ms"),
    ]


def ratio_of_rates(bare: Sequence[Run], ours: Sequence[Run]) -> float:
    """Of the rates, run by run."""
    return median(o.rate / b.rate for b, o in zip(bare, ours, strict=True))


def seat_addresses(table: Table, most: int) -> list[str]:
    """The addresses of all seats, for as many turns as make so many at least."""
    with session(table.engine) as opened:
        seats = games.seats(opened, table.game_id)
    turns = range(1, 1 + math.ceil(most / len(seats)))
    return [seat_address(HOUSE, seat, turn, 1) for turn in turns for seat in seats]


def mails_to(addresses: Sequence[str], scale: Scale, run: str) -> str:
    """Mails for `bench.senders` to the addresses in turn; `run` makes their ids its own."""
    lines = []
    for number in range(scale.sessions * scale.mails_a_session):
        to = addresses[number % len(addresses)]
        lines.append(json.dumps({"to": to, "text": TEXT.format(to=to, number=number, run=run)}))
    return "\n".join(lines)


@asynccontextmanager
async def bare_sink() -> AsyncIterator[int]:
    """The library alone, which takes every mail and forgets it; its port."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(_Sink(), loop=loop), "127.0.0.1", 0)
    async with server:
        yield _port(server)


class _Sink:
    async def handle_DATA(  # noqa: N802 - the library's name
        self, _server: SMTP, _session: SmtpSession, _envelope: Envelope
    ) -> str:
        return "250 OK"


@asynccontextmanager
async def _ours(engine: Engine) -> AsyncIterator[int]:
    """The door as `pbem smtp` opens it, but for the broker; its port."""
    reader = open_reader(engine.url.render_as_string(hide_password=False))
    with GroupCommitter(engine) as committer:
        door = mail_door(HOUSE, reader, committer, Source.SMTP)
        async with await start_smtp(door, "127.0.0.1", 0) as server:
            yield _port(server)
        await door.drain()
    reader.dispose()


def _port(server: asyncio.Server) -> int:
    port: int = server.sockets[0].getsockname()[1]
    return port


async def load(opened: AbstractAsyncContextManager[int], mails: str, scale: Scale) -> Run:
    """All mails sent to the port of the server that is opened."""
    async with opened as port:
        sent = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bench.senders", str(port), str(scale.sessions)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        begun = time.process_time()
        output, _ = await sent.communicate(mails.encode())
        work = time.process_time() - begun
    told = json.loads(output)
    count = len(told["waits"])
    return Run(count / told["seconds"], work / count, [1000 * wait for wait in told["waits"]])
