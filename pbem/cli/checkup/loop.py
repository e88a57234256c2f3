"""A mail to ourselves, out through the relay and back in by whatever way mail comes to us."""

import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import format_datetime

from pbem.cli.checkup.finding import Finding, fail, ok, warn
from pbem.judge import intake
from pbem.mail import inbound
from pbem.mail.outbound import Sender, Sent, parse_relay
from pbem.settings import Settings
from pbem.store import inbox
from pbem.store.engine import Engine, open_engine, session
from pbem.store.tables import InboxStatus

PATIENCE = 45.0
"""Seconds that a mail to ourselves may take."""

_LOOK = 0.2
_RESULT = "loop-test"


def loop(settings: Settings, patience: float = PATIENCE) -> Finding:
    """Send a mail to our own postmaster and wait until it is in the inbox."""
    if settings.relay_url == "mailbox":
        return warn("loop", "nothing leaves this machine", "set PBEM_RELAY_URL, then look again")
    to = f"postmaster@{settings.domain}"
    raw = _mail(to)
    sender = Sender(parse_relay(settings.relay_url), hostname=settings.domain, timeout=10)
    outcome = sender.send_sync(to, to, raw)
    sender.close_sync()
    if not isinstance(outcome, Sent):
        return fail("loop", outcome.text, "the relay did not take a mail to ourselves")
    began = time.monotonic()
    if _comes_back(settings, f"{intake.box(to)}:{inbound.dedupe_key(raw)}", patience):
        return ok("loop", f"a mail to ourselves took {time.monotonic() - began:.1f} s")
    todo = "look where mail for the domain goes, and whether the service runs"
    return fail("loop", f"a mail to {to} has not come within {patience:.0f} s", todo)


def _comes_back(settings: Settings, key: str, patience: float) -> bool:
    engine = open_engine(settings.database_url)
    try:
        return _wait(lambda: _found(engine, key), patience)
    finally:
        engine.dispose()


def _wait(true: Callable[[], bool], patience: float) -> bool:
    until = time.monotonic() + patience
    while not true():
        if time.monotonic() > until:
            return False
        time.sleep(_LOOK)
    return True


def _found(engine: Engine, key: str) -> bool:
    """Whether the mail is there; it is laid to rest, so that nobody has to look at it."""
    with session(engine) as opened:
        row = inbox.find_key(opened, key)
        if row is None:
            return False
        row.status, row.result = InboxStatus.IGNORED, _RESULT
        opened.add(row)
    return True


def _mail(to: str) -> bytes:
    now = format_datetime(datetime.now(UTC))
    domain = to.rpartition("@")[2]
    head = [
        f"From: <{to}>",
        f"To: <{to}>",
        "Subject: check of the way of a mail",
        f"Date: {now}",
        f"Message-ID: <{secrets.token_hex(12)}.loop@{domain}>",
        "Auto-Submitted: auto-generated",
    ]
    return "\r\n".join([*head, "", "This mail was sent by pbem doctor.", ""]).encode()
