"""A mail as the mailbox shows it, read from its bytes."""

from base64 import b64encode
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parseaddr
from typing import Literal

_EXAMPLE = "| "


@dataclass(frozen=True, slots=True)
class Shown:
    """The headers that people look at, both parts, and the source. `html` is None without one.

    Pictures stand in the HTML itself: in its frame it may load nothing.
    """

    sender: str
    to: str
    reply_to: str
    subject: str
    kind: str
    message_id: str
    references: tuple[str, ...]
    text: str
    html: str | None
    source: str

    @property
    def examples(self) -> tuple[str, ...]:
        """Orders that the letter proposes: its lines behind a bar. Those of a `done` letter are
        what was played already."""
        lines = [] if self.kind == "done" else self.text.splitlines()
        return tuple(line[2:] for line in lines if line.startswith(_EXAMPLE))


def shown(raw: bytes) -> Shown:
    """Read a mail. Headers come unfolded, so that none can bring a line of its own."""
    mail = message_from_bytes(raw, policy=policy.default)
    return Shown(
        sender=_header(mail, "From"),
        to=_header(mail, "To"),
        reply_to=parseaddr(_header(mail, "Reply-To") or _header(mail, "From"))[1],
        subject=_header(mail, "Subject"),
        kind=_header(mail, "X-PBEM-Kind"),
        message_id=_header(mail, "Message-ID"),
        references=tuple(_header(mail, "References").split()),
        text=_part(mail, "plain") or "",
        html=_html(mail),
        source=raw.decode("utf-8", errors="replace"),
    )


def _header(mail: EmailMessage, name: str) -> str:
    return " ".join(str(mail.get(name, "")).split())


def _html(mail: EmailMessage) -> str | None:
    page = _part(mail, "html")
    if page is None:
        return None
    for part in mail.walk():
        content_id = str(part.get("Content-ID", "")).strip("<> ")
        data = part.get_payload(decode=True)
        if content_id and isinstance(data, bytes) and part.get_content_type() == "image/png":
            picture = f"data:image/png;base64,{b64encode(data).decode()}"
            page = page.replace(f"cid:{content_id}", picture)
    return page


def _part(mail: EmailMessage, subtype: Literal["plain", "html"]) -> str | None:
    body = mail.get_body((subtype,))
    if body is None:
        return None
    content = body.get_payload(decode=True)
    assert isinstance(content, bytes), "a text part is no multipart"
    try:
        return content.decode(body.get_content_charset("utf-8"), errors="replace")
    except LookupError:
        return content.decode("utf-8", errors="replace")
