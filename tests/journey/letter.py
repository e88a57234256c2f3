"""A letter as a person's mail program has it: headers, and the words of its text part."""

import re
from dataclasses import dataclass
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from email.utils import parseaddr
from functools import cached_property

LAND = re.compile(r"(?:^|\s)(?:! )?([A-Z]{3}) +(\S(?:.*?\S)?) +([A-FN]) +(\d+)(?=\s|$)")
CARD = re.compile(r"^ +(\d+) +(\S.*?)  +(\w+)$", re.MULTILINE)
SYMBOLS = ("soldier", "horse", "cannon", "wild")


@dataclass(frozen=True)
class Letter:
    """One letter; `at` is when it came, in seconds since 1970.

    Whatever is read in it is read once: the robots look through their letters again and again.
    """

    raw: bytes
    to: str
    at: float

    @cached_property
    def mail(self) -> EmailMessage:
        parsed = BytesParser(policy=default).parsebytes(self.raw)
        assert isinstance(parsed, EmailMessage)
        return parsed

    def header(self, name: str) -> str | None:
        value = self.mail[name]
        return None if value is None else str(value)

    @cached_property
    def kind(self) -> str:
        return self.header("X-PBEM-Kind") or ""

    @cached_property
    def subject(self) -> str:
        return self.header("Subject") or ""

    @cached_property
    def message_id(self) -> str:
        return self.header("Message-ID") or ""

    @cached_property
    def in_reply_to(self) -> str | None:
        return self.header("In-Reply-To")

    @cached_property
    def reply_to(self) -> str:
        """The bare address that any "reply" goes to."""
        return parseaddr(self.header("Reply-To") or "")[1]

    @cached_property
    def state(self) -> dict[str, str]:
        """The words of X-PBEM-State."""
        said = self.header("X-PBEM-State") or ""
        return dict(pair.split("=", 1) for pair in said.split())

    @cached_property
    def game(self) -> str:
        return self.state.get("game", "")

    @cached_property
    def text(self) -> str:
        part = self.mail.get_body(("plain",))
        return "" if part is None else str(part.get_content()).replace("\r\n", "\n")

    @cached_property
    def all_parts(self) -> str:
        """Every text that the letter holds, its subject and HTML part too."""
        parts = [
            str(p.get_content()) for p in self.mail.walk() if p.get_content_maintype() == "text"
        ]
        return "\n".join([self.subject, *parts])

    @cached_property
    def lands(self) -> list[tuple[str, str, int]]:
        """Code, letter and armies of each territory that the text part shows."""
        return [
            (code, owner, int(armies))
            for line in self.text.splitlines()
            for code, _, owner, armies in LAND.findall(line)
        ]

    @cached_property
    def board(self) -> dict[str, tuple[str, int]]:
        return {code: (owner, armies) for code, owner, armies in self.lands}
