"""Who may write to whom, as the door asks it at RCPT: what the house knows, then the limits."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from pbem.judge import intake
from pbem.judge.house import House
from pbem.judge.intake import Weighed
from pbem.judge.throttle import Throttle
from pbem.mail.door import Asked
from pbem.store.engine import Engine, Session
from pbem.store.inquiry import GroupReader

FRESH = timedelta(seconds=5)
"""So long a recipient that was let in is let in again without a look at the database: whoever
floods one address asks for it once. A new key of its seat is seen when the mail is read."""

MOST_FRESH = 1000
"""So many recipients are remembered; then all are forgotten."""


class Doorkeeper:
    """The answers of one door.

    Only what lets a mail in is remembered: a new address counts from its first moment.
    """

    def __init__(
        self,
        house: House,
        reader: Engine,
        clock: Callable[[], datetime],
        throttle: Throttle | None = None,
    ) -> None:
        self._house = house
        self._clock = clock
        self._throttle = throttle
        self._books = GroupReader(reader, self._weigh)
        self._fresh: dict[str, tuple[Weighed, datetime]] = {}

    async def refuse(self, asked: Asked) -> str | None:
        """The SMTP reply that refuses a recipient; None if its mail is to be taken."""
        now = self._clock()
        weighed, until = self._fresh.get(asked.recipient, (None, now))
        if weighed is None or until <= now:
            weighed = await self._books.ask(asked.recipient)
            self._remember(asked.recipient, weighed, now)
        if weighed.refusal is not None or self._throttle is None:
            return weighed.refusal
        return self._throttle.refuse(asked, weighed.owner, now)

    def _remember(self, recipient: str, weighed: Weighed, now: datetime) -> None:
        if weighed.refusal is None:
            if len(self._fresh) >= MOST_FRESH:
                self._fresh.clear()
            self._fresh[recipient] = (weighed, now + FRESH)

    def _weigh(self, opened: Session, recipients: Sequence[str]) -> list[Weighed]:
        return intake.weigh(opened, self._house, recipients, self._clock())
