"""What becomes of a letter at a relay, told by a real one on loopback that behaves as asked."""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from pbem.mail.outbound import (
    Deferred,
    Failed,
    FailedKind,
    Outcome,
    Relay,
    Sender,
    Sent,
    Unknown,
    parse_relay,
    refused,
    retry_at,
)

NOW = datetime(2026, 12, 1, 20, 0, tzinfo=UTC)
STEPS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60))
LETTER = b"Subject: hello\r\n\r\n.a line with a dot\r\n"
DROP = "drop"


@dataclass
class Script:
    """A relay that answers each verb from a script; `DROP` closes the connection instead."""

    answers: dict[str, list[str]] = field(default_factory=dict)
    connections: int = 0
    contents: list[bytes] = field(default_factory=list)

    def answer(self, verb: str, usual: str) -> str:
        waiting = self.answers.get(verb)
        return waiting.pop(0) if waiting else usual

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            await self._talk(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(self.answer("connect", "220 relay").encode() + b"\r\n")
        while line := await reader.readline():
            verb = line[:4].decode().upper()
            reply = self.answer(verb, "354 go" if verb == "DATA" else "250 2.0.0 ok")
            if reply.startswith("354"):
                writer.write(b"354 go\r\n")
                self.contents.append(await reader.readuntil(b"\r\n.\r\n"))
                reply = self.answer("dot", "250 2.0.0 taken")
            if reply == DROP:
                return
            writer.write(reply.encode() + b"\r\n")
            if verb == "QUIT":
                return


@asynccontextmanager
async def relay(**answers: list[str]) -> AsyncIterator[tuple[Script, Sender]]:
    script = Script(dict(answers))
    server = await asyncio.start_server(script.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    sender = Sender(Relay("127.0.0.1", port), hostname="play.example.org", timeout=5)
    async with server, sender:
        yield script, sender


def send(sender: Sender, on_data: Callable[[], None] | None = None) -> Awaitable[Outcome]:
    return sender.send("bounce+x@play.example.org", "anna@example.org", LETTER, on_data)


async def test_letters_share_one_connection() -> None:
    async with relay() as (script, sender):
        outcomes = [await send(sender) for _ in range(3)]
    assert outcomes == [Sent("2.0.0 taken")] * 3
    assert script.connections == 1
    assert script.contents[0] == b"Subject: hello\r\n\r\n..a line with a dot\r\n.\r\n"


async def test_a_kept_connection_that_went_away_is_made_anew() -> None:
    async with relay(MAIL=["250 ok", DROP]) as (script, sender):
        assert [await send(sender), await send(sender)] == [Sent("2.0.0 taken")] * 2
    assert script.connections == 2


@pytest.mark.parametrize(
    ("verb", "reply", "outcome"),
    [
        ("connect", "421 4.3.2 busy", Deferred(421, "4.3.2 busy")),
        ("connect", "554 5.3.2 not now", Deferred(554, "5.3.2 not now")),
        ("MAIL", "451 4.3.0 later", Deferred(451, "4.3.0 later")),
        ("MAIL", "553 5.1.8 not yours", Failed(553, "5.1.8 not yours", FailedKind.POLICY)),
        ("MAIL", "552 5.3.4 big", Failed(552, "5.3.4 big", FailedKind.TOO_LARGE)),
        ("RCPT", "450 4.2.0 greylisted", Deferred(450, "4.2.0 greylisted")),
        ("RCPT", "550 5.1.1 nobody", Failed(550, "5.1.1 nobody", FailedKind.BOUNCE)),
        ("RCPT", "550 5.7.1 spam", Failed(550, "5.7.1 spam", FailedKind.POLICY)),
        ("DATA", "554 no", Failed(554, "no", FailedKind.BOUNCE)),
        ("dot", "552 5.3.4 big", Failed(552, "5.3.4 big", FailedKind.TOO_LARGE)),
        ("dot", "451 4.3.0 disk full", Deferred(451, "4.3.0 disk full")),
        ("dot", "554 5.7.1 spam", Failed(554, "5.7.1 spam", FailedKind.POLICY)),
    ],
)
async def test_a_reply_decides_the_outcome(verb: str, reply: str, outcome: Outcome) -> None:
    async with relay(**{verb: [reply]}) as (script, sender):
        assert await send(sender) == outcome
        assert await send(sender) == Sent("2.0.0 taken")
    assert script.connections <= 2


async def test_a_connection_lost_after_the_dot_leaves_the_outcome_unknown() -> None:
    async with relay(dot=[DROP]) as (script, sender):
        assert isinstance(await send(sender), Unknown)
        assert await send(sender) == Sent("2.0.0 taken")
    assert len(script.contents) == 2


@pytest.mark.parametrize("verb", ["MAIL", "RCPT"])
async def test_a_connection_lost_before_the_content_is_worth_another_try(verb: str) -> None:
    async with relay(**{verb: [DROP]}) as (script, sender):
        outcome = await send(sender)
    assert isinstance(outcome, Deferred)
    assert outcome.code is None
    assert script.contents == []


async def test_nobody_listens() -> None:
    server = await asyncio.start_server(Script().serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    outcome = await send(Sender(Relay("127.0.0.1", port), timeout=5))
    assert isinstance(outcome, Deferred)


async def test_on_data_runs_once_before_the_content_and_never_for_a_refusal() -> None:
    seen: list[int] = []
    async with relay(RCPT=["550 5.1.1 nobody"]) as (script, sender):
        await send(sender, lambda: seen.append(len(script.contents)))
        assert seen == []
        await send(sender, lambda: seen.append(len(script.contents)))
    assert seen == [0]


async def test_nothing_is_sent_if_the_note_before_the_content_fails() -> None:
    def database_gone() -> None:
        raise RuntimeError("database gone")

    async with relay() as (script, sender):
        with pytest.raises(RuntimeError, match="database gone"):
            await send(sender, database_gone)
        assert script.contents == []
        assert await send(sender) == Sent("2.0.0 taken")


@pytest.fixture
def relay_in_a_thread() -> Iterator[tuple[Script, int]]:
    """A script that listens in a loop of its own, for callers that block."""
    script, loop = Script(), asyncio.new_event_loop()
    server = loop.run_until_complete(asyncio.start_server(script.serve, "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield script, server.sockets[0].getsockname()[1]
    loop.call_soon_threadsafe(server.close)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def test_plain_functions_keep_the_connection_too(relay_in_a_thread: tuple[Script, int]) -> None:
    script, port = relay_in_a_thread
    sender = Sender(Relay("127.0.0.1", port), timeout=5)
    outcomes = [sender.send_sync("a@example.org", "b@example.org", LETTER) for _ in range(2)]
    sender.close_sync()
    assert outcomes == [Sent("2.0.0 taken")] * 2
    assert script.connections == 1


def test_relays_are_read_from_their_address() -> None:
    assert parse_relay("smtp://relay.example.org") == Relay("relay.example.org", 25)
    assert parse_relay("smtp://anna:a%40b@relay:2500") == Relay("relay", 2500, "anna", "a@b")
    assert parse_relay("smtp://anna:x@relay").port == 587
    assert parse_relay("smtps://anna:x@relay/") == Relay("relay", 465, "anna", "x", tls=True)
    assert parse_relay("smtp://[::1]:25").host == "::1"


@pytest.mark.parametrize(
    "url", ["", "relay:25", "http://relay", "smtp://", "smtp://relay:x", "smtp://relay:99999",
            "smtp://relay/path", "smtp://relay?x=1"],
)  # fmt: skip
def test_a_wrong_relay_is_named_in_one_line(url: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_relay(url)
    assert "\n" not in str(caught.value)


def test_a_password_goes_over_no_open_line() -> None:
    assert parse_relay("smtp://anna:x@relay").demands_starttls
    assert not parse_relay("smtp://relay").demands_starttls
    assert not parse_relay("smtp://anna:x@127.0.0.1:2500").demands_starttls


def test_waits_grow_then_stay_and_end_after_two_days() -> None:
    later = Deferred(451, "later")
    waits = []
    for attempts in range(1, 60):
        moment = retry_at(NOW, attempts, STEPS, later)
        if moment is None:
            break
        waits.append(moment - NOW)
    for wait, step in zip(waits, STEPS, strict=False):
        assert step <= wait <= step * 1.1
    assert all(STEPS[-1] <= wait <= STEPS[-1] * 1.1 for wait in waits[4:])
    assert timedelta(hours=47) <= sum([*STEPS, STEPS[-1] * (len(waits) - 4)], timedelta())
    assert sum([*STEPS, STEPS[-1] * (len(waits) - 4)], timedelta()) <= timedelta(hours=48)


def test_the_same_moment_waits_as_long_and_another_differs() -> None:
    later = Deferred(451, "later")
    assert retry_at(NOW, 4, STEPS, later) == retry_at(NOW, 4, STEPS, later)
    other = NOW + timedelta(seconds=1)
    assert retry_at(NOW, 4, STEPS, later) != retry_at(other, 4, STEPS, later)


def test_what_is_done_is_not_tried_again() -> None:
    assert retry_at(NOW, 1, STEPS, Sent()) is None
    assert retry_at(NOW, 1, STEPS, Failed(550, "", FailedKind.BOUNCE)) is None


def test_an_unknown_outcome_waits_longer() -> None:
    moment = retry_at(NOW, 1, STEPS, Unknown("gone"))
    assert moment is not None
    assert timedelta(minutes=15) <= moment - NOW <= timedelta(minutes=16.5)


def test_a_domain_that_is_full_is_slowed() -> None:
    assert Deferred(421, "4.7.0 slow down").slows_domain
    assert Deferred(450, "4.7.28 too many").slows_domain
    assert not Deferred(450, "4.2.0 greylisted").slows_domain
    assert not Deferred(None, "no route").slows_domain


@pytest.mark.parametrize(
    ("code", "text", "kind"),
    [
        (552, "5.2.2 mailbox full", FailedKind.BOUNCE),
        (552, "too big", FailedKind.TOO_LARGE),
        (554, "5.3.4 too big", FailedKind.TOO_LARGE),
        (550, "5.7.26 unauthenticated", FailedKind.POLICY),
        (550, "no such user", FailedKind.BOUNCE),
    ],
)
def test_who_has_to_act_on_a_refusal(code: int, text: str, kind: FailedKind) -> None:
    assert refused(code, text) == Failed(code, text, kind)
