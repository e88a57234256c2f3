"""One mail from a file through the whole intake, as if it had come to the mail door.

Where a worker is up, it gets the hint and plays the mail. Where none is, the mail is played and its
letters are sent here, so that a pipe from a mail server needs no service beside it.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from email.utils import getaddresses
from typing import Any

from pbem.cli.database import migrate
from pbem.cli.refusal import UsageError
from pbem.embedded.broker import running_broker
from pbem.embedded.health import beats
from pbem.judge import dispatch, intake
from pbem.judge.drain import drain
from pbem.judge.sweep import APPLY
from pbem.mail import header
from pbem.mail.sender import read_sender
from pbem.mail.smtpd import Arrival
from pbem.settings import load_settings
from pbem.store import inbox
from pbem.store.engine import session
from pbem.store.tables import InboxStatus, Source
from workers import context
from workers.context import Context

PATIENCE = 10.0
"""Seconds to wait for what a worker makes of the mail."""

_RECIPIENT_HEADERS = ("Delivered-To", "X-Original-To", "To", "Cc")
_LOOK = 0.05  # seconds


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of the mail at one recipient.

    `refused` is the reply that the mail door gives, else None; `arrived` is new, duplicate or
    set-aside; `status` and `result` are those of its row in the inbox.
    """

    recipient: str
    refused: str | None = None
    inbox_id: int | None = None
    arrived: str | None = None
    status: str | None = None
    result: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The object that is printed for programs."""
        return asdict(self)

    def __str__(self) -> str:
        words = self.refused or ", ".join(filter(None, (self.arrived, self.status, self.result)))
        return f"{self.recipient}: {words}"


def ingest(raw: bytes, to: Sequence[str], mail_from: str | None) -> list[Taken]:
    """Take the mail in for each recipient. Raises StartError.

    Without `to` the first header that names an address of ours says it: Delivered-To,
    X-Original-To, To, Cc. Without `mail_from` Return-Path does, else From.
    """
    settings = load_settings()
    migrate(settings)
    broker_url = running_broker(settings)
    here = context.enter(settings.model_copy(update={"broker_url": broker_url}))
    try:
        refusals = _refusals(here, raw, to)
        recipients = tuple(at for at, refused in refusals.items() if refused is None)
        arrival = Arrival(raw, _sender(raw, mail_from), recipients, _clock(), peer="")
        rows = intake.deliveries(arrival, Source.INGEST)
        with session(here.engine) as opened:
            receipts = inbox.add(opened, rows)
        up = broker_url is not None and beats(broker_url, "worker")
        for game_id in intake.games_of(rows):
            if up:
                _have_played(here, game_id, receipts)
            else:
                _play(here, game_id)
        found = dict(zip(recipients, receipts, strict=True))
        return [_taken(here, at, refused, found.get(at)) for at, refused in refusals.items()]
    finally:
        context.leave()


def _refusals(here: Context, raw: bytes, to: Sequence[str]) -> dict[str, str | None]:
    """Why the door would refuse each recipient, None if it would not."""
    with session(here.engine) as opened:

        def refusal(recipient: str) -> str | None:
            return intake.refuse_recipient(opened, here.house, recipient, _clock())

        if to:
            return {recipient: refusal(recipient) for recipient in to}
        named = {recipient: refusal(recipient) for recipient in _named(raw)}
    ours = [recipient for recipient, refused in named.items() if refused is None]
    if not named:
        raise UsageError("the mail names no recipient; give it with --to ADDRESS")
    return {ours[0]: None} if ours else named


def _named(raw: bytes) -> Iterator[str]:
    mail = header.read_headers(raw)
    for name in _RECIPIENT_HEADERS:
        yield from (at for _, at in getaddresses(header.values(mail, name)) if at)


def _sender(raw: bytes, given: str | None) -> str:
    """The envelope's sender; empty for the null sender."""
    mail = header.read_headers(raw)
    path = header.value(mail, "Return-Path") if given is None else given
    found = (read_sender(mail).address or "") if path is None else path
    return found.strip().strip("<>")


def _have_played(here: Context, game_id: int, receipts: Sequence[inbox.Receipt]) -> None:
    """Ask the worker, and wait for a while until nothing of the mail waits any more."""
    here.hint(APPLY, game_id)
    until = time.monotonic() + PATIENCE
    while any(_waits(here, receipt) for receipt in receipts) and time.monotonic() < until:
        time.sleep(_LOOK)


def _waits(here: Context, receipt: inbox.Receipt) -> bool:
    with session(here.engine) as opened:
        row = inbox.find(opened, receipt.inbox_id)
        return row is not None and row.status == InboxStatus.ACCEPTED


def _play(here: Context, game_id: int) -> None:
    """Play all that waits for the game, and send what comes of it."""
    letters: list[int] = []
    while drain(here.engine, here.house, game_id, _clock, on_letters=letters.extend):
        pass
    for letter in letters:
        dispatch.send(here.engine, here.house, here.post, letter, _clock)


def _taken(
    here: Context, recipient: str, refused: str | None, receipt: inbox.Receipt | None
) -> Taken:
    if receipt is None:
        return Taken(recipient, refused)
    with session(here.engine) as opened:
        row = inbox.find(opened, receipt.inbox_id)
        assert row is not None
        return Taken(recipient, None, row.id, receipt.arrived, row.status, row.result)


def _clock() -> datetime:
    return datetime.now(UTC)
