"""One mail from a file through the whole intake, as if it had come to the mail door.

Where a worker is up, it gets the hint and plays the mail. Where none is, the mail is played and its
letters are sent here, so that a pipe from a mail server needs no service beside it.
"""

import time
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from pbem.cli.database import migrate
from pbem.cli.refusal import UsageError
from pbem.cli.strays import read_settings
from pbem.embedded.broker import running_broker
from pbem.embedded.health import beats
from pbem.judge import dispatch, handed_on
from pbem.judge.drain import drain
from pbem.judge.sweep import APPLY
from pbem.store import inbox
from pbem.store.engine import session
from pbem.store.tables import InboxStatus, Source
from workers import context
from workers.context import Context

PATIENCE = 10.0
"""Seconds to wait for what a worker makes of the mail."""

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

    Without `to` its headers say whom it is for, and who else they name does not matter; without
    `mail_from` they say whom it is from (`judge.handed_on`).
    """
    settings = read_settings()
    migrate(settings)
    broker_url = running_broker(settings)
    here = context.enter(settings.model_copy(update={"broker_url": broker_url}))
    try:
        taken = _take(here, raw, to, mail_from)
        up = broker_url is not None and beats(broker_url, "worker")
        for game_id in taken.games:
            if up:
                _have_played(here, game_id, taken.receipts.values())
            else:
                _play(here, game_id)
        came = [_row(here, at, receipt) for at, receipt in taken.receipts.items()]
        if to or not came:
            came += [Taken(at, refused) for at, refused in taken.refused.items()]
        return came
    finally:
        context.leave()


def _take(here: Context, raw: bytes, to: Sequence[str], mail_from: str | None) -> handed_on.Taken:
    envelope = None if mail_from is None else mail_from.strip().strip("<>")
    with session(here.engine) as opened:
        taken = handed_on.take(
            opened, here.house, raw, Source.INGEST, _clock(), to=to, mail_from=envelope
        )
    if not taken.receipts and not taken.refused:
        raise UsageError("the mail names no recipient; give it with --to ADDRESS")
    return taken


def _have_played(here: Context, game_id: int, receipts: Collection[inbox.Receipt]) -> None:
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
    dispatch.send_all(here.engine, here.house, here.post, letters, _clock)


def _row(here: Context, recipient: str, receipt: inbox.Receipt) -> Taken:
    with session(here.engine) as opened:
        row = inbox.find(opened, receipt.inbox_id)
        assert row is not None
        return Taken(recipient, None, row.id, receipt.arrived, row.status, row.result)


def _clock() -> datetime:
    return datetime.now(UTC)
