"""An answer to a letter: a mail like any other, sent through our own door for mail."""

import secrets
from datetime import datetime
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime

from pbem.mail.outbound import Outcome, Relay, Sender
from pbem.settings import Listen
from pbem.web.shown import Shown

_ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  (where to reach such a listener)
_TIMEOUT = 10.0  # seconds
# The library would turn ids longer than a line into encoded words, which nobody decodes there.
_POLICY = policy.SMTP.clone(max_line_length=900, cte_type="7bit")


def fresh_message_id(domain: str) -> str:
    """A Message-ID that no mail had before."""
    return f"<{secrets.token_hex(12)}.mailbox@{domain}>"


def reply(letter: Shown, sender: str, text: str, message_id: str, now: datetime) -> bytes:
    """The answer's bytes: from the letter's reader, to its Reply-To, in its thread."""
    mail = EmailMessage(policy=_POLICY)
    mail["From"] = sender
    mail["To"] = letter.reply_to
    mail["Subject"] = _answered(letter.subject)
    mail["Date"] = format_datetime(now)
    mail["Message-ID"] = message_id
    mail["In-Reply-To"] = letter.message_id
    mail["References"] = " ".join((*letter.references, letter.message_id))
    mail.set_content("\n".join(text.splitlines()) + "\n")
    return mail.as_bytes()


def send(smtp: Listen, sender: str, letter: Shown, raw: bytes) -> Outcome:
    """Hand an answer to our own door for mail; blocks."""
    line = Sender(Relay(_ANY.get(smtp.host, smtp.host), smtp.port), timeout=_TIMEOUT)
    try:
        return line.send_sync(sender, letter.reply_to, raw)
    finally:
        line.close_sync()


def _answered(subject: str) -> str:
    return subject if subject.lower().startswith("re:") else f"Re: {subject}"
