"""What `pbem imap` runs: it takes in what comes to a mailbox elsewhere, until it has to end."""

import logging
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import FrameType

from pbem.judge import handed_on
from pbem.judge.house import House
from pbem.judge.sweep import APPLY, Hint
from pbem.mail.imap import Folder, ImapError, Mailbox, parse_mailbox
from pbem.mail.smtpd import Limits
from pbem.settings import Settings, StartError
from pbem.store import folders
from pbem.store.engine import DBAPIError, Engine, open_engine, session
from pbem.store.tables import Source
from workers.hints import hints

log = logging.getLogger(__name__)

AT_ONCE = 200
"""So many mails in one round; the rest comes in the next one, which follows at once."""

PAUSES = (5.0, 15.0, 60.0, 300.0)
"""Seconds until a server that is away is asked again; the last one repeats."""

_TOO_LARGE = Limits().message_size


class NoMailboxError(StartError):
    """There is no mailbox to fetch mails from."""


@dataclass
class Poller:
    """Reads one folder again and again over one connection, as long as that lasts.

    A mail is marked as read, or moved into `done`, after the commit that took it in: one that is
    taken in twice for want of the mark is deduplicated.
    """

    mailbox: Mailbox
    engine: Engine
    house: House
    hint: Hint
    done: str | None = None
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    _folder: Folder | None = field(default=None, init=False)

    def round(self) -> bool:
        """Take in what is new; whether there is more. Raises ImapError, DBAPIError."""
        try:
            folder = self._opened()
            numbers = self._new(folder)
            for uid in numbers[:AT_ONCE]:
                self._take(folder, uid)
        except (ImapError, DBAPIError):
            self.close()
            raise
        return len(numbers) > AT_ONCE

    def close(self) -> None:
        """Let the connection go."""
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.close()

    def _opened(self) -> Folder:
        if self._folder is None:
            self._folder = Folder(self.mailbox)
        else:
            self._folder.look()
        return self._folder

    def _new(self, folder: Folder) -> list[int]:
        """Of a folder that we do not know yet only what nobody has read: it may be old."""
        with session(self.engine) as opened:
            last = folders.read_up_to(opened, self.mailbox.name, folder.validity)
        return folder.unseen() if last is None else folder.after(last)

    def _take(self, folder: Folder, uid: int) -> None:
        """Take a mail in; one for nobody here stays as it is, one that cannot be is flagged."""
        if folder.size(uid) > _TOO_LARGE:
            self._leave(folder, uid, "is too large")
            return
        raw = folder.fetch(uid)
        if raw is None:
            return
        try:
            is_ours = self._keep(folder, uid, raw)
        except DBAPIError:
            raise
        except Exception:
            # Nothing that a mail holds may stop those behind it.
            log.exception("mail %s of %s", uid, self.mailbox.name)
            self._leave(folder, uid, "cannot be taken in")
            return
        if is_ours and self.done is not None:
            folder.move(uid, self.done)
        elif is_ours:
            folder.mark(uid)

    def _keep(self, folder: Folder, uid: int, raw: bytes) -> bool:
        now = self.clock()
        with session(self.engine) as opened:
            taken = handed_on.take(opened, self.house, raw, Source.IMAP, now)
            folders.keep(opened, self.mailbox.name, folder.validity, uid, now)
        for game_id in taken.games:
            self.hint(APPLY, game_id)
        return bool(taken.receipts)

    def _leave(self, folder: Folder, uid: int, why: str) -> None:
        log.warning("mail %s of %s %s", uid, self.mailbox.name, why)
        with session(self.engine) as opened:
            folders.keep(opened, self.mailbox.name, folder.validity, uid, self.clock())
        folder.mark(uid, r"\Flagged")


def poller(settings: Settings, broker_url: str | None) -> Poller:
    """The poller of a house, on an engine of this process. Raises NoMailboxError."""
    if settings.imap_url is None:
        raise NoMailboxError("PBEM_IMAP_URL is not set, so there is no mailbox to fetch from")
    return Poller(
        parse_mailbox(settings.imap_url),
        open_engine(settings.database_url),
        settings.house,
        hints(broker_url),
        settings.imap_done,
    )


def poll_until_stopped(poller: Poller, beat: Callable[[], None], every: float) -> None:
    """Rounds every so many seconds until SIGTERM or SIGINT, `beat` after each that succeeded.

    A server that is away is asked again after growing pauses, and each of them is logged.
    """
    stop = threading.Event()

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, on_signal)
    failures = 0
    while not stop.is_set():
        try:
            more = poller.round()
        except (ImapError, DBAPIError) as error:
            pause = PAUSES[min(failures, len(PAUSES) - 1)]
            failures += 1
            log.warning("%s: %s; next try in %.0f s", poller.mailbox.name, error, pause)
            stop.wait(pause)
            continue
        failures = 0
        beat()
        if not more:
            stop.wait(every)
    with suppress(ImapError):
        poller.close()
