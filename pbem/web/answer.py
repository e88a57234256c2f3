"""What became of a mail that was sent from here: its state, and the letters that answer it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from pbem.store.tables import Inbox, InboxStatus, Outbox, OutboxStatus
from pbem.web.shown import Shown, shown

LOOK_FOR = timedelta(minutes=2)
"""How long a page looks by itself for the answer to a mail."""


class State(StrEnum):
    """From the moment that our door took a mail; `mail.html.j2` has the words."""

    WAITING = "waiting"
    BEING_ANSWERED = "being-answered"
    ANSWERED = "answered"
    SET_ASIDE = "set-aside"
    UNANSWERED = "unanswered"


@dataclass(frozen=True, slots=True)
class SentMail:
    """A mail of one person, with its state and the ids and texts of its answers."""

    id: int
    mail: Shown
    received_at: datetime
    state: State
    answers: tuple[tuple[int, Shown], ...]

    def unsettled(self, now: datetime) -> bool:
        """Whether it is worth looking again by itself."""
        waits = self.state in (State.WAITING, State.BEING_ANSWERED)
        return waits and now - self.received_at < LOOK_FOR


def sent_mail(row: Inbox, letters: Sequence[Outbox]) -> SentMail:
    """The mail of an inbox row; `letters` are those that answer it, to whomever."""
    own = [letter for letter in letters if _same_address(letter.to_address, row.mail_from)]
    ready = [letter for letter in own if letter.status is OutboxStatus.SENT]
    return SentMail(
        id=row.id,
        mail=shown(row.raw or b""),
        received_at=row.received_at,
        state=_state(row.status, written=bool(own), ready=bool(ready)),
        answers=tuple((letter.id, shown(letter.composed or b"")) for letter in ready),
    )


def _state(status: InboxStatus, *, written: bool, ready: bool) -> State:
    if ready:
        return State.ANSWERED
    if written:
        return State.BEING_ANSWERED
    match status:
        case InboxStatus.ACCEPTED:
            return State.WAITING
        case InboxStatus.HELD | InboxStatus.SET_ASIDE | InboxStatus.DEAD:
            return State.SET_ASIDE
        case _:
            return State.UNANSWERED


def _same_address(one: str, other: str | None) -> bool:
    return other is not None and one.lower() == other.lower()
