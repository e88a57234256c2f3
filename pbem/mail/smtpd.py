"""The door for mail: guards, asks who the recipient is, hands the bytes on, then answers 250.

The server runs in the caller's event loop. No mail is read here; all that is known of a mail is
its envelope and its bytes.
"""

import asyncio
import logging
import re
import socket
import ssl
from collections.abc import Callable
from typing import AnyStr

from aiosmtpd.lmtp import LMTP
from aiosmtpd.proxy_protocol import V2_CMD, ProxyData
from aiosmtpd.smtp import SMTP, Envelope, Session, TLSSetupException, syntax

from .content import Content
from .door import LONGEST_LINE, Arrival, Asked, Door, Limits, plain_address

__all__ = ["Arrival", "Asked", "Door", "Limits", "Tls", "start_lmtp", "start_smtp"]

log = logging.getLogger(__name__)

Tls = Callable[[], ssl.SSLContext]
"""Gives the context for a connection that begins now."""

_TRY_LATER = "451 4.3.0 Something went wrong here, please try again later"
_FULL = b"421 4.7.0 Too many connections, please come back later\r\n"
_LINGER = 5.0
_PROGRESS = 64 * 1024
# 64 octets before the @ at most (RFC 5321); whatever is not as plain is left to the library.
_PLAIN_ADDRESS = re.compile(
    r"<(?P<address>(?=[^@]{1,64}@)[\w+=-]+(?:\.[\w+=-]+)*@[\w-]+(?:\.[\w-]+)*)>"
    r" *(?P<rest>[A-Z0-9= ]*)",
    re.ASCII,
)
# The one address that needs no domain (RFC 5321, 4.5.1).
_POSTMASTER = re.compile(r"<(?P<address>postmaster)> *", re.IGNORECASE)
# A server in front of us sends many mails through one session; bytes and time limit them as well.
_COMMAND_LIMITS = {
    "*": 20,
    "MAIL": 2000,
    "RCPT": 10_000,
    "DATA": 2000,
    "RSET": 2000,
    "NOOP": 50,
    "AUTH": 5,
}


class _Hooks:
    """What aiosmtpd asks in the course of a session."""

    def __init__(self, door: Door) -> None:
        self._door = door

    async def handle_RCPT(  # noqa: N802 - the library's name
        self,
        server: "_Guard",
        _session: Session,
        envelope: Envelope,
        address: str,
        options: list[str],
    ) -> str:
        if len(envelope.rcpt_tos) >= self._door.limits.recipients:
            return "452 4.5.3 Too many recipients, please send the rest in another mail"
        refusal = await self._door.check_recipient(Asked(address, _sender(envelope), server.client))
        if refusal is not None:
            return refusal
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802 - the library's name
        self, server: "_Guard", session: Session, envelope: Envelope
    ) -> str:
        arrival = Arrival(
            raw=envelope.original_content or b"",
            mail_from=_sender(envelope),
            rcpt_tos=tuple(envelope.rcpt_tos),
            received_at=self._door.clock(),
            peer=server.client,
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

    async def handle_PROXY(  # noqa: N802 - the library's name
        self, server: "_Guard", _session: Session, _envelope: Envelope, told: ProxyData
    ) -> bool:
        """Whether the header says who the client is, and that one may come in."""
        named = told.src_addr if told.command is not V2_CMD.LOCAL else None
        return bool(told.valid) and server.stand_for(str(named or ""))

    async def handle_exception(self, error: Exception) -> str:
        if isinstance(error, TLSSetupException):
            # Strangers who try old ciphers are no trouble of ours.
            log.info("a TLS handshake failed: %s", error.__cause__)
            return _TRY_LATER
        log.error("an SMTP session failed", exc_info=error)
        return _TRY_LATER


class _Guard(SMTP):
    """An SMTP session with a byte budget, a deadline and a place in the door's count."""

    line_length_limit = LONGEST_LINE

    def __init__(self, door: Door, tls: Tls | None) -> None:
        limits = door.limits
        self._door = door
        self.client = ""
        self._counted = False
        self._turned_away = False
        self._deaf = False
        self._deadline: asyncio.TimerHandle | None = None
        self._idle_until = 0.0
        self._bytes_in_all = 0
        self._taking: Content | None = None
        self._taken: asyncio.Future[None]
        self._bytes_of_mail = 0
        super().__init__(
            _Hooks(door),
            data_size_limit=limits.message_size,
            enable_SMTPUTF8=True,
            hostname=door.hostname,
            ident="ready",
            tls_context=None if tls is None else tls(),
            timeout=limits.idle,
            auth_exclude_mechanism=["LOGIN", "PLAIN"],
            command_call_limit=_COMMAND_LIMITS,
            loop=asyncio.get_running_loop(),
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Enter, or be turned away; comes a second time when STARTTLS is done."""
        if self._deadline is None:
            self.client = _peer_name(transport.get_extra_info("peername"))
            if not self._door.enter(self.client):
                self._turn_away(transport)
                return
            self._counted = True
            if self._door.is_proxy(self.client):
                self._proxy_timeout = self._door.limits.proxy_header
            self._deadline = self.loop.call_later(self._door.limits.session, self._cut)
        super().connection_made(transport)

    def stand_for(self, client: str) -> bool:
        """The peer is a proxy and has named its client, which takes the peer's place in the count.

        Without a name (a check of the proxy's own) the proxy is the client.
        """
        if not client:
            return True
        self._door.leave(self.client)
        self.client = plain_address(client)
        if self._door.enter(self.client):
            return True
        self._counted = False
        self._writer.write(_FULL)
        return False

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
        if self._taking is not None:
            if self._bytes_of_mail // _PROGRESS > (self._bytes_of_mail - len(data)) // _PROGRESS:
                self._reset_timeout()  # a slow line that moves is not idle
            self._take(data)
        else:
            super().data_received(data)

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 - the library's name
        """Take the content; its bytes go past the library, which would read it line by line."""
        assert self.envelope is not None
        if await self.check_helo_needed():
            return
        if not self.envelope.rcpt_tos or arg:
            await self.push("501 Syntax: DATA" if arg else "503 Error: need RCPT command")
            return
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        content = await self._content()
        if content.is_too_large:
            reply = "552 5.3.4 Error: Too much mail data"
        elif content.has_long_line:
            reply = "500 5.5.2 Line too long (see RFC5321 4.5.3.1.6)"
        else:
            self.envelope.original_content = content.whole()
            reply = await self._call_handler_hook("DATA")
        self._set_post_data_state()
        await self.push(reply)

    async def _content(self) -> Content:
        """All up to the final dot. Cancelled, as all of a session, when the client goes away."""
        content = Content(self._door.limits.message_size, self.line_length_limit)
        self._taking, self._taken = content, self.loop.create_future()
        early = len(self._reader._buffer)  # type: ignore[attr-defined]
        if early:  # the client did not wait for our reply
            self._take(await self._reader.read(early))
        await self._taken
        return content

    def _take(self, data: bytes) -> None:
        assert self._taking is not None
        rest = self._taking.feed(data)
        if rest is None:
            return
        self._taking = None
        if not self._taken.done():
            self._taken.set_result(None)
        if rest:
            super().data_received(rest)

    def eof_received(self) -> bool | None:
        """The client has said all."""
        return None if self._turned_away else super().eof_received()

    def connection_lost(self, error: Exception | None) -> None:
        """Free the place."""
        if self._turned_away:
            return
        if self._deadline is not None:
            self._deadline.cancel()
        if self._counted:
            self._counted = False
            self._door.leave(self.client)
        super().connection_lost(error)

    def _reset_timeout(self, duration: float | None = None) -> None:
        """One timer, looked at when it rings: the library makes a new one at each command."""
        self._idle_until = self.loop.time() + (duration or self._timeout_duration)
        armed = self._timeout_handle
        if armed is None or armed.when() > self._idle_until:
            if armed is not None:
                armed.cancel()
            self._arm()

    def _arm(self) -> None:
        self._timeout_handle = self.loop.call_at(self._idle_until, self._timeout_cb)

    def _timeout_cb(self) -> None:
        if self.loop.time() < self._idle_until:
            self._arm()
        else:
            super()._timeout_cb()  # type: ignore[no-untyped-call]

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Plain addresses at a glance: the library reads each as a header, a fourth of its time."""
        plain = _PLAIN_ADDRESS.fullmatch(arg)
        if plain is not None:
            return plain["address"], plain["rest"]
        if (lone := _POSTMASTER.fullmatch(arg or "")) is not None:
            return lone["address"], ""
        read: tuple[str | None, str | None] = super()._getaddr(arg)
        return read

    def _set_post_data_state(self) -> None:
        self._bytes_of_mail = 0
        super()._set_post_data_state()  # type: ignore[no-untyped-call]

    def _turn_away(self, transport: asyncio.BaseTransport) -> None:
        self._turned_away = True
        if isinstance(transport, asyncio.WriteTransport):
            transport.write(_FULL)
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

    def __init__(self, door: Door, tls: Tls | None) -> None:
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
    named = peername[0] if isinstance(peername, tuple) and peername else peername or ""
    return plain_address(str(named))


def _sender(envelope: Envelope) -> str:
    """The envelope's sender, empty for the null sender."""
    found = envelope.mail_from or ""
    return "" if found == "<>" else found


async def start_smtp(
    door: Door,
    host: str | None = None,
    port: int | None = None,
    *,
    sock: socket.socket | None = None,
    tls: Tls | None = None,
) -> asyncio.Server:
    """Listen for SMTP in the running loop, at an address or on a socket that is bound already.

    OSError if the port is taken.
    """
    return await _listen(lambda: _Guard(door, tls), host, port, sock)


async def start_lmtp(
    door: Door,
    host: str | None = None,
    port: int | None = None,
    *,
    sock: socket.socket | None = None,
    tls: Tls | None = None,
) -> asyncio.Server:
    """Listen for LMTP, for a mail server in front of us; else as `start_smtp`."""
    return await _listen(lambda: _LmtpGuard(door, tls), host, port, sock)


async def _listen(
    session: Callable[[], _Guard], host: str | None, port: int | None, sock: socket.socket | None
) -> asyncio.Server:
    loop = asyncio.get_running_loop()
    if sock is not None:
        return await loop.create_server(session, sock=sock)
    return await loop.create_server(session, host, port or 0)
