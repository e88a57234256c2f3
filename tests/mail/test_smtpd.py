"""The door over real sockets: who is let in, what is handed on, and what it stands."""

import asyncio
import contextlib
import logging
import os
import shutil
import smtplib
import ssl
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from ipaddress import ip_network
from pathlib import Path
from typing import TypeVar

import pytest

from pbem.mail.smtpd import Arrival, Asked, Door, Limits, start_lmtp, start_smtp
from pbem.mail.tls import Certificate

T = TypeVar("T")

NOW = datetime(2026, 12, 1, 20, 0, tzinfo=UTC)
UNKNOWN = "550 5.1.1 No game is played here under this address"
MAIL = b"Subject: orders\r\n\r\nplace 5 in Siam\r\n..and a dot\r\n"


@dataclass
class House:
    """Behind the door: knows some addresses, keeps what arrives, or fails when told to."""

    known: frozenset[str] = frozenset({"a@example.org", "b@example.org", "postmaster@example.org"})
    arrived: list[Arrival] = field(default_factory=list)
    trouble: Exception | None = None
    gate: asyncio.Event | None = None
    delivered: asyncio.Task[None] | None = None

    async def check(self, asked: Asked) -> str | None:
        return None if asked.recipient in self.known else UNKNOWN

    def deliver(self, arrival: Arrival) -> asyncio.Future[None]:
        self.delivered = asyncio.ensure_future(self._deliver(arrival))
        return asyncio.shield(self.delivered)

    async def _deliver(self, arrival: Arrival) -> None:
        if self.gate is not None:
            await self.gate.wait()
        if self.trouble is not None:
            raise self.trouble
        self.arrived.append(arrival)

    def door(self, limits: Limits, *proxies: str) -> Door:
        networks = [ip_network(each) for each in proxies]
        return Door(self.check, self.deliver, "play.example.org", lambda: NOW, limits, networks)


@asynccontextmanager
async def open_house(
    house: House, limits: Limits | None = None, *proxies: str, lmtp: bool = False
) -> AsyncIterator[tuple[int, Door]]:
    door = house.door(limits or Limits(), *proxies)
    start = start_lmtp if lmtp else start_smtp
    server = await start(door, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], door
    await door.drain()


async def smtp(port: int, talk: Callable[[smtplib.SMTP], T]) -> T:
    def session() -> T:
        with smtplib.SMTP("127.0.0.1", port, "client.example.org", timeout=10) as client:
            return talk(client)

    return await asyncio.to_thread(session)


def mail(*recipients: str, sender: str = "anna@example.com") -> Callable[[smtplib.SMTP], object]:
    return lambda client: client.sendmail(sender, recipients or ["a@example.org"], MAIL)


class Raw:
    """A client that says exactly what the test says."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def say(self, *lines: str) -> str:
        for line in lines:
            self.writer.write(line.encode() + b"\r\n")
        return await self.hear()

    async def hear(self) -> str:
        while line := (await asyncio.wait_for(self.reader.readline(), 10)).decode():
            if line[3:4] != "-":
                return line.strip()
        return ""

    async def begin_content(self) -> None:
        await self.hear()
        for line in ("EHLO c", "MAIL FROM:<x@y.org>", "RCPT TO:<a@example.org>", "DATA"):
            await self.say(line)


@asynccontextmanager
async def raw_client(port: int) -> AsyncIterator[Raw]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    client = Raw(reader, writer)
    try:
        yield client
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def test_a_mail_is_handed_on_as_it_came() -> None:
    house = House()
    async with open_house(house) as (port, _):
        await smtp(port, mail("a@example.org", "b@example.org"))
    assert house.arrived == [
        Arrival(
            raw=MAIL,
            mail_from="anna@example.com",
            rcpt_tos=("a@example.org", "b@example.org"),
            received_at=NOW,
            peer="127.0.0.1",
            helo="client.example.org",
        )
    ]


async def test_a_stranger_is_refused_with_the_callers_sentence() -> None:
    house = House()
    async with open_house(house) as (port, _):
        with pytest.raises(smtplib.SMTPRecipientsRefused) as caught:
            await smtp(port, mail("nobody@example.org"))
    assert caught.value.recipients == {"nobody@example.org": (550, UNKNOWN[4:].encode())}
    assert house.arrived == []


async def test_a_server_in_front_of_us_sends_many_mails_in_one_session() -> None:
    house = House()
    async with open_house(house) as (port, _):
        await smtp(port, lambda client: [mail()(client) for _ in range(250)])
    assert len(house.arrived) == 250


async def test_the_null_sender_and_postmaster_come_in() -> None:
    house = House()
    async with open_house(house) as (port, _):
        await smtp(port, mail("postmaster@example.org", sender="<>"))
    assert house.arrived[0].mail_from == ""


async def test_postmaster_needs_no_domain() -> None:
    house = House(known=frozenset({"postmaster"}))
    async with open_house(house) as (port, _), raw_client(port) as client:
        await client.hear()
        await client.say("EHLO c")
        await client.say("MAIL FROM:<>")
        assert (await client.say("RCPT TO:<Postmaster>")).startswith("550")
        assert (await client.say("RCPT TO:<postmaster>")).startswith("250")


async def test_the_size_is_announced_and_a_bigger_mail_refused() -> None:
    async with open_house(House(), Limits(message_size=1000)) as (port, _):
        code, features = await smtp(port, lambda client: client.ehlo())
        assert code == 250
        assert b"SIZE 1000" in features
        with pytest.raises(smtplib.SMTPResponseException) as caught:
            await smtp(port, lambda c: c.sendmail("x@y.org", ["a@example.org"], b"x" * 2000))
    assert caught.value.smtp_code == 552


async def test_many_mails_go_over_one_connection() -> None:
    house = House()

    def talk(client: smtplib.SMTP) -> None:
        for _ in range(40):
            client.sendmail("anna@example.com", ["a@example.org"], MAIL)

    async with open_house(house) as (port, _):
        await smtp(port, talk)
    assert len(house.arrived) == 40


async def test_a_store_in_trouble_is_a_try_later_and_tells_nothing_of_itself() -> None:
    house = House(trouble=OSError("disk /var/lib/secret is full"))
    async with open_house(house) as (port, _):
        with pytest.raises(smtplib.SMTPDataError) as caught:
            await smtp(port, mail())
        house.trouble = None
        await smtp(port, mail())
    assert caught.value.smtp_code == 451
    assert "secret" not in str(caught.value.smtp_error)
    assert len(house.arrived) == 1


async def test_trouble_at_the_recipient_is_a_try_later() -> None:
    async def broken(_asked: Asked) -> str | None:
        raise OSError("no database secret")

    door = Door(broken, House().deliver, "play.example.org", lambda: NOW)
    async with await start_smtp(door, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(smtplib.SMTPRecipientsRefused) as caught:
            await smtp(port, mail())
    code, text = caught.value.recipients["a@example.org"]
    assert code == 451
    assert b"secret" not in text


async def test_a_client_that_goes_away_does_not_undo_the_delivery() -> None:
    house = House(gate=asyncio.Event())
    assert house.gate is not None
    async with open_house(house) as (port, _):
        async with raw_client(port) as client:
            await client.begin_content()
            client.writer.write(b"Subject: x\r\n\r\nx\r\n.\r\n")
            await client.writer.drain()
            await asyncio.sleep(0.1)
        await asyncio.sleep(0.1)
        assert house.arrived == []
        house.gate.set()
        assert house.delivered is not None
        await house.delivered
    assert len(house.arrived) == 1


async def test_one_endless_line_is_cut() -> None:
    house = House()
    limits = Limits(message_size=100_000)
    async with open_house(house, limits) as (port, _), raw_client(port) as client:
        await client.begin_content()
        sent = 0
        with contextlib.suppress(ConnectionError):
            while sent < 20 * limits.message_bytes:
                client.writer.write(b"x" * 50_000)
                await client.writer.drain()
                sent += 50_000
        with contextlib.suppress(ConnectionError):
            assert await client.hear() in ("552 5.3.4 That is too much data", "")
        assert sent < 20 * limits.message_bytes
    assert house.arrived == []


async def test_long_lines_of_html_are_taken() -> None:
    house = House()
    content = b"Subject: x\r\n\r\n" + b"x" * 60_000 + b"\r\n"
    async with open_house(house) as (port, _):
        await smtp(port, lambda c: c.sendmail("x@y.org", ["a@example.org"], content))
    assert house.arrived[0].raw == content


async def test_a_session_ends_at_its_deadline_however_busy_it_is() -> None:
    limits = Limits(session=0.3)
    async with open_house(House(), limits) as (port, door), raw_client(port) as client:
        await client.hear()
        replies = [await client.say("EHLO c")]
        for _ in range(40):
            if not replies[-1] or replies[-1].startswith("421"):
                break
            await asyncio.sleep(0.05)
            with contextlib.suppress(ConnectionError):
                replies.append(await client.say("NOOP"))
        assert replies[-1] in ("", "421 4.4.2 The session took too long")
        await asyncio.sleep(0.05)
        assert door.enter("127.0.0.1")


async def test_an_idle_session_is_closed() -> None:
    async with open_house(House(), Limits(idle=0.1)) as (port, _), raw_client(port) as client:
        await client.hear()
        assert await client.reader.read() == b""


async def test_a_slow_line_that_moves_is_not_idle_and_one_that_drips_is() -> None:
    house = House()
    async with open_house(house, Limits(idle=0.4)) as (port, _):
        async with raw_client(port) as client:
            await client.begin_content()
            for _ in range(12):
                client.writer.write((b"x" * 998 + b"\r\n") * 66)
                await client.writer.drain()
                await asyncio.sleep(0.05)
            assert (await client.say("", ".")).startswith("250")
        async with raw_client(port) as client:
            await client.begin_content()
            with contextlib.suppress(ConnectionError):
                for _ in range(30):
                    client.writer.write(b"x")
                    await client.writer.drain()
                    await asyncio.sleep(0.05)
                assert await client.hear() == ""
    assert len(house.arrived) == 1


async def test_too_many_connections_are_turned_away_until_one_leaves() -> None:
    house = House()
    async with open_house(house, Limits(connections_per_peer=2)) as (port, _):
        async with raw_client(port) as one, raw_client(port) as two, raw_client(port) as three:
            assert (await one.hear()).startswith("220")
            assert (await two.hear()).startswith("220")
            assert (await three.hear()).startswith("421")
            assert await three.reader.read() == b""
        await asyncio.sleep(0.05)
        await smtp(port, mail())
    assert len(house.arrived) == 1


async def test_recipients_beyond_the_cap_are_asked_to_wait() -> None:
    house = House()
    async with open_house(house, Limits(recipients=1)) as (port, _):
        refused = await smtp(port, mail("a@example.org", "b@example.org"))
    assert isinstance(refused, dict)
    assert refused["b@example.org"][0] == 452
    assert house.arrived[0].rcpt_tos == ("a@example.org",)


async def test_odd_commands_do_no_harm() -> None:
    async with open_house(House()) as (port, _), raw_client(port) as client:
        await client.hear()
        await client.say("EHLO c")
        assert (await client.say("NOOP")).startswith("250")
        assert (await client.say("VRFY anna@example.org")).startswith("252")
        assert (await client.say("RSET")).startswith("250")
        assert (await client.say("EXPN x")).startswith("502")
        assert (await client.say("AUTH PLAIN AGEAYg==")).startswith("5")
        assert (await client.say("RCPT TO:<a@example.org>")).startswith("503")
        assert (await client.say("\xff\xfe")).startswith("500")
        assert (await client.say("QUIT")).startswith("221")


async def test_a_command_repeated_without_end_closes_the_session() -> None:
    async with open_house(House()) as (port, _), raw_client(port) as client:
        await client.hear()
        await client.say("EHLO c")
        replies = {(await client.say("NOOP"))[:3] for _ in range(51)}
        assert replies == {"250", "421"}


async def test_a_bare_line_feed_ends_no_mail() -> None:
    house = House()
    async with open_house(house) as (port, _), raw_client(port) as client:
        await client.begin_content()
        client.writer.write(b"Subject: x\r\n\r\none\n.\nMAIL FROM:<evil@y.org>\r\n.\r\n")
        assert (await client.hear()).startswith("250")
    assert [arrival.mail_from for arrival in house.arrived] == ["x@y.org"]
    assert b"evil" in house.arrived[0].raw


async def test_lmtp_replies_once_for_each_recipient() -> None:
    house = House()
    async with open_house(house, lmtp=True) as (port, _), raw_client(port) as client:
        assert (await client.hear()).startswith("220")
        assert (await client.say("EHLO c")).startswith("500")
        assert (await client.say("LHLO c")).startswith("250")
        await client.say("MAIL FROM:<x@y.org>")
        assert (await client.say("RCPT TO:<a@example.org>")).startswith("250")
        assert (await client.say("RCPT TO:<nobody@example.org>")) == UNKNOWN
        assert (await client.say("RCPT TO:<b@example.org>")).startswith("250")
        assert (await client.say("DATA")).startswith("354")
        assert (await client.say("Subject: x", "", "x", ".")).startswith("250")
        assert (await client.hear()).startswith("250")
        assert (await client.say("NOOP")).startswith("250")
        assert (await client.say("QUIT")).startswith("221")
    assert house.arrived[0].rcpt_tos == ("a@example.org", "b@example.org")


async def test_lmtp_refuses_once_for_each_recipient_too() -> None:
    limits = Limits(message_size=100)
    async with open_house(House(), limits, lmtp=True) as (port, _), raw_client(port) as client:
        await client.hear()
        for line in ("LHLO c", "MAIL FROM:<x@y.org>", "RCPT TO:<a@example.org>"):
            await client.say(line)
        await client.say("RCPT TO:<b@example.org>")
        await client.say("DATA")
        assert (await client.say("x" * 200, ".")).startswith("552")
        assert (await client.hear()).startswith("552")
        assert (await client.say("NOOP")).startswith("250")


@pytest.fixture
def certificate(tmp_path: Path) -> ssl.SSLContext:
    """A server's TLS context with a certificate made for this test."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not on PATH")
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=t"
    files = ["-keyout", str(key), "-out", str(cert)]
    subprocess.run(["openssl", *request.split(), *files], check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(cert, key)
    return context


async def test_starttls_is_offered_and_taken(certificate: ssl.SSLContext) -> None:
    house = House()

    def talk(client: smtplib.SMTP) -> None:
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        client.starttls(context=trusting)
        client.sendmail("anna@example.com", ["a@example.org"], MAIL)

    server = await start_smtp(house.door(Limits()), "127.0.0.1", 0, tls=lambda: certificate)
    async with server:
        await smtp(server.sockets[0].getsockname()[1], talk)
    assert len(house.arrived) == 1


async def test_no_tls_older_than_1_2(tmp_path: Path, certificate: ssl.SSLContext) -> None:
    del certificate  # its files are what is wanted
    shown = Certificate(tmp_path / "cert.pem", tmp_path / "key.pem")
    assert shown.context().minimum_version == ssl.TLSVersion.TLSv1_2


async def test_a_failed_handshake_is_no_alarm_and_harms_nobody(
    certificate: ssl.SSLContext, caplog: pytest.LogCaptureFixture
) -> None:
    house = House()
    server = await start_smtp(house.door(Limits()), "127.0.0.1", 0, tls=lambda: certificate)
    port = server.sockets[0].getsockname()[1]
    with caplog.at_level("INFO"):
        async with server:
            async with raw_client(port) as client:
                await client.hear()
                await client.say("EHLO c")
                assert (await client.say("STARTTLS")).startswith("220")
                client.writer.write(b"GET / HTTP/1.0\r\n\r\n")
                with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                    await asyncio.wait_for(client.reader.read(), 10)
            await smtp(port, mail())
    told = [record for record in caplog.records if "TLS handshake" in record.getMessage()]
    assert [record.levelname for record in told] == ["INFO"]
    assert [r for r in caplog.records if r.levelno > logging.INFO] == []
    assert len(house.arrived) == 1


async def test_a_renewed_certificate_is_shown_and_a_broken_one_is_not(
    tmp_path: Path, certificate: ssl.SSLContext, caplog: pytest.LogCaptureFixture
) -> None:
    del certificate
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    shown = Certificate(cert, key)
    whole = cert.read_text()
    for moment, text in enumerate(("nonsense", whole), start=1):
        cert.write_text(text)
        os.utime(cert, (moment, moment))
        assert shown.context() is not None
    assert len([r for r in caplog.records if r.levelname == "WARNING"]) == 1
    with pytest.raises(ValueError, match="No such file"):
        Certificate(tmp_path / "missing.pem", key)


V2 = b"\r\n\r\n\x00\r\nQUIT\n"
V2_IPV4 = V2 + b"\x21\x11\x00\x0c" + bytes([192, 0, 2, 7, 127, 0, 0, 1]) + b"\x10\x00\x00\x19"
V2_LOCAL = V2 + b"\x20\x00\x00\x00"


@pytest.mark.parametrize(
    ("header", "client"),
    [
        (b"PROXY TCP4 192.0.2.7 127.0.0.1 4096 25\r\n", "192.0.2.7"),
        (b"PROXY TCP6 2001:db8::7 ::1 4096 25\r\n", "2001:db8::7"),
        (b"PROXY UNKNOWN\r\n", "127.0.0.1"),
        (V2_IPV4, "192.0.2.7"),
        (V2_LOCAL, "127.0.0.1"),
    ],
)
async def test_a_proxy_names_its_client(header: bytes, client: str) -> None:
    house = House()
    async with open_house(house, None, "127.0.0.0/8") as (port, _), raw_client(port) as talk:
        talk.writer.write(header)
        await talk.begin_content()
        assert (await talk.say("Subject: x", "", "x", ".")).startswith("250")
    assert [arrival.peer for arrival in house.arrived] == [client]


async def test_a_header_of_somebody_else_is_no_command() -> None:
    async with open_house(House(), None, "192.0.2.0/24") as (port, _), raw_client(port) as client:
        await client.hear()
        said = await client.say("PROXY TCP4 192.0.2.7 127.0.0.1 4096 25")
        assert said.startswith("500")


@pytest.mark.parametrize("header", [b"EHLO there\r\n", b"PROXY TCP4 1.2.3 x y z\r\n", b""])
async def test_a_proxy_without_a_sound_header_is_not_heard(header: bytes) -> None:
    limits = Limits(proxy_header=0.3)
    async with open_house(House(), limits, "127.0.0.1") as (port, door), raw_client(port) as client:
        client.writer.write(header)
        assert b"220" not in await asyncio.wait_for(client.reader.read(), 10)
        await asyncio.sleep(0.05)
        assert not door._open


async def test_clients_behind_a_proxy_are_counted_one_by_one() -> None:
    limits = Limits(connections_per_peer=1)
    async with open_house(House(), limits, "127.0.0.1") as (port, door):
        async with raw_client(port) as one, raw_client(port) as two, raw_client(port) as three:
            for client, number in ((one, 7), (two, 8), (three, 7)):
                client.writer.write(f"PROXY TCP4 192.0.2.{number} 127.0.0.1 9 25\r\n".encode())
                await asyncio.sleep(0.02)
            assert (await one.hear()).startswith("220")
            assert (await two.hear()).startswith("220")
            assert (await three.hear()).startswith("421")
            assert await three.reader.read() == b""
        await asyncio.sleep(0.05)
        assert not door._open


async def test_slow_clients_keep_nobody_waiting() -> None:
    house = House()
    async with open_house(house) as (port, _), contextlib.AsyncExitStack() as opened:
        for _ in range(20):
            slow = await opened.enter_async_context(raw_client(port))
            await slow.begin_content()
            slow.writer.write(b"S")
        begun = asyncio.get_running_loop().time()
        await smtp(port, mail())
        assert asyncio.get_running_loop().time() - begun < 5
    assert len(house.arrived) == 1


async def test_a_taken_port_is_an_error() -> None:
    async with open_house(House()) as (port, door):
        with pytest.raises(OSError):
            await start_smtp(door, "127.0.0.1", port)
