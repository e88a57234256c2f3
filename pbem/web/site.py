"""What the pages are given: all of it made by the door that starts them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo

from pbem.settings import Listen
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
class Site:
    """All pages of one process. `checks` of readiness by the reason to give when one fails.

    `mailbox` is None where letters leave through a relay, or where HTTP does not listen on
    loopback.
    """

    version: str
    checks: Mapping[str, Check]
    mailbox: Mailbox | None = None
