"""An IMAP folder that mails for us are put into, for a house that can open no port.

Mails are read without being marked; they are marked, or moved away, once they are kept elsewhere.
"""

import contextlib
import imaplib
import re
import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote, urlsplit

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")


class ImapError(Exception):
    """The server is away, refuses us, or says what we cannot read; the message is its one line."""


@dataclass(frozen=True, slots=True)
class Mailbox:
    """A folder on a server; `tls` from the first byte, else STARTTLS but on loopback."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    folder: str = "INBOX"
    tls: bool = True

    @property
    def name(self) -> str:
        """What tells it from every other folder."""
        return f"{self.user}@{self.host}:{self.port}/{self.folder}"


def parse_mailbox(url: str) -> Mailbox:
    """Read `imaps://user:password@host:port/folder`, or `imap://...`. ValueError with one line."""
    parts = urlsplit(url)
    if parts.scheme not in ("imap", "imaps"):
        raise ValueError("the mailbox must begin with imaps:// or imap://")
    if not parts.hostname or not parts.username or parts.password is None:
        raise ValueError("the mailbox needs user, password and host")
    tls = parts.scheme == "imaps"
    return Mailbox(
        parts.hostname,
        parts.port or (993 if tls else 143),
        unquote(parts.username),
        unquote(parts.password),
        unquote(parts.path.strip("/")) or "INBOX",
        tls=tls,
    )


class Folder:
    """An open folder. Every method may raise ImapError; then it is to be opened anew."""

    def __init__(self, mailbox: Mailbox, timeout: float = 30.0) -> None:
        self._mailbox = mailbox
        self._client = _told(lambda: _connected(mailbox, timeout))
        self._able: frozenset[bytes] = frozenset()
        self.validity = 0
        """The folder's UIDVALIDITY: with another one every number means another mail."""
        try:
            self._ask("LOGIN", lambda c: c.login(mailbox.user, mailbox.password))
            # Many a server says what it can only to whom it knows.
            answer = self._ask("CAPABILITY", lambda c: c.capability())
            self._able = frozenset(b" ".join(_lines(answer)).upper().split())
            self._ask("SELECT", lambda c: c.select(_quoted(mailbox.folder)))
            self.validity = self._number("UIDVALIDITY")
        except ImapError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Say goodbye, if anybody is there to hear it."""
        with contextlib.suppress(imaplib.IMAP4.error, OSError):
            self._client.logout()
        with contextlib.suppress(OSError):
            self._client.shutdown()  # which a logout that failed has left out

    def after(self, uid: int) -> list[int]:
        """The numbers of the mails that came after that one, in order."""
        found = self._search("UID", f"{uid + 1}:*")
        return [number for number in found if number > uid]  # "*" is the last one, whatever it is

    def unseen(self) -> list[int]:
        """The numbers of the mails that nobody has marked as read, in order."""
        return self._search("UNSEEN")

    def size(self, uid: int) -> int:
        """The bytes of a mail; 0 if it is there no more."""
        answer = self._ask("FETCH", lambda c: c.uid("FETCH", str(uid), "(RFC822.SIZE)"))
        found = _SIZE.search(b" ".join(_lines(answer)))
        return int(found[1]) if found else 0

    def fetch(self, uid: int) -> bytes | None:
        """A mail, which is not marked by that; None if it is there no more."""
        answer = self._ask("FETCH", lambda c: c.uid("FETCH", str(uid), "(BODY.PEEK[])"))
        return next((part[1] for part in answer if isinstance(part, tuple)), None)

    def mark(self, uid: int, flag: str = r"\Seen") -> None:
        """Set a flag of a mail."""
        self._ask("STORE", lambda c: c.uid("STORE", str(uid), "+FLAGS.SILENT", f"({flag})"))

    def move(self, uid: int, folder: str) -> None:
        """Put a mail into another folder, which is made if it is missing."""
        to = _quoted(folder)
        with contextlib.suppress(ImapError):
            self._ask("CREATE", lambda c: c.create(to))
        if b"MOVE" in self._able:
            self._ask("MOVE", lambda c: c.uid("MOVE", str(uid), to))
            return
        self._ask("COPY", lambda c: c.uid("COPY", str(uid), to))
        self.mark(uid, r"\Deleted")
        if b"UIDPLUS" in self._able:  # without it others' deleted mails would go too
            self._ask("EXPUNGE", lambda c: c.uid("EXPUNGE", str(uid)))

    def look(self) -> None:
        """Let the server tell of new mails."""
        self._ask("NOOP", lambda c: c.noop())

    def _search(self, *criteria: str) -> list[int]:
        answer = self._ask("SEARCH", lambda c: c.uid("SEARCH", *criteria))
        words = b" ".join(_lines(answer)).split()
        return sorted(int(word) for word in words if word.isdigit())

    def _number(self, name: str) -> int:
        _, values = self._client.response(name)
        found = (values or [None])[0]
        if not isinstance(found, bytes) or not found.isdigit():
            raise ImapError(f"the server tells no {name}")
        return int(found)

    def _ask(self, verb: str, act: Any) -> list[Any]:
        status, answer = _told(lambda: act(self._client))
        if status != "OK":
            said = b" ".join(_lines(answer)).decode("utf-8", "replace")
            raise ImapError(f"{verb}: {said or status}")
        return list(answer or [])


def _connected(mailbox: Mailbox, timeout: float) -> imaplib.IMAP4:
    context = ssl.create_default_context()
    local = mailbox.host in _LOOPBACK
    if local:  # nobody can give it a certificate
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if mailbox.tls:
        return imaplib.IMAP4_SSL(mailbox.host, mailbox.port, ssl_context=context, timeout=timeout)
    client = imaplib.IMAP4(mailbox.host, mailbox.port, timeout=timeout)
    if not local:
        client.starttls(context)
    return client


def _told(act: Any) -> Any:
    """What the library does, its many ways of failing made one."""
    try:
        return act()
    except (imaplib.IMAP4.error, OSError, ValueError) as error:
        words = error.args[0] if error.args and isinstance(error.args[0], bytes) else str(error)
        said = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
        raise ImapError(" ".join(said.split()) or type(error).__name__) from error


def _lines(answer: Any) -> Iterator[bytes]:
    for part in answer or ():
        if isinstance(part, tuple):
            yield from (piece for piece in part if isinstance(piece, bytes))
        elif isinstance(part, bytes):
            yield part


def _quoted(folder: str) -> str:
    return '"' + folder.replace("\\", "\\\\").replace('"', '\\"') + '"'
