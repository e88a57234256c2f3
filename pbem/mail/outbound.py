"""Sending through a relay: one connection for many letters, one outcome for each."""

import asyncio
import contextlib
import hashlib
import re
import ssl
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from types import TracebackType
from typing import Self
from urllib.parse import SplitResult, unquote, urlsplit

import aiosmtplib

GIVE_UP_AFTER = timedelta(hours=48)
OUTCOME_UNKNOWN = timedelta(minutes=15)
_LETTERS_PER_CONNECTION = 100
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_ENHANCED = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")


@dataclass(frozen=True, slots=True)
class Relay:
    """The server that takes our letters; `tls` from the first byte, or STARTTLS if it is offered.

    With a user name STARTTLS is demanded, but on loopback: a password never goes over a network
    in the clear.
    """

    host: str
    port: int
    user: str | None = None
    password: str | None = None
    tls: bool = False

    @property
    def demands_starttls(self) -> bool:
        """Whether letters stay here rather than go over an open line."""
        return self.user is not None and not self.tls and self.host not in _LOOPBACK


class FailedKind(StrEnum):
    """Who has to act: the player's address is wrong, the operator is refused, the mail is big."""

    BOUNCE = "bounce"
    POLICY = "policy"
    TOO_LARGE = "too-large"


@dataclass(frozen=True, slots=True)
class Sent:
    """The relay took it."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Deferred:
    """Not taken now; worth another try. `code` is None if no server answered."""

    code: int | None
    text: str

    @property
    def slows_domain(self) -> bool:
        """Whether the receiver asks us to send less to the whole domain (421, 450 4.7.x)."""
        found = _ENHANCED.search(self.text)
        return self.code == 421 or (self.code == 450 and found is not None and found[2] == "7")


@dataclass(frozen=True, slots=True)
class Failed:
    """Refused for good."""

    code: int
    text: str
    kind: FailedKind


@dataclass(frozen=True, slots=True)
class Unknown:
    """The connection went after the final dot: the relay may have the letter."""

    text: str


Outcome = Sent | Deferred | Failed | Unknown


def domain_of(address: str) -> str:
    """The domain of an address, in lower case."""
    return address.rpartition("@")[2].lower()


def parse_relay(url: str) -> Relay:
    """Read `smtp://user:pw@host:port` or `smtps://...`. ValueError with one clear line.

    Ports if none is named: 25 for smtp, 587 for smtp with a user, 465 for smtps.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("smtp", "smtps"):
        raise ValueError("the relay must begin with smtp:// or smtps://")
    if not parts.hostname:
        raise ValueError("the relay names no host")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError("the relay ends after host and port")
    user = unquote(parts.username) if parts.username else None
    password = unquote(parts.password) if parts.password is not None else None
    port = _port(parts) or (465 if parts.scheme == "smtps" else 587 if user else 25)
    return Relay(parts.hostname, port, user, password, tls=parts.scheme == "smtps")


def _port(parts: SplitResult) -> int | None:
    try:
        return parts.port
    except ValueError:
        raise ValueError("the relay's port must be a number up to 65535") from None


class Sender:
    """Sends letters one after the other and keeps the connection between them.

    One letter at a time: a process that sends in parallel holds several senders. A sender serves
    either one event loop (`send`, `close`) or plain functions (`send_sync`, `close_sync`), for
    which it keeps a loop of its own, so that their connection lives on between calls too.
    """

    def __init__(self, relay: Relay, *, hostname: str | None = None, timeout: float = 30.0) -> None:
        self._relay = relay
        self._hostname = hostname
        self._timeout = timeout
        self._client: aiosmtplib.SMTP | None = None
        self._sent_here = 0
        self._runner: asyncio.Runner | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def send(
        self,
        envelope_from: str,
        to: str,
        raw: bytes,
        on_data: Callable[[], None] | None = None,
    ) -> Outcome:
        """Hand one letter to the relay and say what became of it. Never raises for the relay.

        `on_data` runs once, before the first byte of the content goes out: the place to note that
        from now on the outcome may be unknown. What it raises goes to the caller, nothing is sent.
        """
        try:
            client = await self._begin(envelope_from, to, len(raw))
        except (aiosmtplib.SMTPException, OSError, ssl.SSLError, ValueError) as error:
            return await self._not_begun(error)
        if on_data is not None:
            try:
                on_data()
            except BaseException:
                await self._drop()
                raise
        return await self._content(client, raw)

    async def greet(self) -> Sent | Deferred:
        """Go in as for a letter, without one; what the relay says to that."""
        try:
            client = await self._connect()
        except (aiosmtplib.SMTPException, OSError, ssl.SSLError, ValueError) as error:
            outcome = await self._not_begun(error)
            return Deferred(getattr(outcome, "code", None), outcome.text)
        tls = "with TLS" if client.get_transport_info("sslcontext") else "in the clear"
        login = "" if self._relay.user is None else f", as {self._relay.user}"
        await self.close()
        return Sent(f"{self._relay.host}:{self._relay.port} lets us in {tls}{login}")

    async def close(self) -> None:
        """Say goodbye and close."""
        client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(aiosmtplib.SMTPException, OSError):
                await client.quit()
            client.close()

    def send_sync(
        self,
        envelope_from: str,
        to: str,
        raw: bytes,
        on_data: Callable[[], None] | None = None,
    ) -> Outcome:
        """As `send`, for plain functions; blocks."""
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner.run(self.send(envelope_from, to, raw, on_data))

    def greet_sync(self) -> Sent | Deferred:
        """As `greet`, for plain functions; blocks, and leaves nothing open."""
        return asyncio.run(self.greet())

    def close_sync(self) -> None:
        """Say goodbye and close the loop behind `send_sync`."""
        runner, self._runner = self._runner, None
        if runner is not None:
            runner.run(self.close())
            runner.close()

    async def _begin(self, envelope_from: str, to: str, size: int) -> aiosmtplib.SMTP:
        """MAIL and RCPT, on a new connection if the kept one has gone in the meantime."""
        if self._client is not None:
            try:
                return await _envelope(self._client, envelope_from, to, size)
            except (aiosmtplib.SMTPServerDisconnected, aiosmtplib.SMTPTimeoutError, OSError):
                await self._drop()
            except aiosmtplib.SMTPSenderRefused as error:
                if error.code != 421:
                    raise
                await self._drop()
        client = await self._connect()
        return await _envelope(client, envelope_from, to, size)

    async def _connect(self) -> aiosmtplib.SMTP:
        relay = self._relay
        client = aiosmtplib.SMTP(
            hostname=relay.host,
            port=relay.port,
            username=relay.user,
            password=relay.password,
            local_hostname=self._hostname,
            timeout=self._timeout,
            use_tls=relay.tls,
            start_tls=False if relay.tls else True if relay.demands_starttls else None,
            # Without a password, encryption to a host nobody can name beats an open line.
            validate_certs=relay.tls or relay.demands_starttls,
        )
        await client.connect()
        self._client, self._sent_here = client, 0
        return client

    async def _not_begun(self, error: Exception) -> Outcome:
        if isinstance(error, aiosmtplib.SMTPAuthenticationError):
            # The operator's password, not the player's address: the letter waits.
            await self._drop()
            return Deferred(error.code, f"the relay refuses our login: {error.message}")
        if isinstance(error, aiosmtplib.SMTPResponseException):
            if isinstance(error, aiosmtplib.SMTPConnectResponseError | aiosmtplib.SMTPHeloError):
                # The relay's mood, not this letter: it may open again.
                await self._drop()
                return Deferred(error.code, error.message)
            await self._reset(error.code)
            outcome = refused(error.code, error.message)
            if isinstance(error, aiosmtplib.SMTPSenderRefused):
                return _not_the_recipients(outcome)
            return outcome
        await self._drop()
        return Deferred(None, str(error) or type(error).__name__)

    async def _content(self, client: aiosmtplib.SMTP, raw: bytes) -> Outcome:
        try:
            answer = await client.data(raw)
        except aiosmtplib.SMTPDataError as error:
            await self._reset(error.code)
            return refused(error.code, error.message)
        except (aiosmtplib.SMTPException, OSError) as error:
            await self._drop()
            return Unknown(str(error) or type(error).__name__)
        await self._count()
        return Sent(answer.message)

    async def _count(self) -> None:
        self._sent_here += 1
        if self._sent_here >= _LETTERS_PER_CONNECTION:
            await self.close()

    async def _reset(self, code: int) -> None:
        """Make the connection ready for the next letter, or give it up."""
        if code == 421 or self._client is None:
            await self._drop()
            return
        try:
            await self._client.rset()
        except (aiosmtplib.SMTPException, OSError):
            await self._drop()

    async def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()


async def _envelope(
    client: aiosmtplib.SMTP, envelope_from: str, to: str, size: int
) -> aiosmtplib.SMTP:
    announced = [f"SIZE={size}"] if client.supports_extension("size") else []
    await client.mail(envelope_from, options=announced)
    await client.rcpt(to)
    return client


def _not_the_recipients(outcome: Outcome) -> Outcome:
    """The relay will not have *our* address: no bounce of the player's, the operator has to act."""
    if isinstance(outcome, Failed) and outcome.kind is FailedKind.BOUNCE:
        return replace(outcome, kind=FailedKind.POLICY)
    return outcome


def refused(code: int, text: str) -> Outcome:
    """What a reply that is no success means for the letter."""
    if not 500 <= code < 600:
        return Deferred(code, text)
    found = _ENHANCED.search(text)
    detail = (found[2], found[3]) if found else ("", "")
    if (code in (523, 552) and detail != ("2", "2")) or detail in (("3", "4"), ("2", "3")):
        return Failed(code, text, FailedKind.TOO_LARGE)
    if detail[0] == "7":
        return Failed(code, text, FailedKind.POLICY)
    return Failed(code, text, FailedKind.BOUNCE)


def retry_at(
    now: datetime,
    attempts: int,
    steps: tuple[timedelta, ...],
    outcome: Outcome,
    unknown: timedelta = OUTCOME_UNKNOWN,
) -> datetime | None:
    """When to try again after `attempts` tries, or None if the letter is done, sent or not.

    The last step repeats until 48 hours have gone. A tenth at most is added to each wait, the same
    for the same moment and attempt, so that letters that failed together do not come together.
    """
    if isinstance(outcome, Sent | Failed) or not steps:
        return None
    waits = [_step(steps, number) for number in range(attempts)]
    if sum(waits, timedelta()) > GIVE_UP_AFTER:
        return None
    wait = max(unknown, waits[-1]) if isinstance(outcome, Unknown) else waits[-1]
    return now + wait * (1 + _jitter(now, attempts))


def _step(steps: tuple[timedelta, ...], number: int) -> timedelta:
    return steps[min(number, len(steps) - 1)]


def _jitter(now: datetime, attempts: int) -> float:
    digest = hashlib.sha256(f"{now.isoformat()}|{attempts}".encode()).digest()
    return int.from_bytes(digest[:4], "big") / 2**32 / 10
