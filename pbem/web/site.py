"""What the pages are given: all of it made by the door that starts them."""

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo

from pbem.judge.house import House
from pbem.judge.sweep import APPLY, SEND, Hint
from pbem.settings import Listen
from pbem.store import engine
from pbem.store.engine import Engine, Session
from pbem.store.mailbox import Sessions

Check = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Mailbox:
    """The mailbox page. `key` opens it; `http` is where the pages listen, for a check.

    `sessions` opens sessions that only read; answers go to `smtp` as mails, with a Message-ID in
    `domain`. `public_url` names a host that a browser may call us by, besides loopback.
    """

    key: str = field(repr=False)
    sessions: Sessions
    smtp: Listen
    http: Listen
    domain: str
    public_url: str
    clock: Callable[[], datetime]
    zone: tzinfo = UTC


@dataclass(frozen=True, slots=True)
class Service:
    """What the pages of games work with, behind the login and before it.

    Most of a page only reads, through `reader`; what it does goes through `engine`. `hint` tells
    the workers what there is to do after a commit. `http` is where the pages listen, `entropy`
    gives so many secret random bytes. With a `webhook_secret` mails may be handed over by HTTP.
    """

    house: House
    engine: Engine
    reader: Engine
    hint: Hint
    http: Listen
    clock: Callable[[], datetime]
    entropy: Callable[[int], bytes] = secrets.token_bytes
    webhook_secret: str | None = field(default=None, repr=False)

    @property
    def is_secure(self) -> bool:
        """Whether browsers come by HTTPS."""
        return self.house.public_url.startswith("https://")

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that only reads."""
        with engine.session(self.reader) as opened:
            yield opened

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session that commits at its end."""
        with engine.session(self.engine) as opened:
            yield opened

    def send(self, letters: tuple[int, ...]) -> None:
        """Hint at letters that were committed."""
        for letter in letters:
            self.hint(SEND, letter)

    def play(self, game_id: int | None) -> None:
        """Hint at a game that something waits for."""
        if game_id is not None:
            self.hint(APPLY, game_id)


@dataclass(frozen=True, slots=True)
class Site:
    """All pages of one process. `checks` of readiness by the reason to give when one fails.

    `mailbox` is None where letters leave through a relay, or where HTTP does not listen on
    loopback; `service` where only the mailbox and the health of the process are shown.
    """

    version: str
    checks: Mapping[str, Check]
    mailbox: Mailbox | None = None
    service: Service | None = None
