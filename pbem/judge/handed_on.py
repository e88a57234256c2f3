"""Mails that another server hands on to us, from a mailbox or by a webhook: no session of SMTP says
whom they are for, so their headers do.

Nothing is believed because of it: an address of ours is good by its tag alone, and who sent a mail
is proved by its signature, or by the word of the server that took it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import getaddresses

from pbem.judge import intake
from pbem.judge.house import House
from pbem.mail import header
from pbem.mail.sender import read_sender
from pbem.mail.smtpd import Arrival
from pbem.store import inbox
from pbem.store.engine import Session
from pbem.store.inbox import Receipt
from pbem.store.tables import Source

RECIPIENTS = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")
"""Headers that say whom a mail is for, the most certain first."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a mail: its rows and the replies of refusal, both by recipient, and the games
    that the rows wait for."""

    receipts: Mapping[str, Receipt]
    games: tuple[int, ...]
    refused: Mapping[str, str]


def take(
    session: Session,
    house: House,
    raw: bytes,
    source: Source,
    now: datetime,
    *,
    to: Sequence[str] = (),
    mail_from: str | None = None,
) -> Taken:
    """Put a mail into the inbox, for `to` or else for whom its headers name. Commit before saying
    that it was taken."""
    refusals = _refusals(session, house, (to,) if to else recipients(raw), now)
    ours = tuple(at for at, why_not in refusals.items() if why_not is None)
    envelope = sender(raw) if mail_from is None else mail_from
    rows = intake.deliveries(Arrival(raw, envelope, ours, now, peer=""), source)
    receipts = dict(zip(ours, inbox.add(session, rows), strict=True))
    refused = {at: why_not for at, why_not in refusals.items() if why_not is not None}
    return Taken(receipts, tuple(intake.games_of(rows)), refused)


def recipients(raw: bytes) -> list[tuple[str, ...]]:
    """The addresses of each header that says whom a mail is for."""
    mail = header.read_headers(raw)
    named = (header.values(mail, name) for name in RECIPIENTS)
    return [tuple(dict.fromkeys(at for _, at in getaddresses(found) if at)) for found in named]


def sender(raw: bytes) -> str:
    """The envelope's sender as the last server wrote it down, else From; empty for the null one."""
    mail = header.read_headers(raw)
    path = header.value(mail, "Return-Path")
    found = (read_sender(mail).address or "") if path is None else path
    return found.strip().strip("<>")


def _refusals(
    session: Session, house: House, groups: Sequence[Sequence[str]], now: datetime
) -> dict[str, str | None]:
    """Why each address is refused; of the first group that names one of ours that group alone."""
    known: dict[str, str | None] = {}
    for group in groups:
        found = {at: intake.refuse_recipient(session, house, at, now) for at in group}
        if None in found.values():
            return found
        known |= found
    return known
