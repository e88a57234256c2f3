"""The door for mail: guards, asks who the recipient is, hands the bytes on, then answers 250.

The server runs in the caller's event loop. No mail is read here; all that is known of a mail is
its envelope and its bytes.
"""

import asyncio
import logging
import re
import ssl
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import AnyStr

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

log = logging.getLogger(__name__)

_TRY_LATER = "451 4.3.0 Something went wrong here, please try again later"
_LINE_LIMIT = 64 * 1024
_LINGER = 5.0
# 64 octets before the @ at most (RFC 5321); whatever is not as plain is left to the library.
_PLAIN_ADDRESS = re.compile(
    r"<(?P<address>(?=[^@]{1,64}@)[\w+=-]+(?:\.[\w+=-]+)*@[\w-]+(?:\.[\w-]+)*)>"
    r" *(?P<rest>[A-Z0-9= ]*)",
    re.ASCII,
)
_COMMAND_LIMITS = {"*": 200, "RCPT": 2000, "NOOP": 50, "VRFY": 20, "HELP": 20, "AUTH": 5}


@dataclass(frozen=True, slots=True)
class Arrival:
    """A mail that stands before the door. `mail_from` is empty for the null sender.

    `received_at` is the moment of the final dot, UTC. `peer` is the address of the client, `helo`
    the name that it gave.
    """

    raw: bytes
    mail_from: str
    rcpt_tos: tuple[str, ...]
    received_at: datetime
    peer: str
    helo: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one client may ask of us. Sizes in bytes, times in seconds."""

    message_size: int = 10 * 1024 * 1024
    session_size: int = 100 * 1024 * 1024
    recipients: int = 50
    connections: int = 500
    connections_per_peer: int = 50
    idle: float = 120.0
    session: float = 600.0

    @property
    def message_bytes(self) -> int:
        """What may come in between two mails: dots are doubled and commands count as well."""
        return 2 * self.message_size + _LINE_LIMIT


CheckRecipient = Callable[[str], Awaitable[str | None]]
Deliver = Callable[[Arrival], Awaitable[None]]


@dataclass(slots=True)
class Door:
    """What the sessions share.

    `check_recipient` gives None to take an address, else the whole reply ("550 5.1.1 ...").
    `deliver` returns when the mail is durable; whatever it raises becomes 451.
    """

    check_recipient: CheckRecipient
    deliver: Deliver
    hostname: str
    clock: Callable[[], datetime]
    limits: Limits = field(default_factory=Limits)
    _open: Counter[str] = field(default_factory=Counter)
    _deliveries: set[asyncio.Task[None]] = field(default_factory=set)

    def enter(self, peer: str) -> bool:
        """Count a connection; False if the house, or this peer's share of it, is full."""
        full = self._open.total() >= self.limits.connections
        if full or self._open[peer] >= self.limits.connections_per_peer:
            return False
        self._open[peer] += 1
        return True

    def leave(self, peer: str) -> None:
        """The end of a connection that entered."""
        self._open[peer] -= 1
        if self._open[peer] <= 0:
            del self._open[peer]

    async def hand_over(self, arrival: Arrival) -> None:
        """Deliver to the end, even if the client goes away meanwhile: its retry is deduplicated."""
        task = asyncio.ensure_future(self._delivered(arrival))
        self._deliveries.add(task)
        task.add_done_callback(self._delivery_done)
        await asyncio.shield(task)

    async def drain(self) -> None:
        """Wait for deliveries that outlived their client (before the store is closed)."""
        while self._deliveries:
            await asyncio.gather(*self._deliveries, return_exceptions=True)

    async def _delivered(self, arrival: Arrival) -> None:
        await self.deliver(arrival)

    def _delivery_done(self, task: asyncio.Task[None]) -> None:
        self._deliveries.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a mail could not be stored", exc_info=task.exception())


class _Hooks:
    """What aiosmtpd asks in the course of a session."""

    def __init__(self, door: Door) -> None:
        self._door = door

    async def handle_RCPT(  # noqa: N802 - the library's name
        self,
        _server: SMTP,
        _session: Session,
        envelope: Envelope,
        address: str,
        options: list[str],
    ) -> str:
        if len(envelope.rcpt_tos) >= self._door.limits.recipients:
            return "452 4.5.3 Too many recipients, please send the rest in another mail"
        refusal = await self._door.check_recipient(address)
        if refusal is not None:
            return refusal
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802 - the library's name
        self, _server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        received_at = self._door.clock()
        content = envelope.original_content or b""
        sender = envelope.mail_from or ""
        arrival = Arrival(
            raw=content,
            mail_from="" if sender == "<>" else sender,
            rcpt_tos=tuple(envelope.rcpt_tos),
            received_at=received_at,
            peer=_peer_name(session.peer),
            helo=str(session.host_name or ""),
        )
        try:
            await self._door.hand_over(arrival)
        except Exception:  # the door has logged it
            return _TRY_LATER
        return "250 2.0.0 Taken"

    async def handle_VRFY(  # noqa: N802 - the library's name
        self, _server: SMTP, _session: Session, _envelope: Envelope, _address: str
    ) -> str:
        return "252 2.5.2 Send a mail and see"

    async def handle_exception(self, error: Exception) -> str:
        log.error("an SMTP session failed", exc_info=error)
        return _TRY_LATER


class _Guard(SMTP):
    """An SMTP session with a byte budget, a deadline and a place in the door's count."""

    line_length_limit = _LINE_LIMIT

    def __init__(self, door: Door, tls: ssl.SSLContext | None) -> None:
        limits = door.limits
        self._door = door
        self._peer = ""
        self._turned_away = False
        self._deaf = False
        self._deadline: asyncio.TimerHandle | None = None
        self._bytes_in_all = 0
        self._bytes_of_mail = 0
        super().__init__(
            _Hooks(door),
            data_size_limit=limits.message_size,
            enable_SMTPUTF8=True,
            hostname=door.hostname,
            ident="ready",
            tls_context=tls,
            timeout=limits.idle,
            auth_exclude_mechanism=["LOGIN", "PLAIN"],
            command_call_limit=_COMMAND_LIMITS,
            loop=asyncio.get_running_loop(),
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Enter, or be turned away; comes a second time when STARTTLS is done."""
        if self._deadline is None:
            self._peer = _peer_name(transport.get_extra_info("peername"))
            if not self._door.enter(self._peer):
                self._turn_away(transport)
                return
            self._deadline = self.loop.call_later(self._door.limits.session, self._cut)
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """Count before aiosmtpd does: it would read one endless line without any limit."""
        if self._turned_away or self._deaf:
            return
        self._bytes_in_all += len(data)
        self._bytes_of_mail += len(data)
        limits = self._door.limits
        if self._bytes_of_mail > limits.message_bytes or self._bytes_in_all > limits.session_size:
            self._cut(b"552 5.3.4 That is too much data\r\n")
            return
        super().data_received(data)

    def eof_received(self) -> bool | None:
        """The client has said all."""
        return None if self._turned_away else super().eof_received()

    def connection_lost(self, error: Exception | None) -> None:
        """Free the place."""
        if self._turned_away:
            return
        if self._deadline is not None:
            self._deadline.cancel()
            self._door.leave(self._peer)
        super().connection_lost(error)

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Plain addresses at a glance: the library reads each as a header, a fourth of its time."""
        plain = _PLAIN_ADDRESS.fullmatch(arg)
        if plain is not None:
            return plain["address"], plain["rest"]
        read: tuple[str | None, str | None] = super()._getaddr(arg)
        return read

    def _set_post_data_state(self) -> None:
        self._bytes_of_mail = 0
        super()._set_post_data_state()  # type: ignore[no-untyped-call]

    def _turn_away(self, transport: asyncio.BaseTransport) -> None:
        self._turned_away = True
        if isinstance(transport, asyncio.WriteTransport):
            transport.write(b"421 4.7.0 Too many connections, please come back later\r\n")
        transport.close()

    def _cut(self, last_words: bytes = b"421 4.4.2 The session took too long\r\n") -> None:
        transport = self.transport
        if isinstance(transport, asyncio.WriteTransport):
            self._deaf = True
            transport.write(last_words)
            transport.close()
            # A peer that does not read would keep what was written, and its place, for ever.
            self.loop.call_later(_LINGER, transport.abort)


class _LmtpGuard(_Guard, LMTP):
    """LMTP: after the content one reply for each recipient."""

    def __init__(self, door: Door, tls: ssl.SSLContext | None) -> None:
        self._replies = 1
        super().__init__(door, tls)

    async def push(self, status: AnyStr) -> None:
        """Write a reply, as often as the protocol asks for it."""
        if status[:3] in ("354", b"354") and self.envelope is not None:
            self._replies = len(self.envelope.rcpt_tos)
            await super().push(status)
            return
        times, self._replies = self._replies, 1
        for _ in range(times):
            await super().push(status)


def _peer_name(peername: object) -> str:
    return str(peername[0]) if isinstance(peername, tuple) and peername else str(peername or "")


async def start_smtp(
    door: Door, host: str, port: int, *, tls: ssl.SSLContext | None = None
) -> asyncio.Server:
    """Listen for SMTP in the running loop. OSError if the port is taken."""
    loop = asyncio.get_running_loop()
    return await loop.create_server(lambda: _Guard(door, tls), host, port)


async def start_lmtp(door: Door, host: str, port: int) -> asyncio.Server:
    """Listen for LMTP, for a mail server in front of us. OSError if the port is taken."""
    loop = asyncio.get_running_loop()
    return await loop.create_server(lambda: _LmtpGuard(door, None), host, port)
