"""A letter goes out through a relay, comes in at a door, and is known as our own."""

from datetime import UTC, datetime

from pbem.mail.address import bounce_address, format_address, issue, parse, parse_bounce
from pbem.mail.inbound import read
from pbem.mail.letter import Letter, message_id, to_bytes
from pbem.mail.outbound import Failed, FailedKind, Relay, Sender, Sent
from pbem.mail.reading import Kind
from pbem.mail.smtpd import Arrival, Asked, Door, Limits, start_smtp

NOW = datetime(2026, 12, 1, 20, 0, tzinfo=UTC)
ADDRESS = issue(b"secret", "g7", "A", 23, 2)
HOST = "play.example.org"


async def everybody(_asked: Asked) -> str | None:
    return None


async def test_the_bytes_that_were_composed_arrive() -> None:
    arrived: list[Arrival] = []

    async def deliver(arrival: Arrival) -> None:
        arrived.append(arrival)

    own = format_address(ADDRESS, HOST)
    letter = Letter(
        kind="turn-call",
        subject="[g7] Turn 23: your move, Blue",
        text=".\n..\nPiazza 5 in Perù\n",
        html="<p>Perù</p>",
        sender=f"World conquest <{own}>",
        reply_to=own,
        to="Anna <anna@example.org>",
        message_id=message_id(HOST, "g7", 23, "A", "turn-call", 1),
        date=NOW,
    )
    raw = to_bytes(letter)
    door = Door(everybody, deliver, HOST, lambda: NOW)
    async with await start_smtp(door, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with Sender(Relay("127.0.0.1", port), hostname=HOST) as sender:
            outcome = await sender.send(bounce_address(ADDRESS, HOST), own, raw)
    assert isinstance(outcome, Sent)
    [arrival] = arrived
    assert arrival.raw == raw
    assert parse(arrival.rcpt_tos[0]) == ADDRESS
    assert parse_bounce(arrival.mail_from) is not None
    found = read(arrival.raw)
    assert (found.kind, found.notes) == (Kind.AUTO_REPLY, ("own-letter",))
    assert found.message_id == letter.message_id


async def test_a_relay_with_a_limit_is_told_the_size_and_refuses_early() -> None:
    async def deliver(arrival: Arrival) -> None:
        raise AssertionError("it was too large")

    noted: list[str] = []
    door = Door(everybody, deliver, HOST, lambda: NOW, Limits(message_size=1000))
    async with await start_smtp(door, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with Sender(Relay("127.0.0.1", port), hostname=HOST) as sender:
            outcome = await sender.send("", "a@b.org", b"x" * 2000, lambda: noted.append("data"))
    assert isinstance(outcome, Failed)
    assert (outcome.kind, noted) == (FailedKind.TOO_LARGE, [])
